import { AppError, asAppError, foreignWords } from '../../errors/errors.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { Transport } from '../transport.ts'
import { withheld } from '../words.ts'
import { createTextSearch, type Span } from './text-search.ts'

export interface Redactor {
  /** From now on this value is replaced in every text. */
  learn(value: string): void
  text(text: string): string
  /** Members' names too. A number that spells a secret becomes text. */
  json<Value extends Json>(value: Value): Json
}

const shown = '(secret)'
/** Shorter secrets are replaced as whole words only: inside other words they would be coincidence. */
const shortest = 4

/** Replaces learned values in every spelling by `(secret)`. A text that cannot be searched is withheld as a whole. */
export const createRedactor = (): Redactor => {
  const search = createTextSearch()
  const short = new Set<string>()
  const learned = new Set<string>()
  const learn = (value: string) => {
    if (value === '' || learned.has(value)) return
    learned.add(value)
    if (value.length < shortest) short.add(value)
    else search.add(value)
  }
  const text = (from: string): string => {
    if (learned.size === 0 || from === '') return from
    try {
      const places = search.places(from)
      if (places === undefined) return withheld
      return withoutWords(places.length === 0 ? from : withoutPlaces(from, places), short)
    } catch {
      // The words say that it failed; those of the error might repeat the text.
      return withheld
    }
  }
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return learned.has(String(value)) ? shown : value
    if (isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [text(member), walk(inner)]))
  }
  const json = (value: Json): Json => {
    // Most say nothing: one look at the whole.
    const whole = typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined
    return whole !== undefined && text(whole) === whole ? value : walk(value)
  }
  return {
    // A target may say one line of a key back.
    learn: (value) => [value, ...value.split('\n').filter((line) => line.length >= 8)].forEach(learn),
    text,
    json,
  }
}

const withoutPlaces = (text: string, places: readonly Span[]): string => {
  const kept = places.map(([start], n) => text.slice(places[n - 1]?.[1] ?? 0, start))
  return [...kept, text.slice(places.at(-1)?.[1] ?? 0)].join(shown)
}

const wordCharacter = /[\p{L}\p{N}]/u

/** Without the short texts that stand between other characters than letters and digits. */
const withoutWords = (text: string, words: ReadonlySet<string>): string => {
  if (words.size === 0) return text
  const first = new Set([...words].map((word) => word.charCodeAt(0)))
  let out = ''
  for (let at = 0; at < text.length; ) {
    const length = first.has(text.charCodeAt(at)) && !isWordAt(text, at - 1) ? wordLength(text, at, words) : 0
    out += length === 0 ? text[at] : shown
    at += Math.max(1, length)
  }
  return out
}

const wordLength = (text: string, at: number, words: ReadonlySet<string>): number =>
  [3, 2, 1].find((length) => words.has(text.slice(at, at + length)) && !isWordAt(text, at + length)) ?? 0

const isWordAt = (text: string, at: number): boolean => {
  const low = at > 0 && /[\udc00-\udfff]/.test(text[at] ?? '') ? 1 : 0
  return wordCharacter.test(String.fromCodePoint(text.codePointAt(at - low) ?? 0x20))
}

/** Cleans what a failed request says: message, payload and the chain of causes. Answers stay raw, they are planned with. */
export const redacted = (inner: Transport, redactor: Redactor): Transport => ({
  send: async (request, signal) => {
    try {
      return await inner.send(request, signal)
    } catch (error) {
      throw redactError(asAppError(error), redactor)
    }
  },
})

const redactError = (error: AppError, redactor: Redactor): AppError =>
  new AppError(error.code, redactPayload(error.payload, redactor), { cause: redactCause(error.cause, redactor) })

// Payloads are plain JSON by the error table, and redaction keeps their shape.
const redactPayload = (payload: AppError['payload'], redactor: Redactor): AppError['payload'] =>
  redactor.json(payload as unknown as Json) as unknown as AppError['payload']

/** A foreign error may hold a secret in an unknown spelling: only its name and code are kept. */
const redactCause = (cause: unknown, redactor: Redactor, depth = 0): unknown => {
  if (cause === undefined || depth > 8) return undefined
  if (!(cause instanceof Error)) return undefined
  const inner = redactCause(cause.cause, redactor, depth + 1)
  return { error: redactor.text(foreignWords(cause)), ...defined({ cause: inner }) }
}
