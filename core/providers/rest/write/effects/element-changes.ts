import { memberOf, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { ElementAddress, Footprint } from '../../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { isLive, isMark } from '../../../../engine/schema/value.ts'
import { liveAt, withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import { spellName } from '../../../../engine/values/spell-value.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import {
  type BodyKind,
  type Entries,
  elementTexts,
  sameValue,
  sendsAsRead,
  sentWhereRead,
} from '../../document/attributes.ts'
import { placeShown, sentElsewhere } from '../../document/body-values.ts'
import { asElement, elementValue, keyOfElements, listEntry } from '../../document/elements.ts'
import type { Collection, EachElement } from '../../document/part.ts'
import { pathOf, type Scope } from '../../document/shared/template.ts'
import { unwritable } from '../../document/shared/words.ts'
import { cannotWrite, encodeAll, encodeValue } from '../../request/encode.ts'
import { asItWas, inForm } from '../values/in-form.ts'
import { laidInElement, type PartAsRead } from '../values/laid-in.ts'
import { changesUnseen, withUnseen } from '../values/unseen-values.ts'

/** One element that is added, changed or removed. */
export interface ElementChange {
  readonly key: string
  readonly before?: JsonObject
  readonly after?: JsonObject
  /** Where it is, of several with its key that only their places distinguish: when it was read, and when it is written. */
  readonly place?: { readonly read: number; readonly now: number }
}

/** One call for one element. `position`: where it is then, `to`: its new position, as the API counts. */
export interface ElementStep {
  readonly call: keyof EachElement
  readonly change: ElementChange
  readonly position?: number
  readonly to?: number
  /** What must hold of the list right before. */
  readonly about?: ElementAddress
}

/** A collection as it is, and as desired. */
export interface CollectionChange {
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Equal keys: one element; equal in whole: nothing to write. */
export interface KeyedElement {
  readonly key: string
  readonly whole: string
  readonly element: JsonObject
}

export const keyedElements = (collection: Collection, elements: Json | undefined): readonly KeyedElement[] => {
  const key = keyOfElements(collection)
  return elementsIn(collection, elements).map((element) => {
    const texts = elementTexts(collection.element, key ?? [], element)
    return { key: key === undefined ? texts.whole : texts.key, whole: texts.whole, element }
  })
}

/** The elements of a list as objects. */
export const elementsIn = (collection: Collection, elements: Json | undefined): readonly JsonObject[] =>
  (isArray(elements) ? elements : []).flatMap((element) => asElement(collection, element))

/** Elements that differ, in the order of their keys; removed ones come first, because others may need their place. */
export const elementChanges = (
  collection: Collection,
  { before, after }: CollectionChange,
): readonly ElementChange[] => {
  const [old, next] = [keyedElements(collection, before), keyedElements(collection, after)]
  const pairs = pairByKey(old, next)
  const stays = new Set(pairs.values())
  const gone = old.filter((each) => !stays.has(each)).map(({ key, element }) => ({ key, before: element }))
  const written = next.flatMap((each): ElementChange[] => {
    const was = pairs.get(each)
    if (was?.whole === each.whole) return []
    return [{ key: each.key, after: each.element, ...defined({ before: was?.element }) }]
  })
  return [...byKey(gone), ...byKey(written)]
}

/** The same for requests that name an element by its key. Throws if that is the key of several: another one could be hit. */
export const changesByKey = (collection: Collection, change: CollectionChange): readonly ElementChange[] => {
  const changes = elementChanges(collection, change)
  const isRepeated = [change.before, change.after].map((side) => repeatedIn(keyedElements(collection, side)))
  const other = changes.find(({ key }) => isRepeated.some((isOf) => isOf(key)))
  if (other === undefined) return changes
  throw cannotWrite(collection.field, unwritable.namesakes(elementLabel(collection, other)))
}

/** Which keys several elements have. */
export const repeatedIn = (list: readonly KeyedElement[]): ((key: string) => boolean) => {
  const byKey = Map.groupBy(list, ({ key }) => key)
  return (key) => (byKey.get(key)?.length ?? 0) > 1
}

/** Which former element each one is: of several with one key the equal one, then each in its turn. */
export const pairByKey = (
  before: readonly KeyedElement[],
  after: readonly KeyedElement[],
): ReadonlyMap<KeyedElement, KeyedElement> => {
  const free = Map.groupBy(before, ({ key }) => key)
  const pairs = new Map<KeyedElement, KeyedElement>()
  const pair = (fits: (one: KeyedElement, other: KeyedElement) => boolean): void => {
    for (const each of after) {
      const left = pairs.has(each) ? undefined : free.get(each.key)
      const at = left?.findIndex((old) => fits(old, each)) ?? -1
      const [old] = at < 0 ? [] : (left?.splice(at, 1) ?? [])
      if (old !== undefined) pairs.set(each, old)
    }
  }
  pair((old, each) => old.whole === each.whole)
  pair(() => true)
  return pairs
}

const byKey = (changes: readonly ElementChange[]): readonly ElementChange[] =>
  changes.toSorted((left, right) => Number(left.key > right.key) - Number(left.key < right.key))

export const reversed = ({ key, before, after, place }: ElementChange): ElementChange => ({
  key,
  ...defined({ before: after, after: before, place }),
})

/** Removed elements come first, also in an inverse. */
export const goneFirst = (changes: readonly ElementChange[]): readonly ElementChange[] => [
  ...changes.filter((change) => change.after === undefined),
  ...changes.filter((change) => change.after !== undefined),
]

const changedMembers = (entries: Entries, before: JsonObject | undefined, after: JsonObject): JsonObject =>
  mapMembers(pick(after, Object.keys(entries)), (value, member) => {
    const entry = entries[member]
    return before !== undefined && entry && sameValue(entry, before[member], value) ? undefined : value
  })

/**
 * `{el}`, `{key}` and `{changed}` as they are sent. A member that is never sent, such as an id of the server, can still be
 * used by its name: `{el.id}`.
 */
export const elementScope = (
  collection: Collection,
  change: ElementChange,
  outer: Scope,
  kind: BodyKind,
  read?: PartAsRead,
  former = read?.former,
): Scope => {
  const { element: entries } = collection
  const key = keyOfElements(collection) ?? []
  const after =
    read && change.after && withItsUnseen(collection, change.after, read.configured?.[collection.field], read)
  const element = after ?? change.after ?? change.before ?? {}
  const was = spelledAsItWas(collection, element, former)
  const encode = (entry: AttributeEntry, value: Json, name: string): Json => {
    const own = was && valueAt(was, pathOf(entry.path ?? name))
    return own === undefined || isContainer(own) ? encodeValue(entry, value, kind) : own
  }
  const el = encodeAll(entries, element, kind, encode)
  const values: JsonObject = {
    el,
    key: encodeAll(entries, pick(element, key), 'update'),
    changed: encodeAll(
      entries,
      pick(element, Object.keys(changedMembers(entries, change.before, change.after ?? element))),
      kind,
      encode,
    ),
  }
  const whole = (from: PartAsRead): Json | undefined =>
    wholeElement(collection, { ...change, ...defined({ after: after ?? change.after }) }, from)
  const around = (from: PartAsRead, place: Path): Json | undefined => {
    const shown = placeShown(entries, place)
    const all = shown && whole(from)
    return all && placeOf(all, shown, sentElsewhere(entries, place))
  }
  const filled = (value: JsonObject, from: PartAsRead): JsonObject =>
    mapMembers(value, (member, name) => (isContainer(member) ? (around(from, [name]) ?? member) : member))
  return (path, isWhole) => {
    const [first = '', ...rest] = path
    if (collection.plain && rest.length === 0 && Object.hasOwn(values, first))
      return elementValue(collection, values[first] as JsonObject)
    if (first === 'el' && rest.length === 0 && read !== undefined)
      return (sendsAsRead(entries) ? whole(read) : undefined) ?? filled(el, read)
    if (!Object.hasOwn(values, first)) return outer(path, isWhole)
    const place = placeInBody(entries, values[first], rest)
    const value = valueAt(values[first], place)
    if (first === 'key' || read === undefined) return value ?? (first === 'el' ? valueAt(element, rest) : undefined)
    if (rest.length > 0 && isContainer(value)) return around(read, place) ?? value
    if (rest.length === 0 && isObject(value)) return filled(value, read)
    return value ?? (first === 'el' ? valueAt(element, rest) : undefined)
  }
}

const isContainer = (value: Json | undefined): boolean => isArray(value) || (isObject(value) && !isMark(value))

/** Where a body has what a template names: by its place there, or by the name of the attribute. */
const placeInBody = (entries: Entries, value: Json | undefined, steps: Path): Path => {
  const [name = '', ...deeper] = steps.map(String)
  const send = memberOf(value, name) === undefined ? entries[name]?.send : undefined
  return send === undefined ? steps : [...pathOf(send), ...deeper]
}

/** What an element has at a place, with all that was read of it there: a container is sent whole, but for what is sent `elsewhere`. */
const placeOf = (whole: Json, place: Path, elsewhere: readonly Path[]): Json | undefined => {
  const others = elsewhere.map((each) => toPointer(each))
  const own = (value: Json): Json => withoutPlaces(value, others)
  if (!isLive(whole)) return valueAt(own(whole), place)
  return {
    ...whole,
    at: toPointer(place),
    without: [...whole.without, ...others],
    with: mapMembers(whole.with, own),
    ...defined({ from: whole.from && mapMembers(whole.from, own) }),
  }
}

/** An element that stays, with all that was read of it, as answers show it. */
const wholeElement = (
  collection: Collection,
  { before, after, place: stands }: ElementChange,
  read: PartAsRead,
): Json | undefined => {
  if (before === undefined || after === undefined) return undefined
  const [list, place] = [listEntry(asShown(collection)), placeOfList(collection)]
  const { from, to } = inForm(list, read.object && liveAt(read.object, place), [before], [after])
  const [old, sent] = [from, to].map((side) => (isArray(side) ? side[0] : undefined))
  const next = spelledAsItWas(collection, after, read.former) ?? sent
  if (old === undefined || next === undefined) return undefined
  return laidInElement(read, { list, place, ...defined({ stands }) }, { from: old, to: next })
}

/** A collection whose elements have their members where answers show them. */
export const asShown = (collection: Collection): Collection => ({
  ...collection,
  element: sentWhereRead(collection.element),
})

/** An element that comes back, as answers show it and spelled as it was read. */
const spelledAsItWas = (
  collection: Collection,
  element: JsonObject,
  former: JsonObject | undefined,
): Json | undefined => {
  const was = asItWas(listEntry(asShown(collection)), liveAt(former, placeOfList(collection)), [
    elementValue(collection, element),
  ])
  return isArray(was) ? was[0] : undefined
}

/** An element with what no read shows of it, as it is configured: what the server keeps of it by itself is not sent. */
const withItsUnseen = (
  collection: Collection,
  element: JsonObject,
  configured: Json | undefined,
  { keepsMembers }: Pick<PartAsRead, 'keepsMembers'>,
): JsonObject => {
  const [whole = element] = withUnseen(listEntry(collection), [element], configured) as readonly JsonObject[]
  return keepsMembers === true ? pick(whole, Object.keys(element)) : whole
}

/** Where the list is in an answer. */
export const placeOfList = ({ path, field }: Collection): Path => pathOf(path ?? field)

/** Whether a change sets what no read shows of an element that is there: nothing brings the former value back. */
export const isUnknownBack = (collection: Collection, { before, after }: ElementChange): boolean =>
  changesUnseen({ type: 'object', attributes: collection.element }, before, after)

/** The footprint of a request for some elements. */
export const doneTo = (collection: Collection, changes: readonly ElementChange[]): Pick<Footprint, 'elements'> => {
  const { key, plain } = collection
  const keyOf = (element: JsonObject): Json =>
    key === undefined || plain ? elementValue(collection, element) : pick(element, key)
  const written = changes.flatMap(({ after }) => (after === undefined ? [] : [keyOf(after)]))
  const removed = changes.flatMap(({ before, after }) =>
    before === undefined || after !== undefined ? [] : [keyOf(before)],
  )
  return { elements: [{ of: collection.field, written, removed }] }
}

/** The element for people: its key, or its position if it has none. */
export const elementLabel = (collection: Collection, { before, after }: ElementChange): string =>
  (keyOfElements(collection) ?? []).map((member) => spellName((after ?? before)?.[member] ?? '')).join(' ')
