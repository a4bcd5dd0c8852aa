import { isArray, type Json, type Path } from '../schema/json.ts'

/** Later steps walk values recursively; no API nests its objects nearly as deep. */
const maxDepth = 200

export const isTooDeep = (value: Json, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === maxDepth || Object.values(value).some((child) => isTooDeep(child, depth + 1)))

/**
 * The path of an incomplete surrogate pair, which has no UTF-8 and no canonical JSON (RFC 8785, 3.2.2.2). `undefined`
 * if there is none.
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
