import { isSpelledNumber, parseExact, repeatsKey } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json, type MaybeJson } from '../../schema/json.ts'
import { asForeign, numberAsWritten } from '../../values/marks.ts'

/** Deeper nesting is no configuration. */
const maxDepth = 100

/**
 * Texts within texts within texts are told by their escapes, which double with each. Such a text is compared as it is, for
 * all that is understood is walked recursively.
 */
export const isWrapped = (text: string): boolean => /\\{15}/.test(text)

/**
 * The object or array that a text holds, as a value that may hold marks; a text that is a mere scalar is not meant as
 * JSON. Numbers keep their spelling. Anything behind it, and a member that comes twice, make it no JSON: readers differ
 * on what they take of it.
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
    return undefined // A text that is no JSON is a text.
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
