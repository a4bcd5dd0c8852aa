import type { Diagnostic } from '../../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { isConcat, isLiteral, isMark, isSecret, isSensitive, isUnknown } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { isLargeNumber, magnitudeOf } from '../../values/large-integer.ts'
import { linearPattern, longestMatched } from '../../values/texts/linear-pattern.ts'
import { referencesIn } from '../expressions/references.ts'
import { holdsPlain } from '../shared/holds-plain.ts'
import { shown } from '../shared/words.ts'
import { say } from './words.ts'

export interface Declaration {
  readonly name: string
  readonly type: string
  readonly sensitive: boolean
  /** `undefined`: a value must be given. */
  readonly default: Json | undefined
  readonly validation: JsonObject
}

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const readDeclaration = (name: string, written: JsonObject): Declaration => ({
  name,
  type: String(written['type']),
  sensitive: written['sensitive'] === true,
  default: Object.hasOwn(written, 'default') ? (written['default'] ?? null) : undefined,
  validation: objectIn(written['validation']),
})

const fits: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string' || isSecret(value) || isConcat(value),
  number: (value) => magnitudeOf(value) !== undefined,
  boolean: (value) => typeof value === 'boolean',
  list: isArray,
  map: (value) => isObject(value) && (!isMark(value) || isLiteral(value)),
}

const sizeOf = (value: Json): { readonly size: number; readonly of: string } => {
  if (typeof value === 'string') return { size: [...value].length, of: 'characters' }
  if (isArray(value)) return { size: value.length, of: 'elements' }
  return { size: Object.keys(objectIn(isLiteral(value) ? value.$literal : value)).length, of: 'members' }
}

const isOutside = (value: number | bigint, { min, max }: JsonObject): boolean =>
  (typeof min === 'number' && value < min) || (typeof max === 'number' && value > max)

const isEqualScalar = (left: Json, right: Json): boolean =>
  isLargeNumber(left) ? isLargeNumber(right) && left.$number === right.$number : left === right

const bounds = ({ min, max }: JsonObject): { readonly min: number | undefined; readonly max: number | undefined } => ({
  min: typeof min === 'number' ? min : undefined,
  max: typeof max === 'number' ? max : undefined,
})

/** Compiled patterns by validation object: a module may have thousands of instances of one declaration. */
const patterns = new WeakMap<JsonObject, ReturnType<typeof linearPattern>>()

const patternOf = (validation: JsonObject, source: string): ReturnType<typeof linearPattern> => {
  const known = patterns.get(validation) ?? linearPattern(source)
  patterns.set(validation, known)
  return known
}

/** An invalid pattern is reported at its declaration, so it refuses no text here. */
const misses = (text: string, pattern: string, { name, validation }: Declaration): Diagnostic | undefined => {
  const find = patternOf(validation, pattern)
  if (typeof find === 'string') return undefined
  if (text.length > longestMatched) return say('tooLongForPattern', name, longestMatched)
  return find(text) ? undefined : say('otherPattern', name, pattern)
}

const misfit = (value: Json, declaration: Declaration): Diagnostic | undefined => {
  const { name, validation } = declaration
  const { pattern, enum: words, range, length } = validation
  if (isArray(words) && !words.some((word) => isEqualScalar(word, value)))
    return say('notOneOf', name, words.map(shown))
  const missed =
    typeof pattern === 'string' && typeof value === 'string' ? misses(value, pattern, declaration) : undefined
  if (missed !== undefined) return missed
  const magnitude = magnitudeOf(value)
  if (isObject(range) && magnitude !== undefined && isOutside(magnitude, range))
    return say('outOfRange', name, bounds(range))
  const { size, of } = sizeOf(value)
  return isObject(length) && isOutside(size, length) ? say('otherLength', name, size, of, bounds(length)) : undefined
}

/** The value contains a value of another resource, which may be plain text. A hole is already reported. */
const refersLater = (value: Json): boolean => referencesIn(value).some(({ $ref }) => $ref !== '')

/**
 * Why a resolved value is not allowed for a variable; `undefined` if it is. `null` is always allowed. A secret, or a
 * value that is known only after a read, is not validated. Texts are never repeated.
 */
export const whyRefused = (value: Json, declaration: Declaration): Diagnostic | undefined => {
  const { name, type, sensitive } = declaration
  if (sensitive && (holdsPlain(value) || refersLater(value))) return say('plainVariable', name)
  if (value === null || isUnknown(value)) return undefined
  if (!(fits[type]?.(value) ?? true)) return say('wrongValue', name, type)
  if (isSensitive(value)) return undefined
  const found = misfit(value, declaration)
  // A text may be a secret that is not declared as one.
  return found && { ...found, ...defined({ value: magnitudeOf(value) === undefined ? undefined : shown(value) }) }
}
