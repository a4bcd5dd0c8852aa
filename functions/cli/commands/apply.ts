import { AppError, defined, isAppError, narrowPlan, type Plan, renderApply, type SavedPlan } from '#core'
import { renderPlan } from '#render'
import { type Checked, perform } from '../backend/backend.ts'
import { type ApplyRequest, sentApply } from '../backend/sent-apply.ts'
import type { Context, Exit } from '../context.ts'
import { exitOfApply, wasStopped } from '../terminal/apply-exit.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { asCalled, exitOf, reportCheck } from '../terminal/report-check.ts'
import { findPlanFile } from '../workspace/plan-file.ts'
import { type ChosenWorkspace, withWorkspace } from '../workspace/session.ts'
import { requestedCheck } from './check/request.ts'
import {
  command,
  digestArgument,
  option,
  refuseUnkept,
  type SelectionOptions,
  selectionIn,
  selectionOptions,
  variableOptions,
  workspaceArgument,
} from './command.ts'

interface ApplyOptions extends SelectionOptions {
  readonly check?: boolean
  readonly digest?: string
  readonly reason: string
  readonly yes?: boolean
}

type Approved = Pick<ApplyRequest, 'digest' | 'runId' | 'basis' | 'targets' | 'exclude'>

export const send = async (
  context: Context,
  session: ChosenWorkspace,
  approved: Approved,
  { reason, check }: Pick<ApplyOptions, 'reason' | 'check'>,
): Promise<Exit> => {
  const request: ApplyRequest = { workspace: session.workspace, mode: check ? 'check' : 'execute', reason, ...approved }
  const { apply, interrupted } = await watching(context, 'applying', async (watch) => {
    const ended = await perform(sentApply, { request, watch }, session.backend)
    return { apply: ended, interrupted: watch.signal.aborted }
  })
  const { output } = context
  const { color, width } = output
  output.answer(apply, () => renderApply(apply, { color, width }))
  if (wasStopped(apply, interrupted))
    output.note(output.paint.yellow('stopped before the end; check again to see the remaining changes'))
  return exitOfApply(apply, interrupted)
}

/** Shows the plan as a note, because the answer is the outcome. */
export const showPlan = async (plan: Plan, at: string, { output, host }: Context): Promise<void> => {
  const { noteColor: color, width } = output
  output.note(asCalled(await renderPlan(plan, { format: 'text', at, color, width }), host))
}

export const agrees = async (
  plan: Plan,
  context: Context,
  options: Pick<ApplyOptions, 'check' | 'yes'>,
): Promise<boolean> => {
  if (options.check) return true
  // The plan says it too, but who is asked whether to send expects that it can be sent.
  if (plan.refused !== undefined) throw new AppError('POLICY_REFUSED', { detail: plan.refused })
  if (options.yes) return true
  const { length } = plan.commands
  return ask(`\nSend ${length} command${length === 1 ? '' : 's'}? Only "yes" sends: `, context.host)
}

const approvedBy = (digest: string, options: ApplyOptions): Approved => ({ digest, ...defined(selectionIn(options)) })

/** What says that a store does not know the check of a saved plan. */
const ofOtherStore = ['CONFIG_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND', 'PLAN_NOT_FOUND'] as const

/** The plan was approved when it was saved, so the user is not asked. */
const applySaved = async (context: Context, file: string, saved: SavedPlan, options: ApplyOptions): Promise<Exit> => {
  const { workspace, commandsDigest: digest, runId, basis, targets, exclude } = saved
  const given = (['digest', 'target', 'exclude'] as const).find((name) => options[name] !== undefined)
  if (given !== undefined)
    throw new AppError('USAGE', { detail: `a saved plan decides what is sent; leave out --${given}` })
  const approved = { digest, runId, basis, ...defined({ targets, exclude }) }
  try {
    return await withWorkspace(context, workspace, (session) => send(context, session, approved, options))
  } catch (error) {
    if (!ofOtherStore.some((code) => isAppError(error, code))) throw error
    throw new AppError('PLAN_OF_OTHER_STORE', { file, workspace, run: runId }, { cause: error })
  }
}

const checkFirst = async (context: Context, session: ChosenWorkspace, options: ApplyOptions): Promise<Exit> => {
  const { output } = context
  if (!options.check && !options.yes && !output.interactive)
    throw new AppError('USAGE', {
      detail: 'no terminal to confirm on; pass --digest <approved digest>, or --yes to apply the current plan',
    })
  const checked: Checked = await watching(context, 'reading', (watch) =>
    perform(requestedCheck, { workspace: session.workspace, watch }, session.backend),
  )
  const { run, plan: whole } = checked
  if (whole === undefined || whole.commands.length === 0) return reportCheck(checked, 'text', context)
  // Exactly the shown commands are approved and sent.
  const plan = narrowPlan(whole, selectionIn(options))
  await showPlan(plan, run.finishedAt, context)
  if (await agrees(plan, context, options)) {
    return send(context, session, approvedBy(plan.digests.commands, options), options)
  }
  output.note('nothing was sent')
  return exitOf(run)
}

export const commands = [
  command({
    name: 'apply',
    example: 'plumbline apply plan.json --reason "change 4711"',
    description:
      'Sends exactly the commands that the digest approves. If the plan has changed since, it sends nothing. Without --digest it checks, shows the plan and asks for confirmation.\nExit codes: 0 done and in sync, 1 failed, 2 the plan has changed or other resources differ, 3 stopped, not converged or something could not be read.',
    argument: ['[workspace|file]', `${workspaceArgument[1]}, or a plan that \`check --out\` wrote`],
    options: [
      option('--check', 'write the commands to the ledger and send none'),
      option('--digest <digest>', 'digest of the approved commands', digestArgument),
      ...selectionOptions,
      option('--reason <text>', 'reason, for the ledger').default('applied from the command line'),
      option('--yes', 'apply the current plan without confirmation'),
      ...variableOptions,
    ],
    run: async (context: Context, given: string | undefined, options: ApplyOptions) => {
      refuseUnkept(context, 'apply')
      const saved = await findPlanFile(given, context)
      if (given !== undefined && saved !== undefined) return applySaved(context, given, saved, options)
      return withWorkspace(context, given, (session) =>
        options.digest === undefined
          ? checkFirst(context, session, options)
          : send(context, session, approvedBy(options.digest, options), options),
      )
    },
  }),
]
