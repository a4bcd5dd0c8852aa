import { canonicalJson } from '../../../engine/json/canonical.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Response } from '../../../engine/schema/command.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { present } from '../../../engine/values/defined.ts'
import { mapMembers, pick } from '../../../engine/values/members.ts'
import { allEntries, comparisonText, type Entries, sameValue } from '../document/attributes.ts'
import { type Ids, isListed, lastingIds, lookupOp, type RestResource, shownIds, toldIds } from '../document/document.ts'
import { isReadableById, retrievesById } from '../document/ids.ts'
import { pathOf, type Scope } from '../document/shared/template.ts'
import { askForObject } from '../request/ask.ts'
import { objectScope, type ReadContext, type TypeContext } from '../request/context.ts'
import { decodeAll, idsAt, idsInHeaders } from '../request/decode.ts'
import { type Items, itemsAmong, listItems, listOf } from './lists/list-items.ts'
import { sortedItems } from './lists/sorted-items.ts'
import { isGone, isMeant, listedEntries, listedIdentity } from './shared/item-identity.ts'
import { unknowns } from './shared/words.ts'

export interface FoundObject {
  readonly kind: 'found'
  readonly ids: Ids
  /** The answer of the lookup, and its operation: a part with the same read needs no further request. */
  readonly object: JsonObject
  readonly op: string
  /** Where the object came alone. */
  readonly response?: Response
}

/**
 * `archived`: an object that has the keys and counts as deleted, if the document describes how it is revived. `noList`: the list
 * itself is not there, by its status.
 */
export type Lookup =
  | FoundObject
  | { readonly kind: 'absent'; readonly archived?: FoundObject; readonly noList?: true }
  | UnknownResult

/** The identity of a target, with the defaults of attributes that were left out. */
export const identified = (context: TypeContext, attributes: JsonObject): JsonObject => {
  const { keys } = context.resource.identity
  const defaults = mapMembers(pick(allEntries(context.resource), keys), (entry) => entry.default)
  return { ...defaults, ...attributes }
}

/** Finds the object that has the ids of a target, even under other keys; without ids, the object that has the keys. */
export const findObject = async (context: ReadContext, target: Target): Promise<Lookup> => {
  const attributes = identified(context, target.attributes)
  if (canReadIds(context, target.ids)) return checkOwner(context, await findById(context, attributes, target.ids))
  const open = context.resource.identity.generated?.find((key) => attributes[key] === undefined)
  if (open !== undefined) return unknowns.keyOfServer(open)
  return checkKeys(context, attributes, await findByKeys(context, attributes))
}

/** Whether the list of `lookup` has everything that `retrieve` could say, about the same objects. */
export const isWholeInList = (resource: RestResource): boolean => {
  const { lookup, operations, parts, lifecycle } = resource
  const [list, retrieve] = [operations[lookupOp(resource)], operations['retrieve']]
  if (!('list' in lookup) || lookup.ids !== undefined || list === undefined || retrieve === undefined) return false
  const isBeside = retrieve.path.startsWith(`${list.path.replace(/\/$/, '')}/`)
  return isBeside && lifecycle?.revive === undefined && parts.every((part) => isListed(resource, part))
}

/** An object without ids is never requested by ids. */
const canReadIds = ({ resource }: TypeContext, ids: Ids | undefined): ids is Ids =>
  ids !== undefined && isReadableById(resource) && lastingIds(resource).every((name) => Object.hasOwn(ids, name))

/**
 * If a server answers another object than the requested one, the name does not exist or is an alias: the result is unclear.
 */
const checkKeys = (context: TypeContext, attributes: JsonObject, found: Lookup): Lookup => {
  const shown = found.kind === 'absent' ? found.archived : found
  if (shown?.kind !== 'found') return found
  const entries = allEntries(context.resource)
  const observed = decodeAll(entries, shown.object)
  const visible = context.resource.identity.keys.filter((key) => observed[key] !== undefined)
  const hasKeys = visible.every((key) => {
    const entry = entries[key]
    return entry !== undefined && sameValue(entry, attributes[key], observed[key])
  })
  return hasKeys ? found : unknowns.anotherObject(visible.join(', '))
}

/** An id finds its object for every caller: an object that belongs to another caller is not ours. */
const checkOwner = ({ owned = {} }: TypeContext, found: Lookup): Lookup => {
  if (found.kind !== 'found') return found
  const others = Object.entries(owned).flatMap(([place, expected]) => {
    const shown = valueAt(found.object, pathOf(place))
    return shown === undefined || isSame(expected, shown) ? [] : [place]
  })
  return others.length === 0 ? found : unknowns.othersObject(others.join(', '))
}

