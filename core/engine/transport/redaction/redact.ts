import { AppError, asAppError, foreignWords } from '../../errors/errors.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { shorten } from '../../values/texts/shorten.ts'
import type { Transport } from '../transport.ts'
import { withheld } from '../words.ts'
import { asSentIn } from './as-sent.ts'
import { createTextSearch, type Span } from './text-search.ts'

export interface Redactor {
  learn(value: string): void
  text(text: string): string
  /** Also replaces in names of members. A number that equals a secret becomes text. */
  json<Value extends Json>(value: Value): Json
}

const shown = '(secret)'
/**
 * Characters. Shorter secrets are replaced as whole words only, because inside other words they would be coincidence.
 */
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
      // The text of the error is not used, because it might repeat the secret.
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
    // Most values contain no secret, so the whole is searched first.
    const whole = typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined
    return whole !== undefined && text(whole) === whole ? value : walk(value)
  }
  return {
    learn: (value) => formsOf(value).forEach(learn),
    text,
    json,
  }
}

/**
 * What of a secret a target may repeat: all of it, without what surrounds it, with other line ends, and a single line of it; each in all
 * lower and all upper case, and in the forms that Unicode has for the same characters.
 */
const formsOf = (value: string): readonly string[] => {
  const lines = value.split(lineEnd)
  const isFile = value.length > longestWithoutLines
  const shown = lines.filter((line) => trimmed(line).length >= (isFile ? shortestOfFile : shortest))
  const joined = isFile || lines.length === 1 ? [] : otherEnds.map((end) => trimmed(value).split(lineEnd).join(end))
  const texts = [...new Set([value, ...joined, ...shown].flatMap((text) => [text, trimmed(text)]).flatMap(inEachCase))]
  return texts.flatMap((text) =>
    /[\u0080-\uffff]/.test(text) ? [text, ...normalForms.map((form) => text.normalize(form))] : [text],
  )
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
/** As forms, headers and pages have them: a text of one line has none, or a space. */
const otherEnds = ['\r\n', '\n', '\r', ' ', '']
/** Characters. A longer secret of several lines is a file, and its short lines are words of any page, such as `true` or `end`. */
const longestWithoutLines = 64
const shortestOfFile = 8

/** A target that does not tell cases apart answers in its own one. A short text, or one of letters alone, may be a word of any page. */
const inEachCase = (text: string): readonly string[] =>
  text.length < 8 || text.length > longestInEachCase || /^\p{L}*$/u.test(text)
    ? [text]
    : [text, text.toLowerCase(), text.toUpperCase()]

/** Units; keys and certificates are longer, and no target changes their case. */
const longestInEachCase = 256

const normalForms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

/** White space, controls and a byte order mark come from files and forms; targets remove them. */
const surrounding = /[\p{White_Space}\p{Cc}\ufeff\u200b]/u

const trimmed = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && surrounding.test(text[from] ?? '')) from += 1
  while (to > from && surrounding.test(text[to - 1] ?? '')) to -= 1
  return text.slice(from, to)
}

const withoutPlaces = (text: string, places: readonly Span[]): string => {
  const kept = places.map(([start], n) => text.slice(places[n - 1]?.[1] ?? 0, start))
  return [...kept, text.slice(places.at(-1)?.[1] ?? 0)].join(shown)
}

const wordCharacter = /[\p{L}\p{N}]/u

/** Replaces short secrets that are not next to a letter or digit. */
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

/**
 * Redacts the message, payload and chain of causes of a failed request. Answers are not redacted, because plans are
 * made from them.
 */
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
  new AppError(error.code, redactPayload(payloadOf(error, redactor), redactor), {
    cause: redactCause(error.cause, redactor),
  })

/** What a server sent is searched as it came, too: what shows it in another form is left out if it has a secret. */
const payloadOf = ({ payload, cause }: AppError, redactor: Redactor): AppError['payload'] => {
  const { sent, otherwise } = asSentIn(cause) ?? { sent: '' }
  return redactor.text(sent) === sent ? payload : ({ ...payload, detail: otherwise } as AppError['payload'])
}

/** Characters of the words of a target. Half a secret would not be found, so they are cut after the redaction. */
const longestDetail = 500

// The payloads of all error codes are plain JSON, and redaction keeps their shape.
const redactPayload = (payload: AppError['payload'], redactor: Redactor): AppError['payload'] => {
  const clean = redactor.json(payload as unknown as Json)
  const { detail } = isObject(clean) ? clean : {}
  const cut = typeof detail === 'string' ? { ...(clean as JsonObject), detail: shorten(detail, longestDetail) } : clean
  return cut as unknown as AppError['payload']
}

/** A foreign error may contain a secret in an unknown spelling, so only its name and code are kept. */
const redactCause = (cause: unknown, redactor: Redactor, depth = 0): unknown => {
  if (cause === undefined || depth > 8) return undefined
  if (!(cause instanceof Error)) return undefined
  const inner = redactCause(cause.cause, redactor, depth + 1)
  return { error: redactor.text(foreignWords(cause)), ...defined({ cause: inner }) }
}
