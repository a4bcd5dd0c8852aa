import type { Configuration } from '../../../config/shared/configuration.ts'
import type { Provider, ResourceType } from '../../../provider/provider.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { ImportRule } from '../../../schema/rules.ts'
import type { Bundle } from '../../../schema/stored/bundle.ts'
import { defined } from '../../../values/defined.ts'

export interface Prepared {
  readonly configuration: Configuration
  readonly providers: ReadonlyMap<string, Provider>
}

export interface LoadedWorkspace extends Prepared {
  /** Resources that are no objects, in the order in which they are written: they give values to others. */
  readonly rules: readonly DesiredResource[]
  /**
   * The entry and the files that it names, without files that the workspace manages: these are observed, not desired.
   */
  readonly bundle: Bundle
  readonly digest: string
  /** Whether the configuration says that the object of a resource was deleted. */
  readonly isGone: (address: Address) => boolean
  /** Whether its create was accepted, and what it makes may still come. */
  readonly isUnderWay?: (address: Address) => boolean
  /** By the address of the resource that the object belongs to. */
  readonly imports: ReadonlyMap<Address, ImportRule>
}

/** Everything that has a spec: resources and rules. */
export const withSpec = ({ configuration, rules }: LoadedWorkspace): readonly DesiredResource[] => [
  ...configuration.resources,
  ...rules,
]

/** `undefined` if the provider or the type does not exist any more. */
export const typeOf = (loaded: Prepared, alias: string, type: string): ResourceType | undefined => {
  const types = loaded.providers.get(alias)?.types
  // A type may be called "constructor".
  return types !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
}

/** Where the objects of a provider are, as records name it. */
export const homeOf = ({ providers }: Prepared, alias: string): string | undefined => {
  const provider = providers.get(alias)
  return provider?.home ?? provider?.place
}

/** A record of what was seen now, with the place where it was seen, and with how it was read. */
export const atHome = (loaded: Prepared, record: RecordedResource): RecordedResource => ({
  ...record,
  ...defined({
    place: homeOf(loaded, record.provider),
    reading: typeOf(loaded, record.provider, record.type)?.reading?.(),
  }),
})

/** Where a record was made and where its provider leads now, if these are two targets: then it proves nothing. */
export const movedAway = (
  { configuration, ...loaded }: Prepared,
  alias: string,
  { place }: Pick<RecordedResource, 'place'>,
): { readonly from: string; readonly to: string } | undefined => {
  const home = homeOf({ configuration, ...loaded }, alias)
  if (place === undefined || home === undefined || place === home) return undefined
  const isSame = configuration.movedPlaces.some(
    (each) => each.provider === alias && each.from === place && each.to === home,
  )
  return isSame ? undefined : { from: place, to: home }
}

/** Identifies the target of a type: two aliases of one target have the same objects. */
export const placeOf = (loaded: LoadedWorkspace, alias: string, { name }: ResourceType): string =>
  JSON.stringify([loaded.providers.get(alias)?.place ?? { alias }, name])
