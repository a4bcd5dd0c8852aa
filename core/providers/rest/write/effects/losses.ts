import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { setAt, toPointer } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../../../engine/schema/json.ts'
import { isLiteral, isMark, type LiveMark } from '../../../../engine/schema/value.ts'
import { findElement } from '../../../../engine/transport/secrets/find-elements.ts'
import { inside, liveAt, withoutInner } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import type { Entries } from '../../document/attributes.ts'
import { elementValue, listEntry } from '../../document/elements.ts'
import type { Collection } from '../../document/part.ts'
import { pathOf } from '../../document/shared/template.ts'
import { encodeAll } from '../../request/encode.ts'
import { outersOf } from '../values/in-form.ts'
import { isSentAsRead, type PartAsRead, ruleOf } from '../values/laid-in.ts'
import { asShown, type ElementChange, placeOfList } from './element-changes.ts'

/** An object as it was read, and as a write and its inverse leave it. */
interface ReadAndRestored {
  readonly read: Json
  readonly restored: Json
  /** `false` of what the server makes anew: it fills in null and what is empty by itself. Else these are not the same as a missing member. */
  readonly hasNulls?: boolean
}

/**
 * Places that the document does not name and whose values are in the object that was read, and not in the one that a write and
 * its inverse leave; `*` is any element or member.
 */
export const lossesOf = (entries: Entries, { read, restored, hasNulls = true }: ReadAndRestored): readonly string[] => {
  const places = placesOf(entries)
  const outer = Object.entries(entries).map(([name, entry]) => pathOf(entry.path ?? name))
  const left = Map.groupBy(leavesOf(withTextsOpen(entries, restored), [], hasNulls), (leaf) => leaf.text)
  const isLost = ({ place, text }: LostLeaf): boolean => {
    const isInside = outer.some((path) => path.length <= place.length && isAt(path, place))
    const isItself = outer.some((path) => path.length === place.length && isAt(path, place))
    return isInside && !isItself && !places.some((named) => covers(named, place)) && left.get(text)?.pop() === undefined
  }
  return leavesWhere(withTextsOpen(entries, read), isLost, hasNulls)
}

/** Places in these containers that the document does not name: who removes the containers loses them. */
export const lossesOfPart = (entries: Entries, read: Json, containers: readonly Path[]): readonly string[] => {
  const places = placesOf(entries)
  return leavesWhere(
    read,
    ({ place }) =>
      containers.some((path) => path.length < place.length && isAt(path, place)) &&
      !places.some((named) => covers(named, place)),
  )
}

/**
 * Attributes that an undo does not leave as they were read, whatever of them it is: an element without a key may come back with
 * what another one had.
 */
export const unrestored = (entries: Entries, { read, restored }: ReadAndRestored): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const place = pathOf(entry.path ?? name)
    const [was, is] = [read, restored].map((object) => {
      const value = liveAt(object, place)
      return value === undefined ? '' : canonicalJson(restorable(entry, value))
    })
    // A form may be for bodies alone: answers then have another kind of value, and nobody knows which one.
    const isText =
      ['comma', 'text'].includes(entry.as ?? '') &&
      typeof liveAt(read, place) === 'string' &&
      typeof liveAt(restored, place) === 'string'
    const isComparable = isText || isSentAsRead(entry)
    const isOther = (around: Path): boolean => (liveAt(read, around) === null) !== (liveAt(restored, around) === null)
    const around = entry.computed === true ? undefined : outersOf(place).find(isOther)
    if (around !== undefined) return [toPointer(around)]
    return entry.computed === true || !isComparable || was === is ? [] : [toPointer(place)]
  })

/** Without what the server makes by itself, and without the order of sets. */
const restorable = (entry: AttributeEntry | undefined, value: Json): Json => {
  const own = isLiteral(value) ? value.$literal : value
  if (isArray(own)) {
    const elements = own.map((each) => restorable(entry?.element, each))
    return entry?.type === 'set' || entry?.pairs !== undefined
      ? elements.toSorted((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1))
      : elements
  }
  if (!isObject(own) || isMark(own)) return own
  const known = new Map(Object.entries(entry?.attributes ?? {}).map(([name, inner]) => [inner.path ?? name, inner]))
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, inner]): [string, Json][] => {
      const facts = known.get(name) ?? entry?.element
      return facts?.computed === true ? [] : [[name, restorable(facts, inner)]]
    }),
  )
}

/**
 * What a body that replaces an object does not have of it: values at places that nothing named here covers, and that are
 * nowhere in the body under their own name.
 */
export const lossesOfBody = (named: readonly NamedPlace[], read: Json, body: Json): readonly string[] => {
  const endOf = (place: Path, value: Json): string => canonicalJson([place.at(-1) ?? '', value])
  const sent = new Set(leavesOf(body, [], true).map(({ place, value }) => endOf(place, value)))
  // That an object is not there, or has nothing, is a value of the attributes in it.
  const isAround = ({ place, value }: LostLeaf): boolean =>
    typeof value === 'object' && named.some(({ place: inner }) => isAt(inner.slice(0, place.length), place))
  return leavesWhere(
    read,
    (leaf) =>
      !named.some((each) => covers(each, leaf.place)) && !isAround(leaf) && !sent.has(endOf(leaf.place, leaf.value)),
    true,
  )
}

/** The places of all values; null and what is empty are none. */
export const valuesOf = (read: Json): readonly string[] => leavesWhere(read, () => true)

