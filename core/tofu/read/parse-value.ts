import type { Value } from './value.ts'

/** Where reading stopped, as an offset into the text. */
interface Misread {
  readonly at: number
  readonly detail: string
}

export type Parsed = { readonly value: Value; readonly end: number } | { readonly misread: Misread }

/** Deeper nesting is refused: a walk over it would exhaust the stack. */
export const maxDepth = 400

interface Reading {
  readonly text: string
  at: number
  misread: Misread | undefined
}

const space = /[ \t\n\r]*/y
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a text
const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const words: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
]

/** The first JSON value of a text and where it ends; what follows is the caller's matter. */
export const parseFirst = (text: string): Parsed => {
  const reading: Reading = { text, at: 0, misread: undefined }
  const value = readValue(reading, 0)
  return reading.misread === undefined ? { value, end: reading.at } : { misread: reading.misread }
}

/** A whole text that is one JSON value. */
export const parseValue = (text: string): Parsed => {
  const parsed = parseFirst(text)
  if ('misread' in parsed) return parsed
  const end = parsed.end + (match({ text, at: parsed.end, misread: undefined }, space)?.length ?? 0)
  return end === text.length ? parsed : { misread: { at: end, detail: 'something follows the value' } }
}

const match = (reading: Reading, pattern: RegExp): string | undefined => {
  pattern.lastIndex = reading.at
  return pattern.exec(reading.text)?.[0]
}

const skipSpace = (reading: Reading): void => {
  const { text } = reading
  while (reading.at < text.length && ' \t\n\r'.includes(text[reading.at] ?? 'x')) reading.at += 1
}

const fail = (reading: Reading, detail: string): null => {
  reading.misread ??= { at: reading.at, detail }
  return null
}

const readValue = (reading: Reading, depth: number): Value => {
  skipSpace(reading)
  if (depth > maxDepth) return fail(reading, `more than ${maxDepth} levels deep`)
  const first = reading.text[reading.at]
  if (first === '"') return readText(reading)
  if (first === '{') return readObject(reading, depth)
  if (first === '[') return readArray(reading, depth)
  const word = words.find(([spelling]) => reading.text.startsWith(spelling, reading.at))
  if (word !== undefined) {
    reading.at += word[0].length
    return word[1]
  }
  const number = match(reading, numberText)
  if (number === undefined) return fail(reading, 'no JSON value')
  reading.at += number.length
  return { number }
}

const readText = (reading: Reading): string => {
  const end = endOfText(reading)
  const raw = end < 0 ? undefined : reading.text.slice(reading.at, end)
  if (raw === undefined || !isText(raw)) {
    fail(reading, 'a text that does not end, or with a character that JSON forbids')
    return ''
  }
  reading.at = end
  // Halves of a surrogate pair become the replacement character, as everywhere where text is UTF-8.
  return (raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)).toWellFormed()
}

/** A regular expression over a text of megabytes can exhaust its stack, so long texts are judged by the engine's parser. */
const isText = (raw: string): boolean => {
  if (raw.length < 10_000) {
    quoted.lastIndex = 0
    return quoted.exec(raw)?.[0].length === raw.length
  }
  try {
    return typeof JSON.parse(raw) === 'string'
  } catch {
    return false
  }
}

const endOfText = ({ text, at }: Reading): number => {
  let quote = text.indexOf('"', at + 1)
  while (quote > 0) {
    let slashes = quote - 1
    while (text[slashes] === '\\') slashes -= 1
    if ((quote - slashes) % 2 === 1) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return -1
}

const readArray = (reading: Reading, depth: number): Value => {
  const elements: Value[] = []
  reading.at += 1
  skipSpace(reading)
  if (take(reading, ']')) return elements
  while (reading.misread === undefined) {
    elements.push(readValue(reading, depth + 1))
    skipSpace(reading)
    if (take(reading, ']')) return elements
    if (!take(reading, ',')) return fail(reading, '"," or "]" is missing')
  }
  return null
}

const readObject = (reading: Reading, depth: number): Value => {
  const members = new Map<string, Value>()
  reading.at += 1
  skipSpace(reading)
  if (take(reading, '}')) return members
  while (reading.misread === undefined) {
    skipSpace(reading)
    if (reading.text[reading.at] !== '"') return fail(reading, 'a key is missing')
    const key = readText(reading)
    skipSpace(reading)
    if (!take(reading, ':')) return fail(reading, '":" is missing')
    members.set(key, readValue(reading, depth + 1))
    skipSpace(reading)
    if (take(reading, '}')) return members
    if (!take(reading, ',')) return fail(reading, '"," or "}" is missing')
  }
  return null
}

const take = (reading: Reading, sign: string): boolean => {
  if (reading.text[reading.at] !== sign) return false
  reading.at += 1
  return true
}
