import { exactNumber } from '../../../../engine/json/parse-exact.ts'
import { isArray, isObject, type Json } from '../../../../engine/schema/json.ts'
import {
  isConcat,
  isLiteral,
  isLive,
  isMark,
  isNumberMark,
  isSensitive,
  isUnknown,
  sealOf,
} from '../../../../engine/schema/value.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import { spellValue } from '../../../../engine/values/spell-value.ts'

/** Where a value is sensitive or unknown: `true` for the whole of it, members or elements below. */
export type Marks = boolean | readonly Marks[] | { readonly [member: string]: Marks }

type Holds = (value: Json) => boolean

/** A value that is built right before a write is unknown in a plan. */
const isLater = (value: Json): boolean => isUnknown(value) || isLive(value)

/** A placeholder for a secret. It shows only which secrets are equal. */
export type Hide = (secret: Json) => string

/** A reader would take null for no value, and a changed secret would look unchanged. */
export const hiding = (): Hide => {
  const numbers = new Map<string, number>()
  return (secret) => {
    const key = sealOf(secret) ?? JSON.stringify(secret)
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `(sensitive ${number})`
  }
}

/**
 * A value as OpenTofu's plans carry it. A secret is a text that stands for it, an unknown member is missing, an unknown
 * element is null, so that the other elements keep their places. `undefined` where the whole is unknown.
 */
export const plainValue = (value: Json, hide: Hide): Json | undefined => {
  if (isSensitive(value)) return hide(value)
  if (isLater(value)) return undefined
  // All its parts are known here.
  if (isConcat(value)) return spellValue(value)
  if (isNumberMark(value)) return exactNumber(value.$number)
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) return inner.map((element) => plainValue(element, hide) ?? null)
  if (!isObject(inner)) return inner
  return mapMembers(inner, (child) => plainValue(child, hide))
}

/** Members without a mark are left out, arrays keep their length. */
const marksWhere = (value: Json, holds: Holds): Marks => {
  if (holds(value)) return true
  const inner = isLiteral(value) ? value.$literal : value
  if (isMark(value) && !isLiteral(value)) return false
  if (isArray(inner)) return inner.map((element) => marksWhere(element, holds))
  if (!isObject(inner)) return false
  return mapMembers(inner, (child) => marksWhere(child, holds) || undefined)
}

export const sensitiveMarks = (value: Json): Marks => marksWhere(value, isSensitive)
export const unknownMarks = (value: Json): Marks => marksWhere(value, (part) => isLater(part) && !isSensitive(part))
