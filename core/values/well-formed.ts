import type { Json, Path } from '../schema/json.ts'
import { isArray } from '../schema/json.ts'

/** Every later step walks values recursively; no API nests its objects nearly as deep. */
const maxDepth = 200

export const isTooDeep = (value: Json, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === maxDepth || Object.values(value).some((child) => isTooDeep(child, depth + 1)))

/**
 * Where a text, or a member's name, holds half of a surrogate pair: it has no bytes in UTF-8 and no canonical JSON (RFC
 * 8785, 3.2.2.2), so that it can be neither digested nor sent back. `undefined`: nowhere.
 */
export const malformedAt = (value: Json): Path | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  const children: readonly (readonly [string | number, Json])[] = isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  for (const [step, child] of children) {
    const inner = typeof step === 'string' && !step.isWellFormed() ? [] : malformedAt(child)
    if (inner !== undefined) return [step, ...inner]
  }
  return undefined
}

export const isWellFormed = (value: Json): boolean => malformedAt(value) === undefined
