import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isMark, isSensitive, isUnknown } from '../../schema/value.ts'

const isEmpty = (value: Json): boolean => (isArray(value) || isObject(value)) && Object.keys(value).length === 0

/** True if any part of a sensitive value is written as plain text. */
export const holdsPlain = (value: Json): boolean => {
  if (isSensitive(value) || isUnknown(value) || value === null || isEmpty(value)) return false
  if (isArray(value) || (isObject(value) && !isMark(value)))
    return Object.values(value).some((child: Json) => holdsPlain(child))
  return true
}
