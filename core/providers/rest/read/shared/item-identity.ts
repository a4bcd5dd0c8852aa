import { valueAt } from '../../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import { isSame } from '../../../../engine/transport/answer/answer-errors.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import { allEntries, comparisonText, type Entries } from '../../document/attributes.ts'
import { type ItemCondition, type RestResource, shownIds } from '../../document/document.ts'
import { pathOf } from '../../document/shared/template.ts'
import type { TypeContext } from '../../request/context.ts'
import { decodeAll } from '../../request/decode.ts'

/* What the items of a list show of objects of a type. */

/** Archived or expired: it can be read, and counts as deleted. */
export const isGone = ({ resource }: TypeContext, object: JsonObject): boolean => {
  const gone = resource.lifecycle?.delete?.gone
  return gone !== undefined && holdsAll(object, gone.where)
}

/** The keys as the items of the list hold them, which may be those of another collection. */
export const listedEntries = ({ resource }: TypeContext): Entries =>
  placedAt(allEntries(resource), 'at' in resource.lookup ? resource.lookup.at : undefined)

/** The same of the list of all that exists. */
export const discoveredEntries = ({ resource }: TypeContext): Entries =>
  placedAt(allEntries(resource), resource.discover?.at)

const placedAt = (entries: Entries, at: Readonly<Record<string, string>> = {}): Entries =>
  mapMembers(entries, (entry, name) => {
    const path = at[name]
    return path === undefined ? entry : { ...entry, path }
  })

/** Which values an item of the list must have and must not have, besides the keys. */
export const isMeant = ({ lookup }: RestResource, item: JsonObject): boolean =>
  'retrieve' in lookup || meets(lookup, item)

/** The same of an item of the list of all that exists. */
export const isDiscovered = (
  { discover = {} }: { readonly discover?: ItemCondition | undefined },
  item: JsonObject,
): boolean => meets(discover, item)

const meets = ({ where = {}, whereNot = {} }: ItemCondition, item: JsonObject): boolean =>
  holdsAll(item, where) && Object.entries(whereNot).every((member) => !holdsAll(item, Object.fromEntries([member])))

export const holdsAll = (item: Json, expected: JsonObject): boolean =>
  Object.entries(expected).every(([place, value]) => isSame(value, valueAt(item, pathOf(place)) ?? null))

/** How the items of a list are told from each other. */
export interface ItemIdentity {
  /** Different for lists whose items are told apart in another way. */
  readonly label: string
  /** The missing identity of an item: it could be any object. */
  lacks(item: JsonObject): string | undefined
  /** Equal for items that must be the same object; `undefined`: unknown. */
  same(item: JsonObject): string | undefined
}

/** Where a list shows what tells its items apart. */
interface ShownIdentity {
  readonly label: string
  /** Attributes that are compared with what is wanted, as the items hold them. */
  readonly keys: Entries
  /** Server ids by their places. */
  readonly ids: Readonly<Record<string, string>>
  /** Items without an id are reported one by one, if they belong to the searched objects. */
  readonly idsMayCome: boolean
  /** Items that are no objects of this type, or gone, need neither. */
  counts(item: JsonObject): boolean
}

const itemIdentity = ({ label, keys, ids, idsMayCome, counts }: ShownIdentity): ItemIdentity => {
  const places = Object.entries(ids)
  const readable = Object.entries(keys).filter(
    ([, { leftOut, default: fallback }]) => !leftOut && fallback === undefined,
  )
  const fixed = Object.fromEntries(Object.entries(keys).filter(([, { immutable, in: place }]) => immutable || place))
  const lacks = (item: JsonObject): string | undefined => {
    const observed = decodeAll(keys, item)
    const key = readable.find(([name]) => !isReadable(observed[name]))
    if (key !== undefined) return key[0]
    return idsMayCome ? undefined : places.find(([, place]) => idText(item, place) === undefined)?.[0]
  }
  const same = (item: JsonObject): string | undefined => {
    const known = places.map(([, place]) => idText(item, place))
    const isKnown = known.length > 0 && !known.includes(undefined)
    if (!isKnown && Object.keys(keys).length === 0) return undefined
    // Ids may count anew within each parent: what cannot change of the keys belongs to them.
    return JSON.stringify([isKnown ? known : [], keyTexts(isKnown ? fixed : keys, item)])
  }
  return {
    label,
    lacks: (item) => (counts(item) ? lacks(item) : undefined),
    same: (item) => (counts(item) ? same(item) : undefined),
  }
}

const isReadable = (value: Json | undefined): boolean => value !== undefined && value !== null

const keyTexts = (keys: Entries, item: JsonObject): readonly (string | undefined)[] => {
  const observed = decodeAll(keys, item)
  return Object.entries(keys).map(([name, entry]) => comparisonText(entry, observed[name]))
}

const idText = (item: JsonObject, place: string): string | undefined => {
  const value = valueAt(item, pathOf(place))
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** How the list of a lookup shows which object is which. */
export const listedIdentity = (context: TypeContext): ItemIdentity | undefined => {
  const { lookup } = context.resource
  if (!('list' in lookup)) return undefined
  return itemIdentity({
    label: `lookup of ${context.name}`,
    keys: pick(listedEntries(context), lookup.match),
    ids: lookup.ids ?? shownIds(context.resource),
    // Where an id leads to the object, an item that has none yet is one that is being made.
    idsMayCome: lookup.ids !== undefined || lookup.follow !== undefined,
    counts: (item) => isMeant(context.resource, item) && !isGone(context, item),
  })
}

/** How a list of all that exists shows it: keys that stand in the path of the list are those of the path. */
export const discoveredIdentity = (context: TypeContext): ItemIdentity => {
  const { identity, discover } = context.resource
  const entries = discoveredEntries(context)
  return itemIdentity({
    label: `discovery of ${context.name}`,
    keys: pick(
      entries,
      identity.keys.filter((key) => entries[key]?.in !== 'path'),
    ),
    ids: discover?.ids ?? shownIds(context.resource),
    idsMayCome: false,
    counts: (item) => isDiscovered(context.resource, item) && !isGone(context, item),
  })
}
