import { exactNumber, isSpelledNumber } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { type AfterMark, isAfter, isLiteral, isLive, isMark, isNumberMark, isUnknown } from '../../schema/value.ts'
import { mapMembers } from '../members.ts'
import { isOpenName, marksInName } from './open-names.ts'

/** Whether the value is or contains an object that is sent back as it was read. */
export const holdsLive = (value: Json | undefined): boolean => {
  if (value === undefined || isMark(value)) return false
  if (isArray(value)) return value.some(holdsLive)
  return isObject(value) && (isLive(value) || Object.values(value).some(holdsLive))
}

/** Whether the value contains a value that is known only after an earlier command. */
export const holdsUnknown = (value: Json | undefined): boolean => {
  if (value === undefined || isUnknown(value)) return value !== undefined
  if (isMark(value)) return false
  if (isObject(value) && Object.keys(value).some(isOpenName)) return true
  return (isArray(value) || isObject(value)) && Object.values(value).some(holdsUnknown)
}

/** Earlier versions wrote seals without the name of the key. */
const keyIn = (seal: string): string | undefined => /^(hmac-sha256(?::[0-9a-f]+)?):[0-9a-f]+$/.exec(seal)?.[1]

/** Whether two seals were made with different keys. Such seals cannot show whether the values are equal. */
export const sealsApart = (left: string, right: string): boolean => {
  const [one, other] = [keyIn(left), keyIn(right)]
  return one !== undefined && other !== undefined && one !== other
}

const reserved = new Set([
  '$secret',
  '$sealed',
  '$after',
  '$ref',
  '$concat',
  '$entries',
  '$literal',
  '$number',
  '$live',
])

/** Wraps as a literal each object of foreign JSON that would look like a mark, and marks the numbers that are spelled. */
export const escapeMarks = (value: Json): Json => {
  if (isSpelledNumber(value)) return { $number: value.rawJSON }
  if (isArray(value)) return value.map(escapeMarks)
  if (!isObject(value)) return value
  return asForeign(mapMembers(value, escapeMarks))
}

/** Whether an object of foreign JSON would be taken for a mark. */
export const looksMarked = (value: JsonObject): boolean =>
  Object.keys(value).some((member) => reserved.has(member) || isOpenName(member))

/** For one object of foreign JSON whose members are already escaped. */
export const asForeign = (value: JsonObject): JsonObject => (looksMarked(value) ? { $literal: value } : value)

/** The number that a text spells, as a mark if JavaScript would spell it differently or it is an integer beyond 2^53. */
export const numberAsWritten = (source: string): Json => {
  const number = Number(source)
  const isKept = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isKept && String(number) === source ? number : { $number: source }
}

/** A number as an answer gives it: an integer beyond 2^53 is a text, so that ids stay exact. */
export const numberOrText = (source: string): number | string => {
  const value = Number(source)
  return !Number.isFinite(value) || (/^-?\d+$/.test(source) && !Number.isSafeInteger(value)) ? source : value
}

/** Foreign JSON without marks, for a text: numbers have the spelling of their source. */
export const unescapeMarks = (value: Json): Json => {
  if (isNumberMark(value)) return exactNumber(value.$number)
  const plain = isLiteral(value) ? value.$literal : value
  if (isArray(plain)) return plain.map(unescapeMarks)
  return isObject(plain) ? mapMembers(plain, unescapeMarks) : plain
}

/** A value and all its parts at any depth, also inside marks; outer parts come first. The object in a literal is no part. */
export const partsOf = (value: Json | undefined): readonly Json[] => {
  if (value === undefined) return []
  const inner = isLiteral(value) ? value.$literal : value
  return isArray(inner) || isObject(inner) ? [value, ...Object.values(inner).flatMap(partsOf)] : [value]
}

/** In the order in which they occur. */
export const afterMarks = (value: Json): readonly AfterMark[] => {
  if (isAfter(value)) return [value]
  if (isLiteral(value)) return []
  if (isArray(value)) return value.flatMap(afterMarks)
  return isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => [...marksInName(name), ...afterMarks(inner)])
    : []
}
