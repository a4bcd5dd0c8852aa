import type { Configuration } from '../config/configuration.ts'
import type { Provider, ResourceType } from '../providers/provider.ts'
import type { Bundle } from '../schema/records.ts'

/** A workspace ready to be read: its configuration, and its providers by alias. */
export interface LoadedWorkspace {
  readonly configuration: Configuration
  readonly providers: ReadonlyMap<string, Provider>
  /** The files without those that the workspace manages: what is on the machine is no part of how it should be. */
  readonly bundle: Bundle
  /** Of the bundle. */
  readonly digest: string
}

/** `undefined` where the provider, or the type, is not there any more. */
export const typeOf = (loaded: LoadedWorkspace, alias: string, type: string): ResourceType | undefined =>
  loaded.providers.get(alias)?.types[type]
