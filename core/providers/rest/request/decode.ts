import { isSpelledNumber } from '../../../engine/json/parse-exact.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject } from '../../../engine/schema/json.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { idInHeader } from '../../../engine/transport/answer/id-in-header.ts'
import { isLargeInteger } from '../../../engine/values/large-integer.ts'
import { asForeign, escapeMarks, numberOrText } from '../../../engine/values/marks/marks.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { fromBase64 } from '../../../engine/values/texts/base64-text.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import type { Entries } from '../document/attributes.ts'
import type { Ids, RestResource } from '../document/document.ts'
import { pathOf } from '../document/shared/template.ts'
import type { IdPlace } from '../document/shared/words.ts'
import { rounded } from './encode.ts'
import { asText, asWritten, rawValue } from './raw-value.ts'

/** The attributes in an object of the API. None of their values can be taken for a mark. */
export const decodeAll = (entries: Entries, answer: Json): JsonObject =>
  mapMembers(entries, (entry, name) => {
    const raw = entry.writeOnly ? undefined : rawValue(entry, name, answer)
    if (raw === undefined) return undefined
    if (isMissing(entry, asText(raw))) return entry.default === undefined ? null : undefined
    return decode(entry, raw)
  })

/** Servers written in Go answer null for an empty list or map. */
export const isMissing = ({ missing = [], type, default: fallback }: AttributeEntry, raw: Json): boolean =>
  (raw === null && fallback !== undefined && ['list', 'set', 'map'].includes(type)) ||
  missing.some((value) => isSame(value, raw))

/** The word that people write for a value of the API. */
const nameOf = (names: JsonObject, raw: Json): string | undefined =>
  Object.keys(names).find((name) => isSame(names[name] ?? null, raw))

const isMerged = ({ type, element }: AttributeEntry): boolean => type === 'set' && element?.readAs !== undefined

/** Several elements of the answer may stand for one that is written. */
const merged = (element: AttributeEntry, raw: readonly Json[]): readonly Json[] =>
  raw
    .map((child) => decode(element, child))
    .filter((child, index, all) => all.findIndex((other) => isSame(other, child)) === index)

const decode = (entry: AttributeEntry, raw: Json): Json =>
  isSpelledNumber(raw) && tellsNumbers(entry)
    ? { $number: raw.rawJSON }
    : decodeWritten(entry, asWritten(entry, asText(raw)))

/** Whether a number and the text of its digits are two values. Elsewhere both are the same: ids are texts in records. */
const tellsNumbers = ({ type, ref, names, scale, encoding }: AttributeEntry): boolean =>
  (type === 'any' || type === 'number') && [ref, names, scale, encoding].every((fact) => fact === undefined)

const decodeWritten = (entry: AttributeEntry, raw: Json): Json => {
  const { element, attributes, ref } = entry
  // Where a whole object stands for a reference, it is what the reference would send.
  if (ref !== undefined && isObject(raw)) return escapeMarks(valueAt(raw, pathOf(ref.emit)) ?? raw)
  if (entry.names !== undefined) return nameOf(entry.names, raw) ?? escapeMarks(raw)
  if (entry.scale !== undefined && typeof raw === 'number') return rounded(raw / entry.scale)
  if (entry.scale !== undefined && typeof raw === 'string' && isLargeInteger(raw))
    return largeUnscaled(raw, entry.scale)
  if (entry.encoding !== undefined && typeof raw === 'string') return fromBase64(raw)
  if (entry.type === 'object' && attributes !== undefined && isObject(raw)) return decodeAll(attributes, raw)
  if (entry.pairs !== undefined && isArray(raw)) return decodePairs(entry, entry.pairs, raw)
  if (element === undefined) return escapeMarks(raw)
  if (isArray(raw)) return isMerged(entry) ? merged(element, raw) : raw.map((child) => decode(element, child))
  if (!isObject(raw)) return raw
  const children = mapMembers(raw, (child, key) => (entry.omit?.includes(key) ? undefined : decode(element, child)))
  return asForeign(children)
}

/** An integer that came as text, to keep its digits; a quotient with a fraction has no more than fifteen of them. */
const largeUnscaled = (raw: string, scale: number): Json => {
  const isWhole = Number.isInteger(scale) && BigInt(raw) % BigInt(scale) === 0n
  return isWhole ? numberOrText(String(BigInt(raw) / BigInt(scale))) : rounded(Number(raw) / scale)
}

/** A map that came as a list of pairs. What is no such list stays as it is, so it differs from every map. */
const decodePairs = (
  entry: AttributeEntry,
  { key, value }: NonNullable<AttributeEntry['pairs']>,
  raw: JsonList,
): Json => {
  const members = raw.flatMap((pair): [string, Json][] => {
    const name = isObject(pair) ? asText(pair[key] ?? null) : undefined
    return isObject(pair) && typeof name === 'string' ? [[name, pair[value] ?? null]] : []
  })
  const isMap = members.length === raw.length && new Set(members.map(([name]) => name)).size === raw.length
  return isMap ? decode(entry, Object.fromEntries(members)) : escapeMarks(raw)
}

/** Records and URLs hold server ids as text; answers may hold numbers. */
export const idsAt = (places: Ids, object: JsonObject): Ids =>
  mapMembers(places, (place) => {
    const value = valueAt(object, pathOf(place))
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  })

/** The same that the headers of an answer about one object repeat. */
export const idsInHeaders = (
  { serverId = {} }: Pick<RestResource, 'serverId'>,
  response: Response | undefined,
  asked: string,
): Ids =>
  mapMembers<IdPlace, string>(serverId, (place) =>
    typeof place === 'string' || response === undefined ? undefined : idInHeader(response, place, asked),
  )
