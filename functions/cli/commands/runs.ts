import { type Run as CheckRun, type Page, type Paging, renderRuns } from '#core'
import { type ListRequest, localPaging, type Operation, paged, perform, places, recordsOf } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context } from '../context.ts'
import { answerPage } from '../terminal/answer-page.ts'
import { withRecords } from '../workspace/session.ts'
import { command, pagingOptions, workspaceArgument } from './command.ts'

export const listRuns: Operation<ListRequest, Promise<Page<CheckRun>>> = {
  local: async ({ workspace, ...paging }, local) =>
    (await recordsOf(workspace, local)).runs(localPaging(paging, places.id)),
  remote: ({ workspace, ...paging }, { client }) => client.get(`${pathOf(workspace)}/runs`, paged(paging)),
}

export const commands = [
  command({
    name: 'runs',
    example: 'plumbline runs --limit 5',
    description: 'Lists the checks of a workspace, newest first.',
    argument: workspaceArgument,
    options: pagingOptions,
    run: (context: Context, given: string | undefined, paging: Paging) =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const page = await perform(listRuns, { workspace, ...paging }, backend)
        return answerPage(page, output, (runs) => renderRuns(runs, { color: output.color }))
      }),
  }),
]
