import { type Run as CheckRun, planUndoOf } from '#core'
import { awaitRun } from '../backend/await-run.ts'
import { type Checked, fetchChecked, type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import { part, pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { watching } from '../terminal/progress.ts'
import { exitOf, reportCheck } from '../terminal/report-check.ts'
import { withWorkspace } from '../workspace/session.ts'
import { agrees, send, showPlan } from './apply.ts'
import { command, option, reasonOption, refuseUnkept, variableOptions, workspaceArgument } from './command.ts'

interface UndoOptions {
  readonly check?: boolean
  readonly reason: string
  readonly yes?: boolean
  readonly workspace?: string
}

interface UndoAsked {
  readonly workspace: string
  readonly applyId: string
  readonly watch: Watch
}

const plannedUndo: Operation<UndoAsked, Promise<Checked>> = {
  local: ({ watch, ...asked }, { deps, actor }) =>
    readingWithin('the undo', watch, deps, (own) => planUndoOf({ ...asked, trigger: 'cli', actor }, own)),
  remote: async ({ workspace, applyId, watch: { signal } }, { client, host }) => {
    const path = pathOf(workspace)
    const { requestedAt } = await client.post<{ readonly requestedAt: string }>(
      `${path}/applies/${part(applyId)}/undo`,
      {},
    )
    const asked = {
      workspace,
      requestedAt,
      findRun: async () =>
        (await client.get<{ readonly items: readonly CheckRun[] }>(`${path}/runs`, { scheduledFor: requestedAt }))
          .items[0],
      // It is no check of the workspace, so it counts as pending until its run exists.
      findPending: async () => requestedAt,
    }
    return fetchChecked(client, await awaitRun(asked, { ...host.clock, signal }))
  },
}

const undo = (context: Context, applyId: string, options: UndoOptions): Promise<Exit> =>
  withWorkspace(context, options.workspace, async (session) => {
    const { output } = context
    const { workspace, backend } = session
    const checked = await watching(context, 'reading', (watch) =>
      perform(plannedUndo, { workspace, applyId, watch }, backend),
    )
    const { run, plan } = checked
    const isAsked = options.check || options.yes || output.interactive
    if (plan === undefined || plan.commands.length === 0 || !isAsked) return reportCheck(checked, 'text', context)
    await showPlan(plan, run.finishedAt, context)
    if (await agrees(plan, context, options))
      return send(context, session, { digest: plan.digests.commands, runId: run.id }, options)
    output.note('nothing was sent')
    return exitOf(run)
  })

export const commands = [
  command({
    name: 'undo',
    example: 'plumbline undo 01JD3V8Q6W0000000000000000 --reason "change 4711 was wrong"',
    description:
      'Plans the way back from an apply: the stored inverses of the commands that it did, the last one first. Shows what cannot be undone and why, and asks for confirmation. An object that has moved since is left alone. Without a terminal it only shows the plan; `apply --digest` sends it.\nExit codes: as of `apply`; 2 if only the plan was shown.',
    argument: ['<apply>', 'id of the apply, as the ledger shows it'],
    options: [
      option('-w, --workspace <name>', workspaceArgument[1]),
      option('--check', 'write the commands to the ledger and send none'),
      reasonOption().default('undone from the command line'),
      option('--yes', 'send the planned commands without confirmation'),
      ...variableOptions,
    ],
    run: (context: Context, applyId: string, options: UndoOptions) => {
      refuseUnkept(context, 'undo')
      return undo(context, applyId, options)
    },
  }),
]
