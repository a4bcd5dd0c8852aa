import { resolve } from 'node:path'
import { AppError, type Bundle, isAppError, loadProviders, loadWorkspace, type SourcedBundle, workspaceId } from '#core'
import { readFolder } from '../../adapters/files/config-source.ts'

/** A workspace's files in a folder of this machine: the entry and what it names. */
export interface Source {
  readonly id: string
  readonly folder: string
  /** What is stored of them. */
  readonly bundle: Bundle
  /** Of the bundle. */
  readonly digest: string
  /** As they were read here. */
  readonly read: SourcedBundle
}

/** `undefined` where the folder holds no configuration; rejects with CONFIG_INVALID where it holds a wrong one. */
export const readSource = async (folder: string): Promise<Source | undefined> => {
  try {
    const read = await readFolder(folder)
    const { configuration, bundle, digest } = await loadWorkspace(read, { providers: loadProviders })
    return { id: configuration.workspace, folder, bundle, digest, read }
  } catch (error) {
    if (isAppError(error, 'CONFIG_NOT_FOUND')) return undefined
    throw error
  }
}

/**
 * The files that an argument names: a folder, or the name of the workspace here; without one, those here. `undefined` for
 * a name that is not known here.
 */
export const findSource = async (given: string | undefined, here: string): Promise<Source | undefined> => {
  if (given === undefined) return readSource(here)
  const there = await readSource(resolve(here, given))
  if (there !== undefined) return there
  if (!workspaceId.safeParse(given).success) throw new AppError('CONFIG_NOT_FOUND', { path: resolve(here, given) })
  const own = await readSource(here)
  return own?.id === given ? own : undefined
}
