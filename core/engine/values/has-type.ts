import type { Attribute } from '../schema/attribute.ts'
import { isArray, isObject, type Json } from '../schema/json.ts'
import { isLargeNumber } from './large-integer.ts'

/** Whether a canonical value is of the type of an attribute. Null is of none. */
export const hasType = (value: Json, type: Attribute['type']): boolean => {
  if (type === 'any') return true
  if (isLargeNumber(value)) return type === 'number'
  if (type === 'list' || type === 'set') return isArray(value)
  if (type === 'object' || type === 'map') return isObject(value)
  return typeof value === type
}