/** An id that differs from the one that was asked for. */
const otherId = (resource: RestResource, asked: Ids, found: Ids): string | undefined =>
  lastingIds(resource).find(
    (name) => Object.hasOwn(asked, name) && Object.hasOwn(found, name) && asked[name] !== found[name],
  )

const findById = async (context: ReadContext, attributes: JsonObject, ids: Ids): Promise<Lookup> => {
  const byRetrieve = retrievesById(context.resource)
  if (!byRetrieve || isWholeInList(context.resource)) {
    const named = byRetrieve ? undefined : await stillNamed(context, attributes, ids)
    if (named !== undefined) return named
    const listed = await listedWithIds(context, attributes, ids)
    // An object that only the list lacks is not absent.
    if (!byRetrieve) return confirmGone(context, { attributes, ids }, listed)
    if (listed.kind !== 'absent') return listed
  }
  const found = await retrieve(context, 'retrieve', objectScope(context, attributes, ids))
  if (found.kind !== 'found') return found
  const other = otherId(context.resource, ids, found.ids)
  return other === undefined ? { ...found, ids: { ...ids, ...found.ids } } : unknowns.anotherObject(other)
}

/**
 * The object under the name that it should have, if it has the ids: that proves as much as the list of all objects, which is
 * asked for where equal reads share its answer, or where the name has nothing or something else.
 */
const stillNamed = async (context: ReadContext, attributes: JsonObject, ids: Ids): Promise<Lookup | undefined> => {
  const { resource, transport } = context
  const { lookup, operations, parts } = resource
  const isInList = 'list' in lookup && lookup.ids === undefined && lookup.follow === 'retrieve'
  const needsList = parts.some((part) => isListed(resource, part))
  if (!isInList || needsList || transport.remember !== undefined || operations['retrieve'] === undefined)
    return undefined
  const named = await retrieve(context, 'retrieve', objectScope(context, attributes, ids))
  const isIt = named.kind === 'found' && lastingIds(resource).every((name) => named.ids[name] === ids[name])
  return isIt ? { ...named, ids: { ...ids, ...named.ids } } : undefined
}

/**
 * A list is weak evidence that an object is gone: one that its name still leads to, and that has the same id, was moved to
 * another place, or the list leaves it out. It is asked for only where a record names it and the list does not.
 */
const confirmGone = async (
  context: ReadContext,
  { attributes, ids }: { readonly attributes: JsonObject; readonly ids: Ids },
  found: Lookup,
): Promise<Lookup> => {
  const { retrieve: byName } = context.resource.operations
  if (found.kind !== 'absent' || found.archived !== undefined || byName === undefined) return found
  const named = await retrieve(context, 'retrieve', objectScope(context, attributes, ids))
  if (named.kind === 'unknown') return named.reason === 'unresolved' ? found : named
  const isIt = named.kind === 'found' && lastingIds(context.resource).every((name) => named.ids[name] === ids[name])
  return isIt ? unknowns.elsewhere() : found
}

const listedWithIds = async (context: ReadContext, attributes: JsonObject, ids: Ids): Promise<Lookup> => {
  const found = await itemsAmong(await list(context, objectScope(context, attributes, ids)), (items) =>
    itemsByIds(context, items, inItems(context, ids)).filter((item) => !isGone(context, item)),
  )
  return found.kind === 'items' ? single(context, attributes, found.items) : withoutList(found)
}

const withoutList = (found: Exclude<Items, { readonly kind: 'items' }>): Lookup =>
  found.kind === 'absent' ? { ...found, noList: true } : found

/** The element of the list of `lookup` for an object that was found in another way: by its ids, else by its keys. */
export const findListed = (context: ReadContext, attributes: JsonObject, ids: Ids): Promise<Lookup> =>
  Object.keys(ids).length === 0 ? findInList(context, attributes) : listedWithIds(context, attributes, ids)

const findByKeys = (context: ReadContext, attributes: JsonObject): Promise<Lookup> => {
  const { lookup } = context.resource
  if (!('retrieve' in lookup)) return findInList(context, attributes)
  return retrieve(context, lookupOp(context.resource), objectScope(context, attributes, {}))
}

const retrieve = async (context: ReadContext, op: string, scope: Scope): Promise<Lookup> => {
  const answer = await askForObject(context, op, scope, context.settings.reads.absent)
  if (answer.kind !== 'object') return answer
  const { object, response } = answer
  const ids = { ...idsOf(context, object), ...idsInHeaders(context.resource, response, context.baseUrl) }
  const found: FoundObject = { kind: 'found', ids, object, op, response }
  if (!isGone(context, object)) return found
  return revives(context) ? { kind: 'absent', archived: found } : { kind: 'absent' }
}

