import { isSpelledNumber, parseExact, repeatsKey } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json, type MaybeJson } from '../../schema/json.ts'
import { asForeign, numberAsWritten } from '../marks/marks.ts'

/** Deeper nesting is not configuration. */
const maxDepth = 100

/**
 * Whether a text contains texts within texts within texts; their escapes double with each level. Such a text is
 * compared as it is, because parsed contents are walked recursively.
 */
export const isWrapped = (text: string): boolean => /\\{15}/.test(text)

/**
 * The object or array in a text, as a value that may contain marks; a text that is only a scalar is not meant as JSON.
 * Numbers keep their spelling. A text with repeated members, or with more text after the value, is not accepted,
 * because readers treat it differently.
 */
export const jsonInText = (text: string): MaybeJson => {
  if (!/^\s*[[{]/.test(text) || isWrapped(text)) return undefined
  const read = parsed(text)
  return read === undefined || isDeeper(read, maxDepth) || repeatsKey(text, read) ? undefined : marked(read)
}

const parsed = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

const isDeeper = (value: unknown, most: number): boolean =>
  (isArray(value) || isObject(value)) && (most < 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)))

const marked = (value: unknown): Json => {
  if (isSpelledNumber(value)) return numberAsWritten(value.rawJSON)
  if (isArray(value)) return value.map(marked)
  if (!isObject(value)) return value as Json
  return asForeign(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)])))
}
