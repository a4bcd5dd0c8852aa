import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { exactNumber } from '../../../../engine/json/parse-exact.ts'
import { mapValue, memberOf, setAt, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type Path,
} from '../../../../engine/schema/json.ts'
import { isLiteral, isMark, isNumberMark, isSealed } from '../../../../engine/schema/value.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { numberOrText } from '../../../../engine/values/marks/marks.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { comparisonText, type Entries, elementTexts, entriesIn, sameValue } from '../../document/attributes.ts'
import { pathOf } from '../../document/shared/template.ts'
import { decodeAll, isMissing } from '../../request/decode.ts'
import { encodeAll, encodeValue } from '../../request/encode.ts'
import { withoutUnseen } from './unseen-values.ts'

/** A change in the form of a body. */
interface Sides {
  readonly from: Json | undefined
  readonly to: Json
}

/**
 * Both sides of a change in the form of a body, spelled as they were read where that means the same: a name keeps its case if
 * the case does not matter, so that it is found, and is not changed.
 */
export const inForm = (entry: AttributeEntry, read: Json | undefined, before: Json | undefined, after: Json): Sides => {
  const there = isLiteral(read) ? read.$literal : read
  const isTyped = entriesIn(entry).every(({ type }) => type !== 'any')
  const plain: Sides = {
    from: before === undefined ? undefined : respelled(there, encodeValue(entry, before, 'update'), isTyped),
    to: respelled(there, encodeValue(entry, after, 'update'), isTyped),
  }
  // Which word means that there is none is the choice of the server.
  if (there !== undefined && before === null && after === null && isMissing(entry, there))
    return { from: there, to: there }
  const isSecret = entry.sensitive === true || entry.writeOnly === true
  if (there === undefined || before === undefined || isSecret || isMark(before) || isMark(after)) return plain
  // A form may be for bodies alone: answers then have another kind of value.
  const isBodyForm = entry.as !== undefined && typeof there !== typeof plain.to
  if (!isBodyForm && isUntouched(entry, there, before, after)) return { from: there, to: there }
  if (there === null || entry.as !== undefined || entry.pairs !== undefined) return plain
  const { attributes, element } = entry
  if (entry.partial === true && attributes === undefined && element === undefined)
    return { from: plain.from && withoutSealed(there, plain.from, before), to: withoutSealed(there, plain.to, before) }
  if (entry.sendOnly !== undefined) return plain
  if (attributes !== undefined)
    return isObject(there) && isObject(before) && isObject(after) ? ofMembers(attributes, there, before, after) : plain
  if (element === undefined) return ofScalar(entry, there, before, after, plain)
  if (isArray(there) && isArray(before) && isArray(after)) return ofElements(entry, element, there, before, after)
  if (isObject(there) && isObject(before) && isObject(after)) return ofMap(element, there, before, after)
  return plain
}

/**
 * A value that comes back, spelled as it was read. A text that has more than the document names, and any JSON of which members
 * are known by digests alone, are not repeated in a plan.
 */
export const asItWas = (entry: AttributeEntry, former: Json | undefined, value: Json): Json | undefined => {
  const isMore = (each: AttributeEntry): boolean =>
    each.partial === true ||
    (each.as !== undefined && entriesIn(each).some(({ attributes, omit }) => (attributes ?? omit) !== undefined))
  return former === undefined || entriesIn(entry).some(isMore) ? undefined : inForm(entry, former, value, value).to
}

/** Without members that nobody names and that stay: what was read of them is sent back. */
const withoutSealed = (read: Json, value: Json, before: Json): Json => {
  if (!isObject(read) || !isObject(value) || !isObject(before) || isMark(value)) return value
  return mapMembers(value, (inner, name) => {
    const [there, was] = [memberOf(read, name), memberOf(before, name)]
    if (there === undefined || was === undefined) return inner
    return isSealed(inner) && canonicalJson(inner) === canonicalJson(was) ? undefined : withoutSealed(there, inner, was)
  })
}

