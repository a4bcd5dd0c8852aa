import { Option } from 'commander'
import { formatNames, type PlanFormat } from '#render'
import type { Exit } from '../context.ts'
import { watching } from '../terminal/progress.ts'
import { reportCheck } from '../terminal/report-check.ts'
import { withWorkspace } from '../workspace/session.ts'
import type { Register, Run } from './command.ts'

const check =
  (given: string | undefined, format: PlanFormat): Run =>
  (context) =>
    withWorkspace<Exit>(context, given, async ({ backend, workspace }) => {
      const checked = await watching(context, 'reading', (watch) => backend.check(workspace, watch))
      return reportCheck(checked, format, context)
    })

export const formatOption = (): Option =>
  new Option('--format <format>', 'of the plan').choices(formatNames).default('text')

export const registerCheck: Register = (program, run) => {
  program
    .command('check')
    .summary('read the target and show what differs')
    .description(
      'Reads what is there and shows what would make it as configured. Never writes to the target.\nEnds with 0 in sync, 2 something differs, 3 something could not be read, 1 failed.',
    )
    .argument('[folder]', 'with plumbline.yaml, or the name of a workspace', undefined)
    .addOption(formatOption())
    .action((given: string | undefined, { format }: { format: PlanFormat }) => run(check(given, format)))
}
