import { isSpelledNumber, parseExact } from '../../../engine/json/parse-exact.ts'
import { type JsonMaker, readJson } from '../../../engine/json/read-json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import type { Value } from './value.ts'

/** Deeper nesting is refused: a walk over it would exhaust the stack. */
export const maxDepth = 400

/** The value of a text that a scanner has found to be JSON and not deeper than `maxDepth`. */
export const parseTaken = (text: string): Value => asValue(parseExact(text))

const asValue = (read: unknown): Value => {
  // Halves of a surrogate pair become the replacement character, as everywhere where text is UTF-8.
  if (typeof read === 'string') return read.toWellFormed()
  if (typeof read === 'number') return { number: String(read) }
  if (isArray(read)) return read.map(asValue)
  if (isSpelledNumber(read)) return { number: read.rawJSON }
  if (!isObject(read)) return read as null | boolean
  return new Map(Object.keys(read).map((key) => [key.toWellFormed(), asValue(read[key])]))
}

const values: JsonMaker<Value> = {
  scalar: (value) => (typeof value === 'string' ? value.toWellFormed() : value),
  number: (number) => ({ number }),
  list: (elements) => elements,
  object: (members) => new Map(members.map(({ key, value }) => [key.toWellFormed(), value])),
}

/** The value that a text holds, or starts with; `undefined` for a text that is no JSON. */
export const parseHeld = (text: string, startOnly: boolean): Value | undefined => {
  const read = readJson(text, values, { maxDepth, startOnly })
  return 'value' in read ? read.value : undefined
}