/** What does not change stays as it was read where its form there is another one: a text for a list, null for the default. */
const isUntouched = (entry: AttributeEntry, read: Json, before: Json, after: Json): boolean => {
  const { attributes, element, as: form, default: fallback } = entry
  const isOther = form !== undefined || (fallback !== undefined && !isObject(read) && !isArray(read))
  const hasOtherForm = [entry.ref, entry.readAs, entry.sendOnly, entry.select].some((fact) => fact !== undefined)
  if (hasOtherForm || (!isOther && (attributes !== undefined || element !== undefined))) return false
  if (canonicalJson(before) !== canonicalJson(after)) return false
  const seen = decodeAll({ value: plainEntry(entry) }, { value: foreignNumbers(read) })['value'] ?? entry.default
  return seen !== undefined && sameValue(entry, seen, before)
}

/**
 * The value with the numbers that did not change as they were read: JavaScript would spell them in another way. `isTyped`: a
 * text of digits means the same number.
 */
const respelled = (read: Json | undefined, value: Json, isTyped: boolean): Json => {
  if (isNumberMark(read)) return (isTyped && value === read.$number) || isThatNumber(read.$number, value) ? read : value
  if (isMark(value)) return value
  if (isArray(read) && isArray(value)) return value.map((each, index) => respelled(read[index], each, isTyped))
  if (!isObject(read) || !isObject(value)) return value
  const inside = isLiteral(read) && isObject(read.$literal) ? read.$literal : read
  return mapMembers(value, (each, name) => respelled(memberOf(inside, name), each, isTyped))
}

/** Two integers beyond 2^53 may be the same for JavaScript, so their digits decide. */
const isThatNumber = (source: string, value: Json): boolean =>
  typeof value === 'number' && String(value) === String(numberOrText(source))

/** The same for the members of an object. */
export const ofMembers = (
  attributes: Entries,
  read: JsonObject,
  before: JsonObject,
  after: JsonObject,
  former?: JsonObject,
): { readonly from: JsonObject; readonly to: JsonObject } => {
  const at = (entry: AttributeEntry, name: string, object: JsonObject | undefined = read): Json | undefined =>
    valueAt(object, pathOf(entry.path ?? name))
  // A default that an answer left out stays left out, and so does an object that has nothing but defaults in it.
  const isKept = ({ type, select }: AttributeEntry, name: string): boolean =>
    type === 'object' &&
    select === undefined &&
    canonicalJson([before[name] ?? null]) === canonicalJson([after[name] ?? null])
  const isLeftOut = (name: string, value: Json): boolean => {
    const entry = attributes[name]
    if (entry === undefined || at(entry, name) !== undefined) return false
    return sameValue(entry, undefined, value) || isKept(entry, name)
  }
  const told = (values: JsonObject): JsonObject =>
    mapMembers(values, (value, name) => (isLeftOut(name, value) ? undefined : value))
  const from = encodeAll(
    attributes,
    told(before),
    'update',
    (entry, value, name) => inForm(entry, at(entry, name), value, value).from ?? null,
  )
  const to = encodeAll(
    attributes,
    told(after),
    'update',
    (entry, value, name) =>
      asItWas(entry, former && at(entry, name, former), value) ??
      inForm(entry, at(entry, name), before[name], value).to,
  )
  return { from: withNullAround(attributes, from, read), to: withNullAround(attributes, to, former ?? read) }
}

/** A body in which an object that has nothing but nulls is null where it was read as null. */
export const withNullAround = (entries: Entries, body: JsonObject, read: JsonObject | undefined): JsonObject => {
  const places = Object.entries(entries).flatMap(([name, entry]) => {
    const place = pathOf(entry.path ?? name)
    return toPointer(pathOf(entry.send ?? name)) === toPointer(place) ? outersOf(place) : []
  })
  return places.reduce<JsonObject>((made, place) => {
    const own = valueAt(made, place)
    const isNull = isObject(own) && isEmptied(own) && liveAt(read, place) === null
    return isNull ? (setAt(made, place, null) as JsonObject) : made
  }, body)
}

