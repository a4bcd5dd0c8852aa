import type { Json } from './json.ts'
import { isArray, isObject } from './json.ts'

/** A number that JavaScript cannot hold, on its way from a text to a text. */
interface Spelled {
  readonly rawJSON: string
}

/** Of ECMAScript's JSON, which TypeScript's library does not know yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): Spelled
  isRawJSON(value: unknown): value is Spelled
}

const keepExact = (_member: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source ?? ''
  return typeof value === 'number' && source.replaceAll(/\D/g, '').length > 15 && String(value) !== source
    ? rawJSON(source)
    : value
}

/** A text that holds JSON with its members in one order and no blanks; `undefined` for any other. */
export const canonicalJsonText = (text: string): string | undefined => {
  try {
    return JSON.stringify(ordered(JSON.parse(text, keepExact) as Json))
  } catch {
    return undefined
  }
}

const ordered = (value: Json): Json => {
  if (isRawJSON(value)) return value
  if (isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]))
}
