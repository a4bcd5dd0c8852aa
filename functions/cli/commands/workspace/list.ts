import { relative, resolve } from 'node:path'
import {
  AppError,
  asAppError,
  findWorkspace,
  isAppError,
  type ListedWorkspace,
  renderListed,
  type Workspace,
} from '#core'
import { asRefused } from '../../../adapters/files/system-errors.ts'
import { type Operation, perform } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { findFolders } from '../../workspace/find-all.ts'
import { findName } from '../../workspace/find-workspace.ts'
import { withRecords } from '../../workspace/session.ts'
import { command } from '../command.ts'

/** `undefined`: nothing is stored under the name. */
const findStored: Operation<string, Promise<Workspace | undefined>> = {
  local: (workspace, { deps }) => findWorkspace(deps.store, workspace),
  remote: (workspace, { client }) => client.get<Workspace>(pathOf(workspace)),
}

const unstored = ['CONFIG_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'] as const

const storedIn = async (folder: string, context: Context): Promise<Workspace | undefined> => {
  let stored: Workspace | undefined
  try {
    await withRecords(context, folder, async ({ backend, workspace }) => {
      stored = await perform(findStored, workspace, backend)
      return 0
    })
  } catch (error) {
    if (!unstored.some((code) => isAppError(error, code))) throw error
  }
  return stored
}

const listedIn = async (folder: string, context: Context): Promise<ListedWorkspace> => {
  const { host, storeFolder } = context
  const shown = relative(host.folder, folder) || '.'
  try {
    const { workspace } = await findName(folder, host.folder, storeFolder)
    const stored = await storedIn(folder, context)
    return { folder: shown, ...(workspace !== undefined && { workspace }), ...(stored && { stored }) }
  } catch (error) {
    const { code, message, hint } = asAppError(asRefused(error))
    return { folder: shown, error: { code, message, hint } }
  }
}

export const commands = [
  command({
    name: 'list',
    example: 'plumbline list',
    description:
      'Lists every configuration in a folder and below it, with its workspace and the result of its last check. Reads nothing from the targets. `plumbline check --all` checks them.',
    argument: ['[folder]', 'folder to look in', '.'],
    run: async (context: Context, given: string): Promise<Exit> => {
      const { host, output } = context
      const root = resolve(host.folder, given)
      const folders = await findFolders(root)
      if (folders.length === 0) throw new AppError('CONFIG_NOT_FOUND', { path: root })
      const items: ListedWorkspace[] = []
      for (const folder of folders) items.push(await listedIn(folder, context))
      output.answer({ items }, () => renderListed(items, { color: output.color }))
      return items.some(({ error }) => error !== undefined) ? 1 : 0
    },
  }),
]
