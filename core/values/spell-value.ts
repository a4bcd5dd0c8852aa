import { isArray, isObject, type Json } from '../schema/json.ts'
import { type AfterMark, isConcat, isLiteral, isLive, isNumberMark, isSensitive, isUnknown } from '../schema/value.ts'
import { markWords } from './words.ts'

/* Words for values with marks: `(sensitive)`, `(known after apply)`; a number stays as it was written. */

/** For people, in one line. A text stands without quotes, and so do the words of a mark. */
export const spellValue = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : written(value, (words) => words)
}

/** The same as JSON: a text and the words of a mark stand in quotes, so that who reads JSON can read it. */
export const spellJson = (value: Json): string => written(value, (words) => JSON.stringify(words))

/** `quote`: how the words of a mark stand beside JSON. */
const written = (value: Json, quote: (words: string) => string): string => {
  if (isNumberMark(value)) return value.$number
  const words = wordsOfMark(value)
  if (words !== undefined) return quote(words)
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) return `[${inner.map((element) => written(element, quote)).join(',')}]`
  if (!isObject(inner)) return JSON.stringify(inner)
  return `{${Object.entries(inner)
    .map(([member, child]) => `${JSON.stringify(member)}:${written(child, quote)}`)
    .join(',')}}`
}

/** What an earlier command makes, told apart by what it waits for. */
export const spellAfter = ({ $after, pointer }: AfterMark): string => markWords.knownAfter($after, pointer)

const wordsOfMark = (value: Json): string | undefined => {
  if (isSensitive(value)) return markWords.sensitive
  if (isConcat(value)) return value.$concat.map(spellValue).join('')
  if (isUnknown(value)) return markWords.knownAfterApply
  return isLive(value) ? markWords.live : undefined
}

/** Characters that are invisible or change how others show (controls, formats, surrogates, separators), but for U+200D. */
export const unseen = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** As JSON escapes it, by UTF-16 units, so that what stands in quotes stays JSON. */
export const spellOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`,
  ).join('')
