import type { Json } from '../../schema/json.ts'
import { isReference } from '../../schema/value.ts'

/**
 * Stands where a problem was reported: a value that nobody knows, so that later steps say nothing about it. No resource has
 * this address.
 */
const hole: Json = { $ref: '', pointer: '' }

/** A value, or a hole in its place; null is a value. */
export const orHole = (value: Json | undefined): Json => (value === undefined ? hole : value)

const isHole = (value: Json): boolean => isReference(value) && value.$ref === ''

export const holdsHole = (value: Json): boolean =>
  isHole(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsHole))
