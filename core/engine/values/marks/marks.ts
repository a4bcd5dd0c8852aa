import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { type AfterMark, isAfter, isLiteral, isLive, isMark, isUnknown } from '../../schema/value.ts'
import { mapMembers } from '../members.ts'

/** Whether an object is sent back as it was read, in a body or around it. */
export const holdsLive = (value: Json | undefined): boolean => {
  if (value === undefined || isMark(value)) return false
  if (isArray(value)) return value.some(holdsLive)
  return isObject(value) && (isLive(value) || Object.values(value).some(holdsLive))
}

/** Whether a value that is known only after an earlier command is anywhere in it. */
export const holdsUnknown = (value: Json | undefined): boolean => {
  if (value === undefined || isUnknown(value)) return value !== undefined
  if (isMark(value)) return false
  return (isArray(value) || isObject(value)) && Object.values(value).some(holdsUnknown)
}

/** A seal without the name of its key is from the time before seals had one. */
const keyIn = (seal: string): string | undefined => /^(hmac-sha256(?::[0-9a-f]+)?):[0-9a-f]+$/.exec(seal)?.[1]

/** Whether two seals were made with different keys: then they cannot show whether the values are the same. */
export const sealsApart = (left: string, right: string): boolean => {
  const [one, other] = [keyIn(left), keyIn(right)]
  return one !== undefined && other !== undefined && one !== other
}

const reserved = new Set(['$secret', '$sealed', '$after', '$ref', '$concat', '$literal', '$number', '$live'])

/** Foreign JSON made safe: each object that would look like a mark is wrapped as a literal. */
export const escapeMarks = (value: Json): Json => {
  if (isArray(value)) return value.map(escapeMarks)
  if (!isObject(value)) return value
  return asForeign(mapMembers(value, escapeMarks))
}

/** One object of foreign JSON, whose members are already safe. */
export const asForeign = (value: JsonObject): JsonObject =>
  Object.keys(value).some((member) => reserved.has(member)) ? { $literal: value } : value

/** The number that a text spells; a mark if JavaScript would spell it differently. */
export const numberAsWritten = (source: string): Json => {
  const number = Number(source)
  return Number.isFinite(number) && String(number) === source ? number : { $number: source }
}

/** The inverse of `escapeMarks`. */
export const unescapeMarks = (value: Json): Json => {
  const plain = isLiteral(value) ? value.$literal : value
  if (isArray(plain)) return plain.map(unescapeMarks)
  return isObject(plain) ? mapMembers(plain, unescapeMarks) : plain
}

/** A value and everything in it at any depth, also in marks, the outermost first. */
export const partsOf = (value: Json | undefined): readonly Json[] => {
  if (value === undefined) return []
  return isArray(value) || isObject(value) ? [value, ...Object.values(value).flatMap(partsOf)] : [value]
}

/** What a value waits for, in its order. */
export const afterMarks = (value: Json): readonly AfterMark[] => {
  if (isAfter(value)) return [value]
  if (isLiteral(value)) return []
  if (isArray(value)) return value.flatMap(afterMarks)
  return isObject(value) ? Object.values(value).flatMap(afterMarks) : []
}
