import { isArray, isObject, type Json } from '../schema/json.ts'

/**
 * A number in the spelling of its source. `JSON.stringify` writes this spelling; other code must not use the object as
 * a value.
 */
interface SpelledNumber {
  readonly rawJSON: string
}

/** A part of ECMAScript's JSON that TypeScript's library does not declare yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): SpelledNumber
  isRawJSON(value: unknown): value is SpelledNumber
}

export const isSpelledNumber = isRawJSON

/** A number in the spelling of its source. Use it only in a value that is about to become text. */
export const exactNumber = (source: string): Json => rawJSON(source) as unknown as Json

/**
 * Numbers that JavaScript may spell differently: 16 digits or more, an exponent, a zero at the end of a fraction, minus
 * zero, a small fraction. Such a number follows one of `:[,` or is the whole text.
 */
const suspicious =
  /(?:^|[:[,])\s*-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0\s*(?:[,\]}]|$)|0\.0{6}|(?<=-)0\s*(?:[,\]}]|$))/

export const mayRespell = (text: string): boolean => suspicious.test(text)

/**
 * Parses JSON; a number that JavaScript spells differently becomes a `SpelledNumber`, if `isKept` accepts it. Reading
 * the source of each number takes three times as long, so this is done only if the text contains such a number. Throws
 * SyntaxError, or RangeError if the nesting exceeds the stack.
 */
export const parseExact = (text: string, isKept: (source: string) => boolean = () => true): unknown =>
  mayRespell(text)
    ? JSON.parse(text, (_member: string, value: unknown, context?: { readonly source?: string }) => {
        const source = context?.source
        return typeof value !== 'number' || source === undefined || source === String(value) || !isKept(source)
          ? value
          : rawJSON(source)
      })
    : JSON.parse(text)

/** Whether an object of a JSON text repeats a key: a parser keeps only the last one. `parsed` is the parsed text. */
export const repeatsKey = (text: string, parsed: unknown): boolean => membersWritten(text) > membersIn(parsed)

/** The number of colons outside of strings. */
const membersWritten = (text: string): number => {
  let members = 0
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '"') isInside = !isInside
    else if (sign === ':' && !isInside) members++
  }
  return members
}

/** Walks without recursion: an answer may be nested deeper than the stack. */
const membersIn = (value: unknown): number => {
  const left: unknown[] = [value]
  let members = 0
  while (left.length > 0) {
    const next = left.pop()
    if (isSpelledNumber(next)) continue
    const inner = isArray(next) ? next : isObject(next) ? Object.values(next) : []
    if (!isArray(next)) members += inner.length
    for (const each of inner) left.push(each)
  }
  return members
}
