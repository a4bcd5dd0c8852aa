import { resolve } from 'node:path'
import { AppError, workspaceId } from '#core'
import { readName } from '../../adapters/files/find-entry.ts'
import { findStateFolder, readFolders } from '../state/state-folder.ts'

/** What an argument means to a command that looks at what is kept. */
export interface Named {
  /** Absent where neither the argument nor the folder says it. */
  readonly workspace?: string
  /** From here upwards its state is looked for. */
  readonly folder: string
}

/** The workspace that was read from this folder, where it was one. */
const remembered = async (folder: string): Promise<string | undefined> => {
  const state = await findStateFolder(folder)
  const known = state === undefined ? [] : [...(await readFolders(state))]
  const [first, ...others] = known.filter(([, each]) => resolve(each) === folder)
  return others.length === 0 ? first?.[0] : undefined
}

/**
 * The workspace that an argument names: a folder, or a name; without one, that of this folder. Its files are not read
 * any further, so that a mistake in them hides nothing. Rejects with CONFIG_NOT_FOUND, and with USAGE where the entry
 * file names no workspace.
 */
export const findName = async (given: string | undefined, here: string): Promise<Named> => {
  const folder = resolve(here, given ?? '.')
  const found = await readName(folder)
  const workspace = found?.name ?? (await remembered(folder))
  if (workspace !== undefined) return { workspace, folder }
  if (found !== undefined) {
    throw new AppError('USAGE', { detail: `the configuration in ${folder} names no workspace; pass its name` })
  }
  if (given === undefined) return { folder }
  if (!workspaceId.safeParse(given).success) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return { workspace: given, folder: here }
}
