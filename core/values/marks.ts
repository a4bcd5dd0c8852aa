import { isArray, isObject, type Json, type JsonObject } from '../schema/json.ts'
import { type AfterMark, isAfter, isLiteral, isLive, isMark, isUnknown } from '../schema/value.ts'
import { mapMembers } from './members.ts'

/** Whether an object goes back as it was read, in a body or around it. */
export const holdsLive = (value: Json | undefined): boolean => {
  if (value === undefined || isMark(value)) return false
  if (isArray(value)) return value.some(holdsLive)
  return isObject(value) && (isLive(value) || Object.values(value).some(holdsLive))
}

/** True where a value known only after an earlier command stands anywhere in it. */
export const holdsUnknown = (value: Json | undefined): boolean => {
  if (value === undefined || isUnknown(value)) return value !== undefined
  if (isMark(value)) return false
  return (isArray(value) || isObject(value)) && Object.values(value).some(holdsUnknown)
}

/** Without a name of its key, a seal is of the time before seals had one. */
const keyIn = (seal: string): string | undefined => /^(hmac-sha256(?::[0-9a-f]+)?):[0-9a-f]+$/.exec(seal)?.[1]

/** Whether two seals were made by different keys: then they cannot tell whether the values are the same. */
export const sealsApart = (left: string, right: string): boolean => {
  const [one, other] = [keyIn(left), keyIn(right)]
  return one !== undefined && other !== undefined && one !== other
}

const reserved = new Set(['$secret', '$sealed', '$after', '$ref', '$concat', '$literal', '$number', '$live'])

/** Foreign JSON made safe: each object that would read as a mark is wrapped as a literal. */
export const escapeMarks = (value: Json): Json => {
  if (isArray(value)) return value.map(escapeMarks)
  if (!isObject(value)) return value
  return asForeign(mapMembers(value, escapeMarks))
}

/** One object of foreign JSON, whose members are safe already. */
export const asForeign = (value: JsonObject): JsonObject =>
  Object.keys(value).some((member) => reserved.has(member)) ? { $literal: value } : value

/** The number that a text spells; where JavaScript would spell it otherwise, its mark. */
export const numberAsWritten = (source: string): Json => {
  const number = Number(source)
  return Number.isFinite(number) && String(number) === source ? number : { $number: source }
}

/** What `escapeMarks` was given. */
export const unescapeMarks = (value: Json): Json => {
  const plain = isLiteral(value) ? value.$literal : value
  if (isArray(plain)) return plain.map(unescapeMarks)
  return isObject(plain) ? mapMembers(plain, unescapeMarks) : plain
}

/** A value and all that stands in it at any depth, in marks too, the outermost first. */
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
