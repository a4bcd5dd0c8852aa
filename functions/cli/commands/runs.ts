import { renderRuns } from '#core'
import type { Paging } from '../backend/backend.ts'
import type { Exit } from '../context.ts'
import { notePage } from '../terminal/note-page.ts'
import { withRecords } from '../workspace/session.ts'
import { afterOption, limitOption, type Register, type Run } from './command.ts'

const runs =
  (given: string | undefined, paging: Paging): Run =>
  (context) =>
    withRecords<Exit>(context, given, async ({ backend, workspace }) => {
      const { output } = context
      const page = await backend.runs(workspace, paging)
      output.answer(page, () => renderRuns(page.items, { color: output.color }))
      notePage(page, output)
      return 0
    })

export const registerRuns: Register = (program, run) => {
  program
    .command('runs')
    .summary('list the checks of a workspace')
    .description('Lists the checks of a workspace, newest first.')
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .addOption(limitOption())
    .addOption(afterOption())
    .action((given: string | undefined, paging: Paging) => run(runs(given, paging)))
}
