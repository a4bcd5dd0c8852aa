import { memberOf, toPointer } from '../../../../engine/json/pointer.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type Path,
} from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { type Entries, elementTexts, entriesOf, isSent, placeIn, sameValue } from '../../document/attributes.ts'
import { type RestResource, readOp } from '../../document/document.ts'
import type { ResourcePart } from '../../document/part.ts'
import { pathOf } from '../../document/shared/template.ts'

/*
 * Values that no read shows, at any depth. What is written whole would lose them: those that are configured go along, and all others
 * are told.
 */

/** No read shows it, and an update can have it. */
export const isSentUnseen = (entry: AttributeEntry): boolean =>
  entry.writeOnly === true && entry.immutable !== true && isSent(entry, 'update')

type StepsOf = (entry: AttributeEntry, name: string) => Path

/** Their places inside of a value; `*` is every element or member. */
const placesIn = ({ attributes = {}, element }: AttributeEntry, stepsOf: StepsOf): readonly Path[] => [
  ...(element === undefined ? [] : placesIn(element, stepsOf).map((place) => ['*', ...place])),
  ...placesOfAll(attributes, stepsOf),
]

const placesOfAll = (entries: Entries, stepsOf: StepsOf): readonly Path[] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    (entry.writeOnly === true ? [[]] : placesIn(entry, stepsOf)).map((place) => [...stepsOf(entry, name), ...place]),
  )

/** Where an answer may show something in the place of a value that nobody can read: that is never sent back. */
const masksOf = (entries: Entries): readonly string[] =>
  placesOfAll(entries, (entry, name) => pathOf(entry.path ?? name)).map((place) => toPointer(place))

/** The same in an object that several parts show. */
export const masksIn = ({ parts }: Pick<RestResource, 'parts'>, part: ResourcePart): readonly string[] =>
  parts.filter((other) => readOp(other) === readOp(part)).flatMap((other) => masksOf(entriesOf(other)))

/** The same places in an element of a body. */
export const unseenInBody = (element: AttributeEntry): readonly string[] =>
  placesIn(element, placeIn).map((place) => toPointer(place))

export const holdsUnseen = (entry: AttributeEntry): boolean => placesIn(entry, placeIn).length > 0

/** A value without them. */
export const withoutUnseen = (entry: AttributeEntry, value: Json): Json =>
  withoutPlaces(
    value,
    placesIn(entry, (_, name) => [name]).map((place) => toPointer(place)),
  )

/** A value with those that are configured for it: in elements of the same key, or of the same members. */
export const withUnseen = (entry: AttributeEntry, value: Json, configured: Json | undefined): Json => {
  const { attributes, element } = entry
  if (configured === undefined || isMark(value) || isMark(configured) || !holdsUnseen(entry)) return value
  if (isArray(value) && isArray(configured) && element !== undefined) {
    const partners = partnersOf(entry, value, configured)
    return value.map((each, index) => withUnseen(element, each, partners[index]))
  }
  if (!isObject(value) || !isObject(configured)) return value
  const inside = mapMembers(value, (inner, name) => {
    const facts = attributes === undefined ? element : attributes[name]
    return facts === undefined ? inner : withUnseen(facts, inner, memberOf(configured, name))
  })
  const own = mapMembers(attributes ?? {}, (facts, name) =>
    isSentUnseen(facts) && !Object.hasOwn(value, name) ? (memberOf(configured, name) ?? undefined) : undefined,
  )
  return { ...inside, ...own }
}

/** The same for all attributes. */
export const allWithUnseen = (entries: Entries, values: JsonObject, configured: JsonObject = {}): JsonObject =>
  mapMembers(values, (value, name) =>
    entries[name] === undefined ? value : withUnseen(entries[name], value, configured[name]),
  )

/** For each element the other one that it is: with its key, or else with nothing that differs. */
const partnersOf = (list: AttributeEntry, values: JsonList, others: JsonList): readonly (Json | undefined)[] => {
  const free = new Set(others.keys())
  return values.map((value, index) => {
    const isIt = (at: number): boolean => free.has(at) && isPartner(list, value, others[at] ?? null)
    const at = isIt(index) ? index : [...free].find(isIt)
    if (at === undefined) return undefined
    free.delete(at)
    return others[at]
  })
}

const isPartner = ({ key, element = { type: 'any' } }: AttributeEntry, value: Json, other: Json): boolean => {
  const { attributes } = element
  const [own, asked] = [value, other].map((each) => withoutUnseen(element, each))
  if (attributes === undefined || !isObject(own) || !isObject(asked)) return sameValue(element, own, asked)
  if (key !== undefined) return elementTexts(attributes, key, own).key === elementTexts(attributes, key, asked).key
  return Object.entries(attributes).every(
    ([name, entry]) => entry.computed || asked[name] === undefined || sameValue(entry, own[name], asked[name]),
  )
}

/** Whether one of them is another one in what stays: nobody knows the former one. */
export const changesUnseen = (entry: AttributeEntry, before: Json | undefined, after: Json | undefined): boolean => {
  if (before === undefined || after === undefined || isMark(before) || isMark(after)) return false
  const { attributes, element } = entry
  if (isArray(before) && isArray(after) && element !== undefined) {
    const partners = partnersOf(entry, after, before)
    return after.some((each, index) => changesUnseen(element, partners[index], each))
  }
  if (!isObject(before) || !isObject(after)) return false
  return Object.entries(after).some(([name, inner]) => {
    const facts = attributes === undefined ? element : attributes[name]
    return facts?.writeOnly === true || (facts !== undefined && changesUnseen(facts, memberOf(before, name), inner))
  })
}
