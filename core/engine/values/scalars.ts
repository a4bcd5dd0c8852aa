import type { AttributeType } from '../schema/attribute.ts'
import type { Json } from '../schema/json.ts'
import { isLargeInteger, isLargeNumber } from './large-integer.ts'

/** Converts a scalar to a type, if nothing is lost: server ids are text in records and often numbers in answers. */
export const fitScalar = (value: Json, type: AttributeType | undefined): Json => {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (type === 'string' && isLargeNumber(value)) return value.$number
  if (typeof value !== 'string') return value
  if (type === 'number' && isLargeInteger(value)) return { $number: value }
  if (type === 'number' && String(Number(value)) === value && Number.isFinite(Number(value))) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/**
 * Whether `states` contains the state. One API may spell a state in several ways: `UPDATE_SCHEDULED`, `Update
 * Scheduled`.
 */
export const holdsState = (states: readonly Json[], state: Json): boolean =>
  states.some((each) => each === state || (isText(each) && isText(state) && foldState(each) === foldState(state)))

const foldState = (state: string): string => state.toLowerCase().replaceAll(/[\s_-]/g, '')

const isText = (value: Json): value is string => typeof value === 'string'
