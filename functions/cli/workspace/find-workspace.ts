import { resolve } from 'node:path'
import {
  AppError,
  type Bundle,
  type BundlePreview,
  isAppError,
  loadWorkspace,
  type SourcedBundle,
  sources,
  workspaceId,
} from '#core'
import { readFolder } from '../../adapters/files/config-source.ts'
import { readName } from '../../adapters/files/find-entry.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import { findStateFolder, readFolders } from '../state/state-folder.ts'
import { type GivenOptions, givenValues } from './given-values.ts'

export interface Source {
  readonly id: string
  readonly folder: string
  readonly bundle: Bundle
  readonly digest: string
  readonly read: SourcedBundle
}

/**
 * Uses the variable values that the command was given. `undefined` if the folder has no configuration; rejects with
 * CONFIG_INVALID if its configuration is wrong.
 */
export const readSource = async (
  folder: string,
  given: GivenOptions,
  preview?: BundlePreview,
): Promise<Source | undefined> => {
  try {
    const deps = { providers: providersHere(given.host.variables), sources, searched: given.host.variables['PATH'] }
    const read = await readFolder(folder, await givenValues(given), deps, preview)
    const { configuration, bundle, digest } = await loadWorkspace(read, deps)
    return { id: configuration.workspace, folder, bundle, digest, read }
  } catch (error) {
    if (isAppError(error, 'CONFIG_NOT_FOUND')) return undefined
    throw error
  }
}

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
