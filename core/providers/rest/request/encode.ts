import { AppError, isAppError } from '../../../engine/errors/errors.ts'
import { setAt, valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isConcat, isLive, isMark, isSealed, isSensitive, isUnknown } from '../../../engine/schema/value.ts'
import { isSealedAsRead } from '../../../engine/transport/secrets/sealed-as-read.ts'
import type { MessageAndFix } from '../../../engine/values/diagnose.ts'
import { isLargeNumber } from '../../../engine/values/large-integer.ts'
import { numberAsWritten, partsOf } from '../../../engine/values/marks/marks.ts'
import { nameAsMark } from '../../../engine/values/marks/open-names.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { toBase64 } from '../../../engine/values/texts/base64-text.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { type BodyKind, type Entries, isSent } from '../document/attributes.ts'
import { joinTexts, pathOf, spell } from '../document/shared/template.ts'
import { lacks, unwritable } from '../document/shared/words.ts'

/** A body made of attribute values, each at its place and in its write form. */
export const encodeAll = (
  entries: Entries,
  values: JsonObject,
  kind: BodyKind,
  encode: (entry: AttributeEntry, value: Json, name: string) => Json = (entry, value) =>
    encodeValue(entry, value, kind),
): JsonObject =>
  Object.entries(entries).reduce<JsonObject>((body, [name, entry]) => {
    const value = values[name]
    if (value === undefined || !isSent(entry, kind)) return body
    if (entry.unlessSent?.some((other) => Object.hasOwn(values, other))) return body
    const own = inPlace(name, () => encode(entry, value, name))
    return mergeAt(body, pathOf(entry.send ?? name), own) as JsonObject
  }, {})

/** Two attributes may share an object of the body; neither overwrites the members of the other, in any order. */
const mergeAt = (body: JsonObject, place: Path, value: Json): Json => {
  const there = valueAt(body, place)
  return setAt(
    body,
    place,
    isObject(there) && isObject(value) && !isMark(value) && !isLive(value) ? { ...there, ...value } : value,
  )
}

/** The identity of an object in a URL or a body: as people write it, in the encoding of the API. */
export const encodeNames = (entries: Entries, values: JsonObject): JsonObject =>
  mapMembers(values, (value, name) =>
    entries[name]?.encoding !== undefined && typeof value === 'string' ? toBase64(value) : value,
  )

/**
 * Attributes by name, each in its write form, for templates. One without a known value is left out: it matters only if a
 * template names it.
 */
export const encodeEach = (entries: Entries, values: JsonObject): JsonObject =>
  mapMembers(values, (value, name) => {
    const entry = entries[name]
    return entry === undefined ? value : ifKnown(() => encodeValue(entry, value, 'update'))
  })

/** The result of `make`; `undefined` if one of its values is missing now. */
export const ifKnown = <Made>(make: () => Made): Made | undefined => {
  try {
    return make()
  } catch (error) {
    if (isAppError(error, 'TEMPLATE_VALUE_MISSING')) return undefined
    throw error
  }
}

/** Adds to an error the place of what cannot be written, where nothing else has said it yet. */
export const inPlace = <Made>(place: string, make: () => Made): Made => {
  try {
    return make()
  } catch (error) {
    if (!isAppError(error, 'TEMPLATE_VALUE_MISSING') || error.payload.variable !== '') throw error
    const { detail, fix = '' } = error.payload
    throw cannotWrite(place, [detail, fix])
  }
}

/** Nothing can be sent for this value; the plan says why, and what to do. */
export const cannotWrite = (place: string, [detail, fix]: MessageAndFix): AppError =>
  new AppError('TEMPLATE_VALUE_MISSING', { variable: place, detail, fix })

/** One value in its write form. */
export const encodeValue = (entry: AttributeEntry, value: Json, kind: BodyKind): Json =>
  inWriteForm(entry, encodeInner(entry, value, kind))

const encodeInner = (entry: AttributeEntry, value: Json, kind: BodyKind): Json => {
  if (isMark(value)) return value
  const { element, attributes } = entry
  if (entry.type === 'object' && attributes !== undefined && isObject(value))
    return onlyOf(entry, encodeAll(attributes, value, kind))
  if (element === undefined) return value
  if (isArray(value)) return value.map((child) => encodeValue(element, child, kind))
  if (!isObject(value)) return value
  return mapMembers(value, (child) => encodeValue(element, child, kind))
}

/** An object of which nothing would be sent stands for nothing: the list would lose it. */
const onlyOf = ({ sendOnly }: AttributeEntry, body: JsonObject): Json => {
  if (sendOnly === undefined) return body
  const only = valueAt(body, pathOf(sendOnly))
  if (only !== undefined && only !== null) return only
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: sendOnly, detail: lacks.noValue })
}

const inWriteForm = (entry: AttributeEntry, own: Json): Json => {
  if (isSealedAsRead(own)) return own
  // What is only known when it is sent can only be encoded then.
  if (entry.encoding !== undefined && (isConcat(own) || isSensitive(own) || isUnknown(own)))
    return { $concat: [own], encoding: entry.encoding }
  if (entry.as === 'text' && isSealed(own)) return { $concat: [own] }
  if (isLargeNumber(own)) return largeInForm(entry, own.$number)
  if (own === null || isMark(own)) return own
  const { pairs } = entry
  if (pairs !== undefined && isObject(own))
    return Object.entries(own).map(([key, value]) => ({ [pairs.key]: nameAsMark(key), [pairs.value]: value }))
  if (entry.names !== undefined)
    return typeof own === 'string' && Object.hasOwn(entry.names, own) ? (entry.names[own] ?? null) : own
  const value = entry.scale === undefined || typeof own !== 'number' ? own : rounded(own * entry.scale)
  if (entry.encoding !== undefined && typeof value === 'string') return toBase64(value)
  if (entry.as === 'comma' && isArray(value)) {
    return joinTexts(value.flatMap((part, index) => (index === 0 ? [part] : [',', part])))
  }
  if (entry.as === 'text') return spell(value)
  if (entry.as !== 'json') return value
  const hidden = Object.entries(isObject(value) || isArray(value) ? value : {}).filter(([, inner]) =>
    partsOf(inner).some(isSealed),
  )
  if (hidden.length > 0)
    throw cannotWrite(
      '',
      unwritable.onlyDigest(
        hidden.map(([name]) => name),
        entry.partial === true,
      ),
    )
  // A text is JSON too, in quotes.
  return typeof value === 'string' ? JSON.stringify(value) : spell(value)
}

/** Digits that a double would lose; a scale that is no integer gives no more than fifteen digits. */
const largeInForm = ({ scale = 1, as: form }: AttributeEntry, digits: string): Json => {
  if (!Number.isInteger(scale)) return rounded(Number(digits) * scale)
  const scaled = String(BigInt(digits) * BigInt(scale))
  return form === 'text' || form === 'json' ? scaled : numberAsWritten(scaled)
}

/** Fifteen digits hold for sure; what lies beyond is the noise of binary fractions. */
export const rounded = (value: number): number => Number(value.toPrecision(15))
