import { resolve } from 'node:path'
import { AppError, renderWorkspaces } from '#core'
import type { Paging } from '../backend.ts'
import type { Exit } from '../context.ts'
import { readSource } from '../find-source.ts'
import { notePage } from '../note-page.ts'
import { paint } from '../paint.ts'
import { pushFolder, withBackend } from '../session.ts'
import { afterOption, groupOf, limitOption, type Register, type Run } from './command.ts'

const list =
  (paging: Paging): Run =>
  (context) =>
    withBackend<Exit>(context, async (backend) => {
      const { output } = context
      const page = await backend.workspaces(paging)
      output.answer(page, () => renderWorkspaces(page.items, { color: output.color }))
      notePage(page, output)
      return 0
    })

const push =
  (folder: string): Run =>
  async (context) => {
    const { host, output } = context
    const source = await readSource(resolve(host.folder, folder))
    if (source === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: resolve(host.folder, folder) })
    const stored = await pushFolder(context, source)
    const { strong, good, dim } = paint(output.color)
    output.answer(stored, () => `${good('stored')}  ${strong(stored.id)}  ${dim(stored.configuration)}`)
    return 0
  }

const summary = 'store configurations, and list them'

export const registerWorkspacePush: Register = (program, run) => {
  groupOf(program, 'workspace', summary)
    .command('push')
    .summary("store a folder's configuration")
    .description('Validates the configuration of a folder and stores it; from then on its schedule counts.')
    .argument('[folder]', 'with plumbline.yaml, .json or .jsonc', '.')
    .action((folder: string) => run(push(folder)))
}

export const registerWorkspaceList: Register = (program, run) => {
  groupOf(program, 'workspace', summary)
    .command('list')
    .summary('list the workspaces')
    .description('Lists the workspaces with what their last check found.')
    .addOption(limitOption())
    .addOption(afterOption())
    .action((paging: Paging) => run(list(paging)))
}
