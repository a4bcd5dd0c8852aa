import type { Json } from '#core'
import { defined, isArray, isObject, toPointer } from '#core'

/** What an answer holds, and how its source wrote the numbers that JavaScript would spell in another way. */
export interface ParsedJson {
  readonly body: Json
  /** By JSON pointer; absent where there are none. */
  readonly numbers?: Readonly<Record<string, string>>
}

/** Where a number could be another than the one that was written, or be written in another way: long, big, `1.0`, `1e3`. */
const suspicious = /\d{16}|\d[eE][+-]?\d|\.\d*0\s*[,\]}]|-0\s*[,\]}]/

/** Of ECMAScript's JSON, which TypeScript's library does not know yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string }
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

/**
 * Integers beyond 2^53 and numbers beyond 1e308 become their own text, so that ids stay exact. Reading the source of
 * each number is several times slower, so it is done only where the text calls for it. Throws on what is no JSON.
 */
export const parseJson = (text: string): ParsedJson => {
  if (!suspicious.test(text)) return { body: JSON.parse(text) as Json }
  const numbers: [string, string][] = []
  const body = opened(JSON.parse(text, keepSource), [], numbers)
  return { body, ...defined({ numbers: numbers.length === 0 ? undefined : Object.fromEntries(numbers) }) }
}

/** A number that JavaScript spells in another way stands for itself as its source until the walk that follows. */
const keepSource = (_member: string, value: unknown, context?: { readonly source?: string }): unknown => {
  if (typeof value !== 'number') return value
  const source = context?.source ?? String(value)
  return source === String(value) ? value : rawJSON(source)
}

const opened = (value: unknown, path: readonly (string | number)[], numbers: [string, string][]): Json => {
  if (isRawJSON(value)) {
    numbers.push([toPointer(path), value.rawJSON])
    return plain(value.rawJSON)
  }
  if (isArray(value)) return value.map((element, index) => opened(element, [...path, index], numbers))
  if (!isObject(value)) return value as Json
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, opened(child, [...path, name], numbers)]),
  )
}

const plain = (source: string): Json => {
  const value = Number(source)
  return !Number.isFinite(value) || (/^-?\d+$/.test(source) && !Number.isSafeInteger(value)) ? source : value
}