/** The places around a place, from outside. */
export const outersOf = (place: Path): readonly Path[] => place.slice(1).map((_, index) => place.slice(0, index + 1))

/** Whether nothing but nulls is left of a value. */
export const isEmptied = (value: Json | undefined): boolean =>
  value === null || (isObject(value) && !isMark(value) && Object.values(value).every(isEmptied))

const ofScalar = (entry: AttributeEntry, read: Json, before: Json, after: Json, plain: Sides): Sides => {
  if (typeof read === 'object' || !sameValue(entry, decoded(entry, read), before)) return plain
  return { from: read, to: sameValue(entry, before, after) ? read : plain.to }
}

const ofMap = (element: AttributeEntry, read: JsonObject, before: JsonObject, after: JsonObject): Sides => ({
  from: mapMembers(before, (value, key) => inForm(element, memberOf(read, key), value, value).from),
  to: mapMembers(after, (value, key) => inForm(element, memberOf(read, key), memberOf(before, key), value).to),
})

const ofElements = (
  list: AttributeEntry,
  element: AttributeEntry,
  read: JsonList,
  before: JsonList,
  after: JsonList,
): Sides => {
  const named = (value: Json): Named<Json> => ({
    value,
    text: identityOf(list, element, withoutUnseen(element, value)),
  })
  const isSame = (one: Json, other: Json): boolean =>
    sameValue(element, withoutUnseen(element, one), withoutUnseen(element, other))
  const seen = read.map((there) => ({ ...named(decoded(element, there)), there }))
  const places = before.map(named)
  const theres = inTurn(seen, places, isSame).map((each) => each?.there)
  const placeOf = new Map(places.map((each, index) => [each, index]))
  const olds = inTurn(places, after.map(named), isSame)
  return {
    from: places.map(({ value }, index) => inForm(element, theres[index], value, value).from ?? null),
    to: after.map((value, index) => {
      const old = olds[index]
      return inForm(element, old && theres[placeOf.get(old) ?? -1], old?.value, value).to
    }),
  }
}

interface Named<Value> {
  readonly text: string
  readonly value: Value
}

/** For each one the element of its name: of several those that are the same, then each in its turn. */
const inTurn = <Each extends Named<Json>>(
  there: readonly Each[],
  asked: readonly Named<Json>[],
  isSame: (one: Json, other: Json) => boolean,
): readonly (Each | undefined)[] => {
  const free = Map.groupBy(there, ({ text }) => text)
  const exact = asked.map(({ text, value }) => {
    const left = free.get(text) ?? []
    const own = left.length < 2 ? -1 : left.findIndex((each) => isSame(each.value, value))
    return own < 0 ? undefined : left.splice(own, 1)[0]
  })
  return asked.map(({ text }, index) => exact[index] ?? free.get(text)?.shift())
}

/** Equal for equal elements: by their key, or as a whole. */
const identityOf = ({ key }: AttributeEntry, element: AttributeEntry, value: Json): string =>
  key === undefined || element.attributes === undefined
    ? (comparisonText(element, value) ?? '')
    : elementTexts(element.attributes, key, value).key

/** A value that was read, as the plan knows it; null if it means that there is none. */
export const decoded = (entry: AttributeEntry, read: Json): Json =>
  decodeAll({ value: plainEntry(entry) }, { value: foreignNumbers(read) })['value'] ?? entry.default ?? null

/** What was read with its numbers as an answer gives them. */
const foreignNumbers = (read: Json): Json =>
  mapValue(read, (inner) => {
    if (!isNumberMark(inner)) return undefined
    const number = numberOrText(inner.$number)
    return typeof number === 'string' ? exactNumber(number) : number
  })

/** The entry for a value alone, without the place in an answer. */
const plainEntry = ({ path: _, select: __, ...own }: AttributeEntry): AttributeEntry => own
