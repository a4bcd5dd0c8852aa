import { isArray, isObject, type Json } from '../schema/json.ts'
import { type AfterMark, isConcat, isLiteral, isLive, isNumberMark, isSensitive, isUnknown } from '../schema/value.ts'
import { markWords } from './words.ts'

/* Words for values with marks: `(sensitive)`, `(known after apply)`; a number stays as it was written. */

/** A value for people, on one line. Texts and the words of a mark have no quotes. */
export const spellValue = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : written(value, (words) => words)
}

/** The same as JSON: texts and the words of a mark have quotes, so that the result is readable as JSON. */
export const spellJson = (value: Json): string => written(value, (words) => JSON.stringify(words))

/** `quote`: how the words of a mark are written beside JSON. */
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

/** A value that an earlier command produces, identified by what it waits for. */
export const spellAfter = ({ $after, pointer }: AfterMark): string => markWords.knownAfter($after, pointer)

const wordsOfMark = (value: Json): string | undefined => {
  if (isSensitive(value)) return markWords.sensitive
  if (isConcat(value)) return value.$concat.map(spellValue).join('')
  if (isUnknown(value)) return markWords.knownAfterApply
  return isLive(value) ? markWords.live : undefined
}

/** Characters that are invisible or change how others look (controls, formats, surrogates, separators), except U+200D. */
export const unseen = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Escaped as in JSON, by UTF-16 units, so that text in quotes stays valid JSON. */
export const spellOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`,
  ).join('')
