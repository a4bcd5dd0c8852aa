import { AppError, type Run as CheckRun } from '#core'
import type { PlanFormat } from '#render'
import { type Backend, type Checked, fetchChecked, type Operation, perform, recordsOf } from '../backend/backend.ts'
import { part, pathOf } from '../backend/http-client.ts'
import type { Context } from '../context.ts'
import { exitFor, type FailOn, reportCheck } from '../terminal/report-check.ts'
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

export const commands = [
  command({
    name: 'show',
    example: 'plumbline show --format html > plan.html',
    description: 'Shows an earlier check, the latest by default. Reads nothing from the target.',
    argument: ['[run]', 'id of the run'],
    options: [option('-w, --workspace <name>', workspaceArgument[1]), ...viewOptions, failOnOption(), formatOption()],
    run: (context: Context, id: string | undefined, { format, failOn, workspace: given, ...options }: ShowOptions) =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const checked = await perform(findRun, { workspace, runId: id ?? (await latest(backend, workspace)) }, backend)
        const folder = await seenFolder({ backend, workspace }, given, context.host.folder)
        const exit = await reportCheck({ ...viewed(checked, options), folder }, format, context)
        return exitFor(exit, failOn, checked.plan)
      }),
  }),
]
