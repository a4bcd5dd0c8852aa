import {
  type Bundle,
  type BundlePreview,
  type GivenValue,
  isAppError,
  loadWorkspace,
  type SourcedBundle,
  sources,
} from '#core'
import { placesIn, readFolder } from '../../adapters/files/config-source.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import type { Host } from '../process/host.ts'

export interface Source {
  readonly id: string
  readonly folder: string
  readonly bundle: Bundle
  readonly digest: string
  readonly read: SourcedBundle
}

interface SourceOptions {
  /** Asked for only if the folder exists. */
  readonly values: () => Promise<readonly GivenValue[]>
  readonly variables: Host['variables']
  readonly preview?: BundlePreview | undefined
}

/**
 * Reads and validates the configuration of a folder. `undefined` if the folder has none; rejects with CONFIG_INVALID if
 * it is wrong.
 */
export const loadSource = async (
  folder: string,
  { values, variables, preview }: SourceOptions,
): Promise<Source | undefined> => {
  try {
    const deps = { providers: providersHere(variables), sources, ...placesIn(variables) }
    const read = await readFolder(folder, await values(), deps, preview)
    const { configuration, bundle, digest } = await loadWorkspace(read, deps)
    return { id: configuration.workspace, folder, bundle, digest, read }
  } catch (error) {
    if (isAppError(error, 'CONFIG_NOT_FOUND')) return undefined
    throw error
  }
}
