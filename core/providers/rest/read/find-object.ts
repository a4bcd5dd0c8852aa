import { canonicalJson } from '../../../digest.ts'
import type { Response } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { ReadDeps, Target } from '../../provider.ts'
import { allEntries, comparisonText, type Entries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { type Ids, shownIds, toldIds } from '../document/server-ids.ts'
import { type Scope, variablesOf } from '../document/template.ts'
import { askForObject, type Unknown } from '../request/ask.ts'
import { objectScope, type TypeContext } from '../request/context.ts'
import { decodeAll, idsAt, idsInHeaders } from '../request/decode.ts'
import { listedIdentity } from './item-identity.ts'
import { type Items, itemsAmong, listItems } from './list-items.ts'
import { isGone, isMeant, listedEntries } from './listed.ts'

export interface Found {
  readonly kind: 'found'
  readonly ids: Readonly<Record<string, string>>
  /** What the lookup itself answered, and the operation that did: a part that reads the same needs no further request. */
  readonly object: JsonObject
  readonly op: string
  /** Where the object came alone. */
  readonly response?: Response
}

/** `archived`: what has the keys and is as good as none, where the document says how it is revived. */
export type Lookup = Found | { readonly kind: 'absent'; readonly archived?: Found } | Unknown

/** The identity of a target, with the defaults of attributes that were left out. */
export const identified = (context: TypeContext, attributes: JsonObject): JsonObject => {
  const entries = allEntries(context.resource)
  const defaults = context.resource.identity.keys.flatMap((key) => {
    const value = entries[key]?.default
    return value === undefined ? [] : [[key, value] as const]
  })
  return { ...Object.fromEntries(defaults), ...attributes }
}

/** Asks for the object that has the ids of a target, whatever its keys are; without ids, for the one that has the keys. */
export const findObject = async (context: TypeContext, target: Target, deps: ReadDeps): Promise<Lookup> => {
  const attributes = identified(context, target.attributes)
  if (canReadIds(context, target.ids)) return findById(context, attributes, target.ids, deps)
  const open = generatedIn(context, attributes)
  if (open !== undefined) {
    const detail = `its ${open} is left to the server, and no id of it is known`
    return { kind: 'unknown', reason: 'unresolved', detail }
  }
  return checkKeys(context, attributes, await findByKeys(context, attributes, deps))
}

const generatedIn = ({ resource }: TypeContext, attributes: JsonObject): string | undefined =>
  resource.identity.generated?.find((key) => attributes[key] === undefined)

/** Whether the API can be asked for the object that has the ids: alone, or in a list that shows them. */
export const isReadableById = (resource: RestResource): boolean =>
  Object.keys(resource.serverId ?? {}).length > 0 &&
  (retrievesById(resource) || ('list' in resource.lookup && Object.keys(shownIds(resource)).length > 0))

/** `retrieve` leads to what has an id where its request names one. Under a name it is asked with, there may be another object. */
const retrievesById = ({ operations, serverId = {} }: RestResource): boolean => {
  const { retrieve } = operations
  if (retrieve === undefined) return false
  const { path, query = {}, body = null } = retrieve
  return variablesOf([path, query, body]).some(([name = '']) => Object.hasOwn(serverId, name))
}

/** An object that only its keys lead to is never asked for by ids. */
const canReadIds = ({ resource }: TypeContext, ids: Ids | undefined): ids is Ids => {
  return (
    ids !== undefined &&
    isReadableById(resource) &&
    Object.keys(resource.serverId ?? {}).every((name) => Object.hasOwn(ids, name))
  )
}

/** A server that answers another object than the one that was asked for has none of that name, or an alias: nobody knows. */
const checkKeys = (context: TypeContext, attributes: JsonObject, found: Lookup): Lookup => {
  if (found.kind === 'absent' && found.archived !== undefined) {
    const archived = checkKeys(context, attributes, found.archived)
    return archived.kind === 'found' ? found : archived
  }
  if (found.kind !== 'found') return found
  const observed = decodeAll(allEntries(context.resource), found.object)
  const visible = context.resource.identity.keys.filter((key) => observed[key] !== undefined)
  if (hasKeys(context, attributes, found.object, visible)) return found
  const detail = `the answer is about another object than the one with this ${visible.join(', ')}`
  return { kind: 'unknown', reason: 'ambiguous', detail }
}

const findById = async (context: TypeContext, attributes: JsonObject, ids: Ids, deps: ReadDeps): Promise<Lookup> => {
  const scope = objectScope(context, attributes, ids)
  if (retrievesById(context.resource)) {
    return checkIds(ids, await retrieve(context, 'retrieve', scope, deps))
  }
  return listedWithIds(context, attributes, ids, deps)
}

const listedWithIds = async (
  context: TypeContext,
  attributes: JsonObject,
  ids: Readonly<Record<string, string>>,
  deps: ReadDeps,
): Promise<Lookup> => {
  const listed = await list(context, objectScope(context, attributes, ids), deps)
  const found = await itemsAmong(listed, (items) =>
    items.filter((item) => sameIds(listedIds(context, item), inItems(context, ids)) && !isGone(context, item)),
  )
  return found.kind === 'items' ? single(context, attributes, found.items, deps) : found
}

/** The element of the list of `lookup` that an object is, which was found in another way: by its ids, else by its keys. */
export const findListed = (
  context: TypeContext,
  attributes: JsonObject,
  ids: Readonly<Record<string, string>>,
  deps: ReadDeps,
): Promise<Lookup> =>
  Object.keys(ids).length === 0
    ? findInList(context, attributes, objectScope(context, attributes, ids), deps)
    : listedWithIds(context, attributes, ids, deps)
const checkIds = (ids: Ids, found: Lookup): Lookup => {
  if (found.kind !== 'found') return found
  const other = Object.keys(found.ids).find((name) => Object.hasOwn(ids, name) && ids[name] !== found.ids[name])
  if (other === undefined) return { ...found, ids: { ...ids, ...found.ids } }
  return {
    kind: 'unknown',
    reason: 'ambiguous',
    detail: `the answer is about another object than the one with this ${other}`,
  }
}

const findByKeys = (context: TypeContext, attributes: JsonObject, deps: ReadDeps): Promise<Lookup> => {
  const scope = objectScope(context, attributes, {})
  const { lookup } = context.resource
  if (!('retrieve' in lookup)) return findInList(context, attributes, scope, deps)
  return retrieve(context, lookup.retrieve === true ? 'retrieve' : lookup.retrieve, scope, deps)
}

const retrieve = async (context: TypeContext, op: string, scope: Scope, deps: ReadDeps): Promise<Lookup> => {
  const answer = await askForObject(context, op, scope, context.settings.reads.absent, deps)
  if (answer.kind !== 'object') return answer
  const { object, response } = answer
  const ids = { ...idsOf(context, object), ...idsInHeaders(context.resource, response, context.baseUrl) }
  const found: Found = { kind: 'found', ids, object, op, response }
  if (!isGone(context, object)) return found
  return revives(context) ? { kind: 'absent', archived: found } : { kind: 'absent' }
}

const list = (context: TypeContext, scope: Scope, deps: ReadDeps): Promise<Items> => {
  const { lookup, operations } = context.resource
  const listing = 'list' in lookup ? lookup.list : undefined
  const operation = listing && operations[listing.op]
  if (listing === undefined || operation === undefined) {
    return Promise.resolve({ kind: 'unknown', reason: 'unsupported', detail: 'no list operation' })
  }
  return listItems(context, listing, operation, scope, deps, listedIdentity(context))
}

const findInList = async (
  context: TypeContext,
  attributes: JsonObject,
  scope: Scope,
  deps: ReadDeps,
): Promise<Lookup> => {
  // Filters may be ignored by the server, so nothing is believed that was not compared here.
  const text = keyText(context, attributes)
  const found = await itemsAmong(await list(context, scope, deps), (items) => {
    const sameKeys = text === undefined ? [] : (itemsByKey(context, items).get(text) ?? [])
    const meant = sameKeys.filter((item) => isMeant(context.resource, item))
    const observed = meant.filter((item) => !isGone(context, item))
    return observed.length > 0 || !revives(context) ? observed : meant
  })
  return found.kind === 'items' ? single(context, attributes, found.items, deps) : found
}

/** A list that many objects are looked for in is sorted out once. */
const sorted = new WeakMap<readonly JsonObject[], Map<RestResource, ReadonlyMap<string | undefined, JsonObject[]>>>()

const itemsByKey = (
  context: TypeContext,
  items: readonly JsonObject[],
): ReadonlyMap<string | undefined, JsonObject[]> => {
  const byType = sorted.get(items) ?? new Map<RestResource, ReadonlyMap<string | undefined, JsonObject[]>>()
  sorted.set(items, byType)
  const entries = listedEntries(context)
  const known =
    byType.get(context.resource) ?? Map.groupBy(items, (item) => keyText(context, decodeAll(entries, item), entries))
  byType.set(context.resource, known)
  return known
}

/** Server ids as the items of the list hold them. */
const listedIds = (context: TypeContext, item: JsonObject): Readonly<Record<string, string>> => {
  const { lookup } = context.resource
  return idsAt(('ids' in lookup ? lookup.ids : undefined) ?? shownIds(context.resource), item)
}

/** Equal for objects with the same keys; `undefined` where a key equals nothing. */
const keyText = (
  context: TypeContext,
  attributes: JsonObject,
  entries: Entries = allEntries(context.resource),
): string | undefined => {
  const texts = matched(context).map((key) => {
    const entry = entries[key]
    return entry && comparisonText(entry, attributes[key])
  })
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

const single = async (
  context: TypeContext,
  attributes: JsonObject,
  items: readonly JsonObject[],
  deps: ReadDeps,
): Promise<Lookup> => {
  const [item] = items
  if (item === undefined) return { kind: 'absent' }
  if (items.length > 1) {
    const keys = context.resource.identity.keys.join(', ')
    return { kind: 'unknown', reason: 'ambiguous', detail: `${items.length} objects have the same ${keys}` }
  }
  const { lookup } = context.resource
  if (!('list' in lookup)) return { kind: 'absent' }
  const ids = listedIds(context, item)
  if (lookup.follow === undefined) {
    const found: Found = { kind: 'found', ids, object: item, op: lookup.list.op }
    return isGone(context, item) ? { kind: 'absent', archived: found } : found
  }
  const missing = Object.keys(lookup.ids ?? context.resource.serverId ?? {}).find((name) => ids[name] === undefined)
  if (missing !== undefined) {
    return { kind: 'unknown', reason: 'busy', detail: `it is listed, and has no ${missing} yet` }
  }
  const followed = await retrieve(context, lookup.follow, objectScope(context, attributes, ids), deps)
  if (followed.kind === 'found') return { ...followed, ids: { ...ids, ...followed.ids } }
  if (followed.kind === 'unknown' || followed.archived === undefined) return followed
  return { kind: 'absent', archived: { ...followed.archived, ids: { ...ids, ...followed.archived.ids } } }
}

const revives = ({ resource }: TypeContext): boolean => resource.lifecycle?.revive !== undefined

const matched = ({ resource }: TypeContext): readonly string[] =>
  'match' in resource.lookup ? resource.lookup.match : []

const hasKeys = (
  context: TypeContext,
  attributes: JsonObject,
  item: JsonObject,
  keys: readonly string[] = matched(context),
): boolean => {
  const entries = allEntries(context.resource)
  const observed = decodeAll(entries, item)
  return keys.every((key) => {
    const entry = entries[key]
    return entry !== undefined && sameValue(entry, attributes[key], observed[key])
  })
}

export const idsOf = (context: TypeContext, object: JsonObject): Ids => idsAt(shownIds(context.resource), object)

/** What only a header tells stands in no item. */
const inItems = ({ resource }: TypeContext, ids: Ids): Ids => {
  const told = 'ids' in resource.lookup && resource.lookup.ids !== undefined ? [] : toldIds(resource)
  return Object.fromEntries(Object.entries(ids).filter(([name]) => !told.includes(name)))
}

const sameIds = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean =>
  canonicalJson(left) === canonicalJson({ ...left, ...right })
