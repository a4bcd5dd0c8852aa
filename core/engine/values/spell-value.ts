import { isArray, isObject, type Json, type JsonObject } from '../schema/json.ts'
import {
  type AfterMark,
  isAfter,
  isConcat,
  isLiteral,
  isLive,
  isNumberMark,
  isReference,
  isSensitive,
  isUnknown,
} from '../schema/value.ts'
import { markWords } from './words.ts'

/* A value with marks is spelled with `(sensitive)` and `(known after apply)`. A number keeps its written spelling. */

/** One line for people. Texts and the words of a mark have no quotes. */
export const spellValue = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : written(value, (words) => words)
}

/** A part of a name: what an object of the same plan gives later is named by the address of this object. */
export const spellName = (value: Json): string => {
  if (isAfter(value)) return value.$after
  if (isReference(value)) return value.$ref
  if (!isConcat(value)) return spellValue(value)
  return value.$concat.map((part) => (typeof part === 'string' ? part : `(${spellName(part)})`)).join('')
}

/** JSON in which the words of a mark are quoted texts, so that the result is valid JSON. */
export const spellJson = (value: Json): string => written(value, (words) => JSON.stringify(words))

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

export const spellAfter = ({ $after, pointer }: AfterMark): string => markWords.knownAfter($after, pointer)

const wordsOfMark = (value: Json): string | undefined => {
  if (isSensitive(value)) return markWords.sensitive
  if (isConcat(value)) return value.$concat.map(spellValue).join('')
  if (isUnknown(value)) return markWords.knownAfterApply
  return isLive(value) ? markWords.live : undefined
}

/**
 * Characters that are invisible or change how others look (controls, formats, surrogates, separators, fillers, and what is no
 * character, which XML refuses), except those that emoji are made with.
 */
export const unseen =
  /(?![\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu

/** Escapes a character as JSON does, by UTF-16 units, so that text in quotes stays valid JSON. */
export const spellOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`,
  ).join('')

/** The user that credentials belong to. */
export const spellCaller = (caller: JsonObject = {}): string =>
  Object.entries(caller)
    .map(([name, value]) => `${name} ${spellValue(value)}`)
    .join(', ') || 'any caller'
