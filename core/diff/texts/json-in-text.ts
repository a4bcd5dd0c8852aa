import type { Json } from '../../schema/json.ts'
import { asForeign, numberAsWritten } from '../../values/marks.ts'

/** Texts nested deeper than this are nobody's configuration. */
const maxDepth = 100

/**
 * Texts within texts within texts are told by their escapes, which double with each. Such a text is compared as it is, for
 * all that is understood is walked recursively.
 */
export const isWrapped = (text: string): boolean => /\\{15}/.test(text)

interface Cursor {
  readonly text: string
  at: number
}

/** Read as far as it is JSON. */
type Found = { readonly value: Json } | undefined

/**
 * The object or array that a text holds, as a value that may hold marks; a text that is a mere scalar is not meant as
 * JSON. Numbers keep their spelling. Anything behind it, and a member that comes twice, make it no JSON: readers differ
 * on what they take of it.
 */
export const jsonInText = (text: string): Json | undefined => {
  if (!/^\s*[[{]/.test(text) || isWrapped(text)) return undefined
  const cursor = { text, at: 0 }
  const found = readValue(cursor, 0)
  skipBlanks(cursor)
  return cursor.at === text.length ? found?.value : undefined
}

const skipBlanks = (cursor: Cursor): void => {
  while (' \t\n\r'.includes(cursor.text[cursor.at] ?? '.')) cursor.at++
}

const take = (cursor: Cursor, sign: string): boolean => {
  skipBlanks(cursor)
  if (!cursor.text.startsWith(sign, cursor.at)) return false
  cursor.at += sign.length
  return true
}

const readValue = (cursor: Cursor, depth: number): Found => {
  if (depth > maxDepth) return undefined
  if (take(cursor, '{')) return readObject(cursor, depth)
  if (take(cursor, '[')) return readArray(cursor, depth)
  if (cursor.text[cursor.at] === '"') return readText(cursor)
  for (const [word, value] of words) if (take(cursor, word)) return { value }
  return readNumber(cursor)
}

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

const readObject = (cursor: Cursor, depth: number): Found => {
  const members = new Map<string, Json>()
  if (take(cursor, '}')) return { value: {} }
  do {
    skipBlanks(cursor)
    const name = cursor.text[cursor.at] === '"' ? readText(cursor)?.value : undefined
    const found = name !== undefined && take(cursor, ':') ? readValue(cursor, depth + 1) : undefined
    if (found === undefined || members.has(name as string)) return undefined
    members.set(name as string, found.value)
  } while (take(cursor, ','))
  return take(cursor, '}') ? { value: asForeign(Object.fromEntries(members)) } : undefined
}

const readArray = (cursor: Cursor, depth: number): Found => {
  const elements: Json[] = []
  if (take(cursor, ']')) return { value: elements }
  do {
    const found = readValue(cursor, depth + 1)
    if (found === undefined) return undefined
    elements.push(found.value)
  } while (take(cursor, ','))
  return take(cursor, ']') ? { value: elements } : undefined
}

const readText = (cursor: Cursor): Found => {
  let end = cursor.text.indexOf('"', cursor.at + 1)
  while (end !== -1 && isEscaped(cursor.text, end)) end = cursor.text.indexOf('"', end + 1)
  if (end === -1) return undefined
  const token = cursor.text.slice(cursor.at, end + 1)
  cursor.at = end + 1
  try {
    return { value: JSON.parse(token) as string }
  } catch {
    return undefined
  }
}

const isEscaped = (text: string, place: number): boolean => {
  let start = place
  while (text[start - 1] === '\\') start--
  return (place - start) % 2 === 1
}

const readNumber = (cursor: Cursor): Found => {
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  number.lastIndex = cursor.at
  const source = number.exec(cursor.text)?.[0]
  if (source === undefined) return undefined
  cursor.at = number.lastIndex
  return { value: numberAsWritten(source) }
}
