import { isArray, isObject, type Json } from '../schema/json.ts'

/** A number as its source spells it. `JSON.stringify` writes it so; it is no value to look into. */
interface SpelledNumber {
  readonly rawJSON: string
}

/** Of ECMAScript's JSON, which TypeScript's library does not know yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): SpelledNumber
  isRawJSON(value: unknown): value is SpelledNumber
}

export const isSpelledNumber = isRawJSON

/** A number that is written as its source wrote it. Only for what is about to become text. */
export const exactNumber = (source: string): Json => rawJSON(source) as unknown as Json

/**
 * Where JavaScript may spell a number in another way: 16 digits or more, an exponent, a zero at the end of a fraction,
 * minus zero, a small fraction. Such a number stands behind one of `:[,` or is the whole text.
 */
const suspicious =
  /(?:^|[:[,])\s*-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0\s*(?:[,\]}]|$)|0\.0{6}|(?<=-)0\s*(?:[,\]}]|$))/

/** Whether JavaScript may spell a number of the JSON text in another way. */
export const mayRespell = (text: string): boolean => suspicious.test(text)

/**
 * JSON in which a number that JavaScript spells in another way stands as `SpelledNumber`, or only those that `isKept`
 * takes. To read the source of each number takes three times as long, so it is done only where the text calls for it.
 * Throws SyntaxError, and RangeError for a nesting that exhausts the stack.
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

/** Whether a key comes twice in an object of a JSON text: a parser keeps the last alone. `parsed` is what it made of the text. */
export const repeatsKey = (text: string, parsed: unknown): boolean => membersWritten(text) > membersIn(parsed)

/** The colons outside of texts. */
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

const membersIn = (value: unknown): number => {
  if (isSpelledNumber(value)) return 0
  if (isArray(value)) return value.reduce<number>((sum, element) => sum + membersIn(element), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + membersIn(inner), 0)
}