/** Where answers show what these attributes name. */
export const placesOf = (entries: Entries): readonly NamedPlace[] =>
  Object.entries(entries).flatMap(([name, entry]) => namedIn(entry, pathOf(entry.path ?? name)))

/** The same of elements that are removed: an inverse has only what the document names of them. */
export const lossesOfRemoved = (
  read: PartAsRead,
  collection: Collection,
  changes: readonly ElementChange[],
): readonly string[] => {
  const removed = changes.flatMap((change) =>
    change.after === undefined ? (elementAsRead(read, collection, change) ?? []) : [],
  )
  return lossesOf(
    { [collection.field]: { ...listEntry(collection), path: collection.path ?? collection.field } },
    { read: setAt({}, placeOfList(collection), removed), restored: {}, hasNulls: false },
  )
}

/** The requests before this one move elements: in what was read, the element still has its former place. */
export const asItWasRead = (mark: LiveMark, place: ElementChange['place']): LiveMark =>
  mark.element === undefined || place === undefined ? mark : { ...mark, element: { ...mark.element, nth: place.read } }

/** An element as the list shows it, without what the document drops: the server makes it anew. */
export const elementAsRead = (
  { object, drop = [] }: PartAsRead,
  collection: Collection,
  { before, place: stands }: ElementChange,
): Json | undefined => {
  if (before === undefined) return undefined
  const list = placeOfList(collection)
  const shown = asShown(collection)
  const there = findElement(
    object && liveAt(object, list),
    elementValue(shown, encodeAll(shown.element, before, 'update')),
    ruleOf(listEntry(shown)),
    { nth: stands?.read },
  )
  return there && withoutInner(there, inside(drop, [...list, '*']))
}

/** A place of the document; `isOpen`: all that is below it is a part of the value. */
export interface NamedPlace {
  readonly place: Path
  readonly isOpen: boolean
}

const namedIn = (entry: AttributeEntry, place: Path): readonly NamedPlace[] => {
  const { attributes, element, pairs } = entry
  if (entry.as === 'comma') return [{ place, isOpen: true }]
  if (attributes !== undefined)
    return Object.entries(attributes).flatMap(([name, inner]) =>
      namedIn(inner, [...place, ...pathOf(inner.path ?? name)]),
    )
  if (pairs !== undefined) {
    const own: readonly Path[] = [[pairs.key], [pairs.value]]
    return [
      { place: [...place, '*'], isOpen: false },
      ...own.map((each) => ({ place: [...place, '*', ...each], isOpen: true })),
    ]
  }
  // A request has the id of an object for the object, which stays what it is.
  if (element !== undefined && element.sendOnly === undefined) return namedIn(element, [...place, '*'])
  return [{ place, isOpen: true }]
}

/** An object with the JSON of its texts in the place of them, where the document says that they have JSON. */
const withTextsOpen = (entries: Entries, object: Json): Json =>
  Object.entries(entries).reduce<Json>((whole, [name, entry]) => {
    const place = pathOf(entry.path ?? name)
    const value = liveAt(whole, place)
    const opened = value === undefined ? undefined : opensText(entry, value)
    return opened === undefined || opened === value ? whole : setAt(whole, place, opened)
  }, object)

const opensText = (entry: AttributeEntry, value: Json): Json => {
  const { as: form, attributes, element } = entry
  const own = form === 'json' && typeof value === 'string' ? jsonIn(value) : value
  if (isMark(own)) return own
  if (attributes !== undefined && isObject(own)) return withTextsOpen(attributes, own)
  if (element === undefined) return own
  if (isArray(own)) return own.map((each) => opensText(element, each))
  return isObject(own) ? mapMembers(own, (each) => opensText(element, each)) : own
}

/** The text itself if it is no list and no object. */
const jsonIn = (text: string): Json => {
  try {
    const value = JSON.parse(text) as Json
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

const isAt = (pattern: Path, place: Path): boolean =>
  pattern.every((step, index) => step === '*' || place[index] === '*' || String(step) === String(place[index]))

const covers = ({ place: named, isOpen }: NamedPlace, place: Path): boolean =>
  (isOpen ? named.length <= place.length : named.length === place.length) && isAt(named, place)

/** The places of the values that are lost, once each and in order. */
const leavesWhere = (read: Json, isLost: (leaf: LostLeaf) => boolean, hasNulls = false): readonly string[] => {
  const lost = leavesOf(read, [], hasNulls).filter(isLost)
  return [...new Set(lost.map(({ place }) => toPointer(place)))].toSorted()
}

interface LostLeaf {
  readonly place: Path
  readonly value: Json
  /** Equal for equal values at places of one pattern. */
  readonly text: string
}

const leavesOf = (value: Json, place: Path, hasNulls = false): readonly LostLeaf[] => {
  const own = isLiteral(value) ? value.$literal : value
  if (isArray(own) && own.length > 0) return own.flatMap((each) => leavesOf(each, [...place, '*'], hasNulls))
  if (isObject(own) && !isMark(own) && Object.keys(own).length > 0)
    return Object.entries(own).flatMap(([name, inner]) => leavesOf(inner, [...place, name], hasNulls))
  const isNothing = own === null || (typeof own === 'object' && !isMark(own))
  return isNothing && !hasNulls ? [] : [{ place, value: own, text: canonicalJson([place, own]) }]
}
