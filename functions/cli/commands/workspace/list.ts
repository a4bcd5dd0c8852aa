import { relative, resolve } from 'node:path'
import {
  AppError,
  asAppError,
  defined,
  findWorkspace,
  isAppError,
  type ListedWorkspace,
  renderListed,
  requireClaim,
  type Workspace,
} from '#core'
import { claimOf } from '../../../adapters/files/origin.ts'
import { asRefused } from '../../../adapters/files/system-errors.ts'
import { type Operation, perform } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { seenIssues } from '../../terminal/error-folder.ts'
import { findFolders } from '../../workspace/find-all.ts'
import { findName, readSource } from '../../workspace/find-workspace.ts'
import { withRecords } from '../../workspace/session.ts'
import { command, variableOptions } from '../command.ts'

interface FolderToList {
  readonly workspace: string
  readonly folder: string
}

/** `undefined`: nothing is stored under the name. Refuses as a check would: locally a workspace has one folder. */
const findStored: Operation<FolderToList, Promise<Workspace | undefined>> = {
  local: async ({ workspace, folder }, { deps, host, shared }) => {
    const stored = await findWorkspace(deps.store, workspace)
    const claim = { workspace, folder, variables: host.variables, shared, takeOver: false, moved: () => {} }
    if (stored?.source === undefined) await requireClaim(stored, await claimOf(claim))
    return stored
  },
  remote: ({ workspace }, { client }) => client.get<Workspace>(pathOf(workspace)),
}

const unstored = ['CONFIG_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'] as const

const storedIn = async (folder: string, context: Context): Promise<Workspace | undefined> => {
  let stored: Workspace | undefined
  try {
    await withRecords(context, folder, async ({ backend, workspace }) => {
      stored = await perform(findStored, { workspace, folder }, backend)
      return 0
    })
  } catch (error) {
    if (!unstored.some((code) => isAppError(error, code))) throw error
  }
  return stored
}

const seenFromHere = (error: AppError): AppError =>
  isAppError(error, 'CONFIG_INVALID') ? new AppError('CONFIG_INVALID', { issues: seenIssues(error) }) : error

const listedIn = async (folder: string, context: Context): Promise<ListedWorkspace> => {
  const { host, storeFolder } = context
  let listed: ListedWorkspace = { folder: relative(host.folder, folder) || '.' }
  try {
    const { workspace } = await findName(folder, host.folder, storeFolder)
    listed = { ...listed, ...defined({ workspace }) }
    await readSource(folder, context)
    return { ...listed, ...defined({ stored: await storedIn(folder, context) }) }
  } catch (error) {
    const { code, message, hint } = seenFromHere(asAppError(asRefused(error)))
    return { ...listed, error: { code, message, hint } }
  }
}

export const commands = [
  command({
    name: 'list',
    example: 'plumbline list',
    description:
      'Lists every configuration in a folder and below it, with its workspace and the result of its last check. A folder that a check would refuse has no result: invalid, or claimed by another folder. Reads nothing from the targets.\nExit codes: 0, or 1 if a folder is refused. `plumbline check --all` checks them.',
    argument: ['[folder]', 'folder to look in', '.'],
    options: variableOptions,
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
