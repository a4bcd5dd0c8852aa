import { AppError, type Run as CheckRun, defined } from '#core'
import type { PlanFormat } from '#render'
import { type Backend, type Checked, checkedOf, type Operation, perform, recordsOf } from '../backend/backend.ts'
import { part, pathOf } from '../backend/http-client.ts'
import { fetchChecked } from '../backend/plan-view.ts'
import type { Exit } from '../context.ts'
import { reportCheck } from '../terminal/report-check.ts'
import { withRecords } from '../workspace/session.ts'
import { formatOption } from './check.ts'
import { collect, type Register, type Run } from './command.ts'
import { listRuns } from './runs.ts'

interface Options {
  readonly format: PlanFormat
  readonly workspace?: string
  readonly target?: readonly string[]
}

const findRun: Operation<{ readonly workspace: string; readonly runId: string }, Promise<Checked>> = {
  local: async ({ workspace, runId }, local) => {
    const records = await recordsOf(workspace, local)
    return checkedOf({ run: await records.run(runId), plan: await records.plan(runId) })
  },
  remote: async ({ workspace, runId }, { client }) =>
    fetchChecked(client, await client.get<CheckRun>(`${pathOf(workspace)}/runs/${part(runId)}`)),
}

const latest = async (backend: Backend, workspace: string): Promise<string> => {
  const [run] = (await perform(listRuns, { workspace, limit: 1 }, backend)).items
  if (run === undefined) throw new AppError('RUN_NOT_FOUND', { run: 'latest' })
  return run.id
}

const show =
  (id: string | undefined, options: Options): Run =>
  (context) =>
    withRecords<Exit>(context, options.workspace, async ({ backend, workspace }) => {
      const checked = await perform(findRun, { workspace, runId: id ?? (await latest(backend, workspace)) }, backend)
      const { plan } = checked
      const shown = plan === undefined || options.target === undefined ? plan : await plan.only(options.target)
      return reportCheck({ ...checked, ...defined({ plan: shown }) }, options.format, context)
    })

export const registerShow: Register = (program, run) => {
  program
    .command('show')
    .summary('show what an earlier check found')
    .description('Shows an earlier check, the latest when none is named. Reads nothing from the target.')
    .argument('[run]', 'the id of a run')
    .option('-w, --workspace <name>', 'a folder, or the name of a workspace')
    .option(
      '--target <address>',
      'what `apply` would send for this resource alone, and its digest; may be repeated',
      collect,
    )
    .addOption(formatOption())
    .action((id: string | undefined, options: Options) => run(show(id, options)))
}
