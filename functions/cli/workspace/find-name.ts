import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError, workspaceId, workspaceNameIn } from '#core'
import { entryFiles } from '../../adapters/files/entry-files.ts'
import { findStateFolder, readFolders } from '../state/state-folder.ts'

/** What an argument means to a command that looks at what is kept. */
export interface Named {
  /** Absent where neither the argument nor the folder says it. */
  readonly workspace?: string
  /** From here upwards its state is looked for. */
  readonly folder: string
}

/** The name in a folder's entry file. `undefined`: there is no such file. */
const nameIn = async (folder: string): Promise<{ readonly name: string | undefined } | undefined> => {
  for (const file of entryFiles) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => undefined)
    if (text !== undefined) return { name: workspaceNameIn(file, text) ?? (await remembered(folder)) }
  }
  const name = await remembered(folder)
  return name === undefined ? undefined : { name }
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
 * file does not even tell the name.
 */
export const findName = async (given: string | undefined, here: string): Promise<Named> => {
  const folder = resolve(here, given ?? '.')
  const found = await nameIn(folder)
  if (found?.name !== undefined) return { workspace: found.name, folder }
  if (found !== undefined) {
    throw new AppError('USAGE', { detail: `the configuration in ${folder} does not tell its workspace; name it` })
  }
  if (given === undefined) return { folder }
  if (!workspaceId.safeParse(given).success) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return { workspace: given, folder: here }
}
