import { type Beside, namesIn, objectText } from '../../binding/sight.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { PlannedResource } from '../../plan/planning.ts'
import type { Listed, Listing, UnlistedPlace } from '../../provider/listing.ts'
import type { ResourceType } from '../../provider/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Seal } from '../../schema/ports.ts'
import type { Unmanaged } from '../../schema/stored/plan.ts'
import { defined } from '../../values/defined.ts'
import { pick, unlessEmpty } from '../../values/members.ts'
import { spellValue } from '../../values/spell-value.ts'
import type { BoundResource, ListedUnmanaged } from './plan/observation.ts'
import { rulesOf } from './plan/observation.ts'
import { listAll, redactDetail } from './read/read-object.ts'
import { sealListed } from './read/seal-read.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import type { Redacting, Sending } from './shared/transports.ts'
import { unlisted } from './shared/words.ts'

/** Objects that no resource declares, by type, if the configuration asks for them and the API can list them. */
export const listUnmanaged = async (
  { loaded, transports }: { readonly loaded: LoadedWorkspace; readonly transports: Sending & Redacting },
  resources: readonly BoundResource[],
  seal: Seal,
): Promise<ListedUnmanaged> => {
  if (loaded.configuration.unmanaged !== 'report') return nothing
  const groups = Map.groupBy(resources, ({ provider, type }) => keyOf(provider, type?.name))
  const all = [...loaded.providers].flatMap(([provider, { types }]) =>
    Object.values(types).map((type) => ({ provider, type, group: groups.get(keyOf(provider, type.name)) ?? [] })),
  )
  const listed: ListedUnmanaged[] = []
  for (const one of all) listed.push(await listOne(one, transports, seal))
  return {
    found: listed.flatMap(({ found }) => found),
    unchecked: listed.flatMap(({ unchecked }) => unchecked),
    notLookedInto: listed.flatMap(({ notLookedInto }) => notLookedInto),
  }
}

interface BoundType {
  readonly provider: string
  readonly type: ResourceType
  readonly group: readonly BoundResource[]
}

const keyOf = (provider: string, type: string | undefined): string => `${provider} ${type}`

const listOne = async (
  { provider, type, group }: BoundType,
  transports: Sending & Redacting,
  seal: Seal,
): Promise<ListedUnmanaged> => {
  const notLooked = (detail: string): ListedUnmanaged => ({
    ...nothing,
    notLookedInto: [{ type: type.name, provider, detail }],
  })
  // A type without identity has only one object.
  if (!Object.values(type.schema.attributes).some(({ identity }) => identity)) return nothing
  if (type.list === undefined) return notLooked(unlisted.noList)
  if (group.length === 0) return notLooked(unlisted.noneDeclared)
  const places = group.flatMap((one) => inOther(type, one) ?? [])
  const elsewhere = [...new Map(places.map((place) => [canonicalJson(place.within), place])).values()]
  const scope = group.flatMap((one) => (inOther(type, one) === undefined ? [one.target] : []))
  const listing: Listing =
    scope.length === 0
      ? { kind: 'listed', objects: [] }
      : await listAll(type, scope, { transport: transports.of(provider).cachedRead })
  const unread = listing.kind === 'unknown' ? [{ within: {}, ...listing }] : (listing.unlisted ?? [])
  const failed = [...elsewhere, ...unread]
  const objects = listing.kind === 'unknown' ? [] : listing.objects
  const around = [...(type.listWithin ?? []), ...(type.listBy ?? [])]
  return {
    found: notOurs(type, group, objects).map((object) => {
      const identity = sealListed(object.identity, { seal, configured: transports.configured })
      return { type: type.name, provider, identity, ...defined({ names: namesBeside(group, object.identity) }) }
    }),
    unchecked: failed.map((place) => notListed(type, place, transports)),
    notLookedInto: around.length === 0 ? [] : notLooked(unlisted.around(around)).notLookedInto,
  }
}

/** How the configuration names the objects that the keys of an unmanaged object refer to. */
const namesBeside = (group: readonly BoundResource[], identity: JsonObject): Unmanaged['names'] => {
  const all = group.flatMap(({ named = [] }) => named)
  const found = all.filter(
    ({ path: [key = '', ...inside], value }) =>
      inside.length === 0 && Object.hasOwn(identity, key) && identity[key] === value,
  )
  return unlessEmpty(Object.fromEntries(found.map(({ path: [key], name }) => [key, name])))
}

/**
 * A place that is now in another object than the recorded one. What is in that object is not listed, because nothing in
 * it is declared.
 */
const inOther = ({ listWithin = [] }: ResourceType, { observed, target }: BoundResource): UnlistedPlace | undefined => {
  const { result } = observed
  if (result.kind !== 'unknown' || result.reason !== 'other_parent') return undefined
  return { within: pick(target.attributes, listWithin), reason: result.reason, detail: result.detail }
}

const nothing: ListedUnmanaged = { found: [], unchecked: [], notLookedInto: [] }

const notListed = (
  { name }: ResourceType,
  place: UnlistedPlace,
  { redactor }: Pick<Redacting, 'redactor'>,
): PlannedResource => {
  const address = `${name}.*`
  const detail = unlisted.incomplete(unlistedWords(place, redactor))
  return { address, unobserved: [], ignored: [], unchecked: { address, reason: place.reason, detail } }
}

/** Where and why a list is missing, without secrets. */
export const unlistedWords = (
  { within, detail }: Omit<UnlistedPlace, 'reason'>,
  redactor: Redacting['redactor'],
): string => redactor.text(wordsOfPlace(within)) + redactDetail(detail, redactor)

/** `within vhost=shop: `; empty for a list of everything. */
const wordsOfPlace = (within: JsonObject): string => {
  const pairs = Object.entries(within).map(([name, value]) => `${name}=${spellValue(value)}`)
  return pairs.length === 0 ? '' : `within ${pairs.join(' ')}: `
}

/** The listed objects that belong to no resource of the group, neither by their keys nor by their server ids. */
export const notOurs = (
  type: ResourceType,
  group: readonly BoundResource[],
  listed: readonly Listed[],
): readonly Listed[] => {
  const beside: Beside = { schema: type.schema, rules: rulesOf(type), place: '' }
  const objectsOf = (attributes: JsonObject, ids: Listed['ids']): readonly string[] => {
    const names = namesIn(type.schema, attributes)
    return [objectText(beside, names), objectText(beside, names, ids)]
  }
  const ours = new Set(
    group
      .filter((one) => !isOver(one))
      .flatMap(({ observed: { result }, target }) =>
        objectsOf(target.attributes, result.kind === 'present' ? result.ids : undefined),
      ),
  )
  return listed.filter(({ identity, ids }) => !objectsOf(identity, ids).some((object) => ours.has(object)))
}

/** A resource that left the configuration, and whose object is gone: another one may have its name. */
const isOver = ({ desired, observed: { result } }: BoundResource): boolean =>
  desired === undefined && result.kind === 'absent'
