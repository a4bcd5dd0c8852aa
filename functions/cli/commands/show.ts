import { AppError, type Run as CheckRun, defined, type SavedPlan } from '#core'
import type { PlanFormat } from '#render'
import {
  type Backend,
  type Checked,
  fetchChecked,
  type Operation,
  perform,
  places,
  recordsOf,
} from '../backend/backend.ts'
import { part, pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { exitFor, type FailOn, reportCheck } from '../terminal/report-check.ts'
import { findPlanFile, ofThisStore } from '../workspace/plan-file.ts'
import { seenFolder } from '../workspace/seen-folder.ts'
import { withRecords } from '../workspace/session.ts'
import { failOnOption, formatOption, type ViewOptions, viewed, viewOptions } from './check/view.ts'
import { command, option, workspaceArgument } from './command.ts'
import { listRuns } from './runs.ts'

interface ShowOptions extends ViewOptions {
  readonly format: PlanFormat
  readonly failOn: FailOn
  readonly workspace?: string
}

const findRun: Operation<{ readonly workspace: string; readonly runId: string }, Promise<Checked>> = {
  local: async ({ workspace, runId }, local) => {
    const records = await recordsOf(workspace, local)
    return { run: await records.run(runId), plan: await records.plan(runId) }
  },
  remote: async ({ workspace, runId }, { client }) =>
    fetchChecked(client, await client.get<CheckRun>(`${pathOf(workspace)}/runs/${part(runId)}`)),
}

const latest = async (backend: Backend, workspace: string): Promise<string> => {
  const [run] = (await perform(listRuns, { workspace, limit: 1 }, backend)).items
  if (run === undefined) throw new AppError('RUN_NOT_FOUND', { run: 'latest' })
  return run.id
}

const isRunId = (word: string | undefined): boolean => word !== undefined && places.id.test(word)

const showRun = (
  context: Context,
  id: string | undefined,
  given: string | undefined,
  { format, failOn, ...options }: ShowOptions,
): Promise<Exit> =>
  withRecords(context, given, async ({ backend, workspace }) => {
    const checked = await perform(findRun, { workspace, runId: id ?? (await latest(backend, workspace)) }, backend)
    const seen = await seenFolder({ backend, workspace }, given, context.host.folder)
    const exit = await reportCheck({ ...viewed(checked, options), ...seen }, format, context)
    return exitFor(exit, failOn, checked.plan)
  })

/** The file is only the proof: the plan itself is in the store, and must still have the digest of the file. */
const showSaved = async (context: Context, file: string, saved: SavedPlan, options: ShowOptions): Promise<Exit> => {
  const { workspace, runId: run, commandsDigest, targets, exclude } = saved
  const named = (['target', 'exclude', 'refreshOnly', 'workspace'] as const).find((name) => options[name] !== undefined)
  if (named !== undefined)
    throw new AppError('USAGE', { detail: `a saved plan decides what is shown; leave out ${flags[named]}` })
  const part = { ...options, ...defined({ target: targets, exclude }) }
  return ofThisStore(file, saved, () =>
    withRecords(context, workspace, async ({ backend }) => {
      const shown = viewed(await perform(findRun, { workspace, runId: run }, backend), part)
      if (shown.plan?.digests.commands !== commandsDigest)
        throw new AppError('PLAN_NOT_FOUND', { digest: commandsDigest })
      const seen = await seenFolder({ backend, workspace }, undefined, context.host.folder)
      const exit = await reportCheck({ ...shown, ...seen }, options.format, context)
      return exitFor(exit, options.failOn, shown.plan)
    }),
  )
}

const flags = {
  target: '--target',
  exclude: '--exclude',
  refreshOnly: '--refresh-only',
  workspace: '--workspace',
} as const

export const commands = [
  command({
    name: 'show',
    example: 'plumbline show --format html > plan.html',
    description: 'Shows an earlier check, the latest by default. Reads nothing from the target.',
    argument: ['[run|file|workspace]', `id of a run, a plan that \`check --out\` wrote, or ${workspaceArgument[1]}`],
    options: [option('-w, --workspace <name>', workspaceArgument[1]), ...viewOptions, failOnOption(), formatOption()],
    run: async (context: Context, given: string | undefined, options: ShowOptions) => {
      const saved = isRunId(given) ? undefined : await findPlanFile(given, context)
      if (given !== undefined && saved !== undefined) return showSaved(context, given, saved, options)
      if (given === undefined || isRunId(given)) return showRun(context, given, options.workspace, options)
      if (options.workspace !== undefined)
        throw new AppError('USAGE', {
          detail: `"${given}" is not the id of a run, and --workspace names the workspace`,
        })
      return showRun(context, undefined, given, options)
    },
  }),
]
