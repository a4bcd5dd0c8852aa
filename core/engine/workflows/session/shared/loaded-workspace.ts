import type { Configuration } from '../../../config/shared/configuration.ts'
import type { Provider, ResourceType } from '../../../provider/provider.ts'
import type { Address } from '../../../schema/resource.ts'
import type { ImportRule } from '../../../schema/rules.ts'
import type { Bundle } from '../../../schema/stored/bundle.ts'

export interface Prepared {
  readonly configuration: Configuration
  readonly providers: ReadonlyMap<string, Provider>
}

export interface LoadedWorkspace extends Prepared {
  /**
   * The entry and the files that it names, without files that the workspace manages: these are observed, not desired.
   */
  readonly bundle: Bundle
  readonly digest: string
  /** Whether the configuration says that the object of a resource was deleted. */
  readonly isGone: (address: Address) => boolean
  /** By the address of the resource that the object belongs to. */
  readonly imports: ReadonlyMap<Address, ImportRule>
}

/** `undefined` if the provider or the type does not exist any more. */
export const typeOf = (loaded: Prepared, alias: string, type: string): ResourceType | undefined => {
  const types = loaded.providers.get(alias)?.types
  // A type may be called "constructor".
  return types !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
}

/** Identifies the target of a type: two aliases of one target have the same objects. */
export const placeOf = (loaded: LoadedWorkspace, alias: string, { name }: ResourceType): string =>
  JSON.stringify([loaded.providers.get(alias)?.place ?? { alias }, name])
