import { unknownFromError } from '../command/unknown.ts'
import { normalise } from '../diff/normalise.ts'
import { canonicalJson } from '../digest.ts'
import type { PlannedResource } from '../plan/planning.ts'
import type { Listed, Listing, ResourceType } from '../providers/provider.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Unmanaged } from '../schema/plan.ts'
import type { Channels } from './channels.ts'
import type { LoadedWorkspace } from './loaded-workspace.ts'
import { speakable } from './look-at.ts'
import type { PlannedOne } from './plan-one.ts'

type Unknown = Extract<Listing, { readonly kind: 'unknown' }>

export interface ListedUnmanaged {
  readonly found: readonly Unmanaged[]
  /** Listings that were not complete: what they would have shown is not known. */
  readonly unchecked: readonly PlannedResource[]
}

/** What exists beside the declared resources, type by type, where the configuration wants to know and the API can tell. */
export const listUnmanaged = async (
  { loaded, channels }: { readonly loaded: LoadedWorkspace; readonly channels: Channels },
  resources: readonly PlannedOne[],
): Promise<ListedUnmanaged> => {
  if (loaded.configuration.unmanaged !== 'report') return { found: [], unchecked: [] }
  const found: Unmanaged[] = []
  const unchecked: PlannedResource[] = []
  const groups = Map.groupBy(resources, ({ provider, type }) => `${provider} ${type?.name}`)
  for (const group of groups.values()) {
    const [{ provider = '', type } = {}] = group
    if (type?.list === undefined) continue
    const scope = group.map(({ target }) => target)
    const listing = await type.list(scope, { transport: channels.of(provider).plan }).catch(unknownFromError)
    if (listing.kind === 'unknown') unchecked.push(notListed(type, speakable(listing, channels.redactor)))
    else
      found.push(
        ...notOurs(type, group, listing.objects).map(({ identity }) => ({ type: type.name, provider, identity })),
      )
  }
  return { found, unchecked }
}

const notListed = ({ name }: ResourceType, { reason, detail }: Unknown): PlannedResource => {
  const address = `${name}.*`
  const words = `${detail}, so what else exists is not known`
  return { address, unobserved: [], ignored: [], unchecked: { address, reason, detail: words } }
}

/** Of what was listed, what none of the group is: neither by its identity nor by the server's ids. */
export const notOurs = (
  type: ResourceType,
  group: readonly PlannedOne[],
  listed: readonly Listed[],
): readonly Listed[] => {
  const declared = new Set(group.map(({ target }) => identityOf(type, target.attributes)))
  const known = new Set(
    group.flatMap(({ looked: { result }, target }) =>
      result.kind === 'present' ? numberOf(type, target.attributes, result.ids) : [],
    ),
  )
  return listed.filter(
    ({ identity, ids }) =>
      !declared.has(identityOf(type, identity)) && !numberOf(type, identity, ids).some((key) => known.has(key)),
  )
}

/** The server's ids of an object, under which it is the same by any name; they may count anew within each parent, so
 * what cannot change of the identity belongs to them. None where it has no ids. */
const numberOf = (type: ResourceType, attributes: JsonObject, ids: JsonObject = {}): readonly string[] =>
  Object.keys(ids).length === 0
    ? []
    : [canonicalJson([ids, identityOf(type, attributes, (name) => type.schema.attributes[name]?.immutable === true)])]

const identityOf = (
  { schema }: ResourceType,
  attributes: JsonObject,
  counts: (name: string) => boolean = () => true,
): string => {
  const canonical = normalise(schema, attributes, 'observed')
  const names = Object.keys(schema.attributes).filter((name) => schema.attributes[name]?.identity && counts(name))
  return canonicalJson(names.map((name) => canonical[name] ?? null))
}
