import {
  answeredDigits,
  defined,
  isArray,
  isObject,
  isSpelledNumber,
  type Json,
  mapMembers,
  mayRespell,
  numberOrText,
  parseExact,
  toPointer,
} from '#core'

/** The value of an answer, and the original text of numbers that JavaScript would write differently. */
export interface ParsedJson {
  readonly body: Json
  /** By JSON pointer; absent if there are none. */
  readonly numbers?: Readonly<Record<string, string>>
}

/**
 * Integers beyond 2^53 and numbers beyond 1e308 become texts, so that ids stay exact. Throws if the text is not JSON.
 */
export const parseJson = (text: string): ParsedJson => {
  if (!mayRespell(text)) return { body: JSON.parse(text) as Json }
  const numbers: [string, string][] = []
  const body = opened(parseExact(text), [], numbers)
  return { body, ...defined({ numbers: numbers.length === 0 ? undefined : Object.fromEntries(numbers) }) }
}

const opened = (value: unknown, path: readonly (string | number)[], numbers: [string, string][]): Json => {
  // Also an integer beyond 2^53 that JavaScript holds exactly is text, so that all of them have one form.
  const source = isSpelledNumber(value) ? value.rawJSON : typeof value === 'number' ? answeredDigits(value) : undefined
  if (source !== undefined) {
    numbers.push([toPointer(path), source])
    return numberOrText(source)
  }
  if (isArray(value)) return value.map((element, index) => opened(element, [...path, index], numbers))
  if (!isObject(value)) return value as Json
  return mapMembers(value, (child, name) => opened(child, [...path, name], numbers))
}
