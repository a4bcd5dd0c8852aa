import { type Run as CheckRun, defined, renderRuns } from '#core'
import {
  type ListRequest,
  type Operation,
  type Page,
  type Paging,
  paged,
  perform,
  recordsOf,
} from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Exit } from '../context.ts'
import { notePage } from '../terminal/note-page.ts'
import { withRecords } from '../workspace/session.ts'
import { afterOption, limitOption, type Register, type Run } from './command.ts'

export const listRuns: Operation<ListRequest, Promise<Page<CheckRun>>> = {
  local: async ({ workspace, ...paging }, local) => (await recordsOf(workspace, local)).runs(paging),
  remote: ({ workspace, ...paging }, { client }) => client.get(`${pathOf(workspace)}/runs`, paged(paging)),
}

const runs =
  (given: string | undefined, { limit, after }: Paging): Run =>
  (context) =>
    withRecords<Exit>(context, given, async ({ backend, workspace }) => {
      const { output } = context
      const page = await perform(listRuns, { workspace, limit, ...defined({ after }) }, backend)
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
