import { canonicalJson } from '../../../engine/json/digest.ts'
import { setAt, toPointer } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isLiteral, isMark } from '../../../engine/schema/value.ts'
import { findElement } from '../../../engine/transport/secrets/find-elements.ts'
import { liveAt } from '../../../engine/transport/secrets/live-object.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import type { Entries } from '../document/attributes.ts'
import { elementValue, listEntry } from '../document/elements.ts'
import type { Collection } from '../document/part.ts'
import { pathOf } from '../document/template.ts'
import { encodeAll } from '../request/encode.ts'
import { type ElementChange, placeOfList } from './element-changes.ts'
import { isSentAsRead, type PartAsRead, ruleOf } from './laid-in.ts'

/**
 * Places that the document does not name and whose values are in the object that was read, and not in the one that a write and
 * its inverse leave; `*` is any element or member.
 */
export const lossesOf = (entries: Entries, read: Json, restored: Json): readonly string[] => {
  const places = Object.entries(entries).flatMap(([name, entry]) => namedIn(entry, pathOf(entry.path ?? name)))
  const outer = Object.entries(entries).map(([name, entry]) => pathOf(entry.path ?? name))
  const left = Map.groupBy(leavesOf(restored, []), (leaf) => leaf.text)
  const lost = leavesOf(read, []).filter(({ place, text }) => {
    const isInside = outer.some((path) => path.length <= place.length && isAt(path, place))
    return isInside && !places.some((named) => covers(named, place)) && left.get(text)?.pop() === undefined
  })
  return [...new Set(lost.map(({ place }) => toPointer(place)))].toSorted()
}

/** Places in these containers that the document does not name: who removes the containers loses them. */
export const lossesOfPart = (entries: Entries, read: Json, containers: readonly Path[]): readonly string[] => {
  const places = Object.entries(entries).flatMap(([name, entry]) => namedIn(entry, pathOf(entry.path ?? name)))
  const lost = leavesOf(read, []).filter(
    ({ place }) =>
      containers.some((path) => path.length < place.length && isAt(path, place)) &&
      !places.some((named) => covers(named, place)),
  )
  return [...new Set(lost.map(({ place }) => toPointer(place)))].toSorted()
}

/**
 * Attributes that an undo does not leave as they were read, whatever of them it is: an element without a key may come back with
 * what another one had.
 */
export const unrestored = (entries: Entries, read: Json, restored: Json): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const place = pathOf(entry.path ?? name)
    const [was, is] = [read, restored].map((object) =>
      canonicalJson(restorable(entry, liveAt(object as JsonObject, place) ?? null)),
    )
    return entry.computed === true || !isSentAsRead(entry) || was === is ? [] : [toPointer(place)]
  })

/** Without what the server makes by itself, and without the order of sets; a null is nothing. */
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
      return inner === null || facts?.computed === true ? [] : [[name, restorable(facts, inner)]]
    }),
  )
}

/** The same of elements that are removed: an inverse has only what the document names of them. */
export const lossesOfRemoved = (
  { object }: PartAsRead,
  collection: Collection,
  changes: readonly ElementChange[],
): readonly string[] => {
  const place = placeOfList(collection)
  const list = object && liveAt(object, place)
  const rule = ruleOf(listEntry(collection))
  const removed = changes.flatMap(({ before, after }) => {
    if (before === undefined || after !== undefined) return []
    return findElement(list, elementValue(collection, encodeAll(collection.element, before, 'update')), rule) ?? []
  })
  return lossesOf(
    { [collection.field]: { ...listEntry(collection), path: collection.path ?? collection.field } },
    setAt({}, place, removed),
    {},
  )
}

/** A place of the document; `isOpen`: all that is below it is a part of the value. */
interface NamedPlace {
  readonly place: Path
  readonly isOpen: boolean
}

const namedIn = (entry: AttributeEntry, place: Path): readonly NamedPlace[] => {
  const { attributes, element } = entry
  if (attributes !== undefined)
    return Object.entries(attributes).flatMap(([name, inner]) =>
      namedIn(inner, [...place, ...pathOf(inner.path ?? name)]),
    )
  if (element !== undefined && entry.pairs === undefined && entry.as === undefined)
    return namedIn(element, [...place, '*'])
  return [{ place, isOpen: true }]
}

const isAt = (pattern: Path, place: Path): boolean =>
  pattern.every((step, index) => step === '*' || place[index] === '*' || String(step) === String(place[index]))

const covers = ({ place: named, isOpen }: NamedPlace, place: Path): boolean =>
  (isOpen ? named.length <= place.length : named.length === place.length) && isAt(named, place)

interface Leaf {
  readonly place: Path
  /** Equal for equal values at places of one pattern. */
  readonly text: string
}

const leavesOf = (value: Json, place: Path): readonly Leaf[] => {
  const own = isLiteral(value) ? value.$literal : value
  if (isArray(own)) return own.flatMap((each) => leavesOf(each, [...place, '*']))
  if (isObject(own)) return Object.entries(own).flatMap(([name, inner]) => leavesOf(inner, [...place, name]))
  return own === null ? [] : [{ place, text: canonicalJson([place, own]) }]
}