const list = async (context: ReadContext, scope: Scope): Promise<Items> => {
  const { lookup } = context.resource
  if ('retrieve' in lookup) return unknowns.noList()
  return listItems(context, listOf(context, lookup.list, listedIdentity(context)), scope)
}

const findInList = async (context: ReadContext, attributes: JsonObject): Promise<Lookup> => {
  // Filters may be ignored by the server, so nothing is believed that was not compared here.
  const text = keyText(context, attributes)
  const found = await itemsAmong(await list(context, objectScope(context, attributes, {})), (items) => {
    const sameKeys = text === undefined ? [] : itemsByKey(context, items, text)
    const meant = sameKeys.filter((item) => isMeant(context.resource, item))
    const living = meant.filter((item) => !isGone(context, item))
    return living.length > 0 || !revives(context) ? living : meant
  })
  return found.kind === 'items' ? single(context, attributes, found.items) : withoutList(found)
}

const itemsByKey = (context: TypeContext, items: readonly JsonObject[], text: string): readonly JsonObject[] => {
  const entries = listedEntries(context)
  return (
    sortedItems(items, context.resource, (item) => present(keyText(context, decodeAll(entries, item), entries))).get(
      text,
    ) ?? []
  )
}

/** Items that show these ids, and maybe more. */
const itemsByIds = (context: TypeContext, items: readonly JsonObject[], ids: Ids): readonly JsonObject[] => {
  const names = Object.keys(ids).toSorted()
  const textOf = (shown: Ids): string => canonicalJson(names.map((name) => shown[name] ?? null))
  const by = `ids ${context.name} ${canonicalJson([names, idPlaces(context)])}`
  return sortedItems(items, by, (item) => [textOf(listedIds(context, item))]).get(textOf(ids)) ?? []
}

/** Server ids as the items of the list hold them. */
const listedIds = (context: TypeContext, item: JsonObject): Ids => idsAt(idPlaces(context), item)

const idPlaces = ({ resource }: TypeContext): Ids =>
  ('ids' in resource.lookup ? resource.lookup.ids : undefined) ?? shownIds(resource)

/** Equal for objects with the same keys; `undefined` where a key equals nothing. */
const keyText = (
  context: TypeContext,
  attributes: JsonObject,
  entries: Entries = allEntries(context.resource),
): string | undefined => {
  const { lookup } = context.resource
  const texts = ('match' in lookup ? lookup.match : []).map((key) => {
    const entry = entries[key]
    return entry && comparisonText(entry, attributes[key])
  })
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

const single = async (context: ReadContext, attributes: JsonObject, items: readonly JsonObject[]): Promise<Lookup> => {
  const { lookup, identity, serverId = {} } = context.resource
  const [item] = items
  if (item === undefined || !('list' in lookup)) return { kind: 'absent' }
  if (items.length > 1) {
    const shown = items.map((each) => listedIds(context, each))
    return unknowns.sameKeys(identity.keys.join(', '), shown)
  }
  const ids = listedIds(context, item)
  if (lookup.follow === undefined) {
    const found: FoundObject = { kind: 'found', ids, object: item, op: lookup.list.op }
    return isGone(context, item) ? { kind: 'absent', archived: found } : found
  }
  const missing = Object.keys(lookup.ids ?? serverId).find((name) => ids[name] === undefined)
  if (missing !== undefined) return unknowns.noIdYet(missing)
  const withIds = (found: FoundObject): FoundObject => ({ ...found, ids: { ...ids, ...found.ids } })
  // The item has the keys that the object has now: it may have been renamed.
  const keys = pick(decodeAll(listedEntries(context), item), identity.keys)
  const followed = await retrieve(context, lookup.follow, objectScope(context, { ...attributes, ...keys }, ids))
  if (followed.kind === 'found') {
    const other = otherId(context.resource, ids, followed.ids)
    return other === undefined ? withIds(followed) : unknowns.anotherObject(other)
  }
  if (followed.kind === 'unknown' || followed.archived === undefined) return followed
  return { kind: 'absent', archived: withIds(followed.archived) }
}

const revives = ({ resource }: TypeContext): boolean => resource.lifecycle?.revive !== undefined

const idsOf = (context: TypeContext, object: JsonObject): Ids => idsAt(shownIds(context.resource), object)

/** An item does not contain an id that only a header has; one that follows the name may be another one by now. */
const inItems = ({ resource }: TypeContext, ids: Ids): Ids => {
  const told = 'ids' in resource.lookup && resource.lookup.ids !== undefined ? [] : toldIds(resource)
  const { follows = [] } = resource.identity
  return Object.fromEntries(Object.entries(ids).filter(([name]) => ![...told, ...follows].includes(name)))
}
