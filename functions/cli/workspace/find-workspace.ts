import { resolve } from 'node:path'
import { AppError, type BundlePreview, workspaceId } from '#core'
import { readName } from '../../adapters/files/find-entry.ts'
import { findStateFolder, readFolders } from '../state/state-folder.ts'
import { inFolder } from '../terminal/error-folder.ts'
import { type GivenOptions, givenValues } from './given-values.ts'
import { loadSource, type Source } from './load-source.ts'

/** Uses the variable values that the command was given; otherwise as `loadSource`. */
export const readSource = async (
  folder: string,
  given: GivenOptions,
  preview?: BundlePreview,
): Promise<Source | undefined> =>
  inFolder(folder, given, async () =>
    loadSource(folder, { values: () => givenValues(given), variables: given.host.variables, preview }),
  )

/**
 * Finds the files that an argument names: a folder, or the name of a workspace; without an argument, those of this
 * folder. `undefined` for a name that this machine does not know.
 */
export const findSource = async (given: string | undefined, context: GivenOptions): Promise<Source | undefined> => {
  const here = context.host.folder
  if (given === undefined) return readSource(here, context)
  const there = await readSource(resolve(here, given), context)
  if (there !== undefined) return there
  if (!workspaceId.safeParse(given).success) throw new AppError('CONFIG_NOT_FOUND', { path: resolve(here, given) })
  const own = await readSource(here, context)
  return own?.id === given ? own : undefined
}

export interface NamedWorkspace {
  /** Absent if neither the argument nor the folder names it. */
  readonly workspace?: string
  /** The state folder is searched from here upwards. */
  readonly folder: string
}

const remembered = async (folder: string, storeFolder: string | undefined): Promise<string | undefined> => {
  const state = await findStateFolder(folder, storeFolder)
  const known = state === undefined ? [] : [...(await readFolders(state))]
  const [first, ...others] = known.filter(([, each]) => resolve(each) === folder)
  return others.length === 0 ? first?.[0] : undefined
}

/**
 * Finds the workspace that an argument names: a folder, or a name; without one, that of this folder. Its files are not
 * parsed, so that an error in them does not prevent the command. Rejects with CONFIG_NOT_FOUND, and with USAGE if the
 * entry file has no workspace name.
 */
export const findName = async (
  given: string | undefined,
  here: string,
  storeFolder: string | undefined,
): Promise<NamedWorkspace> => {
  const folder = resolve(here, given ?? '.')
  const found = await readName(folder)
  const workspace = found?.name ?? (await remembered(folder, storeFolder))
  if (workspace !== undefined) return { workspace, folder }
  if (found !== undefined) {
    throw new AppError('USAGE', { detail: `the configuration in ${folder} names no workspace; pass its name` })
  }
  if (given === undefined) return { folder }
  if (!workspaceId.safeParse(given).success) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return { workspace: given, folder: here }
}
