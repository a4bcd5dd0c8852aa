import { type Beside, fixedKeysOf, hasSameKeys, namesIn, sight } from '../../../binding/sight.ts'
import { unclear } from '../../../binding/words.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import type { Listed } from '../../../provider/listing.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { Address } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { pick, withoutMembers } from '../../../values/members.ts'
import { ambiguous, type BoundResource, type Located, rulesOf } from '../plan/observation.ts'
import { listAll } from '../read/read-object.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Sending } from '../shared/transports.ts'
import { isMissing, wasThere } from './missing.ts'

interface MovedInput {
  readonly loaded: LoadedWorkspace
  readonly transports: Sending
}

/** Resources whose object is missing where it was recorded, and listed in another container, by its id. */
export const findMoved = async (
  resources: readonly BoundResource[],
  { loaded, transports }: MovedInput,
): Promise<ReadonlyMap<Address, FoundElsewhere>> => {
  const found = new Map<Address, FoundElsewhere>()
  for (const group of Map.groupBy(resources, ({ provider, type }) => `${provider} ${type?.name}`).values()) {
    const missing = group.filter(mayHaveMoved)
    const { type, provider = '' } = missing[0] ?? {}
    if (type?.list === undefined || fixedKeysOf(type.schema).length === 0) continue
    const scope = placesOf(type, group)
    const isOnlyItsOwn = scope.length === 1 && type.listWithin?.[0] !== undefined
    const isReadAnyway = loaded.configuration.unmanaged === 'report'
    if (isOnlyItsOwn || (scope.length > mostPlaces && !isReadAnyway)) continue
    const listing = await listAll(type, scope, { transport: transports.of(provider).cachedRead })
    if (listing.kind !== 'listed') continue
    for (const one of missing) {
      const moved = movedTo(one, type, elsewhere(group, one, listing.objects))
      if (moved !== undefined) found.set(one.address, moved)
    }
  }
  return found
}

/** What is listed as gone stays so, and is told to be there. */
export const withStillIn = (
  observed: ReadonlyMap<Address, BoundResource>,
  found: ReadonlyMap<Address, FoundElsewhere>,
): ReadonlyMap<Address, BoundResource> =>
  new Map(
    [...observed].map(([address, one]) => {
      const { stillIn } = found.get(address) ?? one
      return [address, { ...one, ...defined({ stillIn }) }]
    }),
  )

/** A list that nobody else asks for costs a request in each check until the object is there again. */
const mostPlaces = 20

const placesOf = (
  { listWithin = [], listBy = [] }: ResourceType,
  group: readonly BoundResource[],
): readonly Target[] => {
  const places = group.map(
    ({ target }) => [canonicalJson(pick(target.attributes, [...listWithin, ...listBy])), target] as const,
  )
  return [...new Map(places).values()]
}

export type FoundElsewhere = Pick<Located, 'observed' | 'candidates' | 'stillIn'>

const mayHaveMoved = (one: BoundResource): boolean =>
  isMissing(one) && wasThere(one) && one.movedTo === undefined && one.type?.identity?.ids === 'stable'

/** What is listed under the ids of a record, if no other record has them: then each container counts its ids by itself. */
const elsewhere = (
  group: readonly BoundResource[],
  { address, recorded }: BoundResource,
  listed: readonly Listed[],
): readonly Listed[] => {
  const idsOf = (one: Pick<Listed, 'ids'> | undefined): string =>
    JSON.stringify(Object.entries(pick(one?.ids ?? {}, Object.keys(recorded?.ids ?? {}))).toSorted())
  const own = idsOf(recorded)
  if (own === '[]' || group.some((one) => one.address !== address && idsOf(one.recorded) === own)) return []
  return listed.filter((one) => idsOf(one) === own)
}

/** Two objects with the id show that it is an id within a container. */
const movedTo = (
  { recorded, place }: BoundResource,
  type: ResourceType,
  [object, ...others]: readonly Listed[],
): FoundElsewhere | undefined => {
  if (object === undefined || recorded === undefined || others.length > 0) return undefined
  const { schema } = type
  const beside: Beside = { schema, rules: rulesOf(type), place, urlOf: type.urlOf?.bind(type), recorded }
  const seen = sight(beside, { kind: 'present', attributes: object.identity, ...object })
  if (seen.kind !== 'present' || seen.recorded !== 'other' || seen.isDisproved === true) return undefined
  const { differs } = seen
  if (differs === undefined || !(isNoCounter(recorded.ids) || isSameBut(differs, type, recorded, object)))
    return undefined
  const stillIn = { attribute: differs, value: object.identity[differs] ?? null }
  return { observed: ambiguous(unclear.moved(differs), 'other_parent'), candidates: [seen.object], stillIn }
}

/** A number may be counted in each container, so that it is an id of the object only together with its name. */
const isNoCounter = (ids: Listed['ids'] = {}): boolean => Object.values(ids).some((id) => !/^\d*$/.test(id))

const isSameBut = (
  container: string,
  { schema }: ResourceType,
  { attributes }: NonNullable<BoundResource['recorded']>,
  { identity }: Listed,
): boolean => {
  const others = withoutMembers(attributes, [container])
  return hasSameKeys(schema, namesIn(schema, others), namesIn(schema, identity))
}
