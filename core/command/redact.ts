import { AppError, asAppError } from '../errors.ts'
import type { Json } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import type { Transport } from './transport.ts'

export interface Redactor {
  /** From now on this value is replaced wherever it stands. */
  learn(value: string): void
  text(text: string): string
  /** Members' names too. A number that spells a secret becomes text. */
  json<Value extends Json>(value: Value): Json
}

const shown = '(secret)'
/** Shorter secrets are replaced as whole words only: inside other words they would be coincidence. */
const shortest = 4

/** Replaces learned values in plain, JSON-escaped, percent-encoded and base64 spelling by `(secret)`. */
export const createRedactor = (): Redactor => {
  const learned = new Map<string, string>()
  let pattern: RegExp | undefined
  const learn = (value: string) => {
    if (value === '' || learned.has(value)) return
    learned.set(value, patternOf(value))
    pattern = undefined
  }
  const text = (from: string): string => {
    if (learned.size === 0) return from
    pattern ??= new RegExp(
      [...learned]
        .sort(([a], [b]) => b.length - a.length)
        .map(([, each]) => each)
        .join('|'),
      'gu',
    )
    return from.replace(pattern, shown)
  }
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return learned.has(String(value)) ? shown : value
    if (isArray(value)) return value.map(json)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [text(member), json(inner)]))
  }
  return {
    // A target may say one line of a key back.
    learn: (value) => [value, ...value.split('\n').filter((line) => line.length >= 8)].forEach(learn),
    text,
    json,
  }
}

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const patternOf = (value: string): string => {
  const plain = (value.match(/\\+|[^\\]/gu) ?? []).map(anySpelling).join('')
  if (value.length < shortest) return `(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`
  return [plain, ...base64Of(value)].join('|')
}

/** JSON text within JSON text within JSON text doubles the backslashes each time: at most so many before one character. */
const slashes = 15

/** A run of backslashes, or a character, as it is, in JSON of any depth, or percent-encoded; encoders differ in which characters they touch. */
const anySpelling = (character: string): string => {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  const encoded = [
    bytes.map((byte) => `%${anyCase(byte)}`).join(''),
    units.map((unit) => `\\\\{1,${slashes}}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
  ]
  return `(?:${[...new Set(plainSpellings(character)), ...encoded].join('|')})`
}

const plainSpellings = (character: string): readonly string[] => {
  if (character.startsWith('\\')) return [`\\\\{${character.length},${character.length * (slashes + 1)}}`]
  const escaped = character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1)
  if (escaped.startsWith('\\')) return [quote(character), `\\\\{1,${slashes}}${quote(escaped.slice(1))}`]
  return [quote(character), ...(character === ' ' ? ['\\+'] : [])]
}

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** Without padding, so that the padded form is found too. */
const base64Of = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  const spellings = ['base64', 'base64url'] as const
  return spellings.map((spelling) => [...bytes.toString(spelling).replace(/=+$/, '')].map(anySpelling).join(''))
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

/** Foreign errors come out as plain objects: their stacks and own members may repeat what was sent. */
const redactCause = (cause: unknown, redactor: Redactor, depth = 0): unknown => {
  if (cause === undefined || depth > 8) return undefined
  if (!(cause instanceof Error)) return redactor.text(String(cause))
  const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
  const inner = redactCause(cause.cause, redactor, depth + 1)
  return {
    name: cause.name,
    message: redactor.text(cause.message),
    ...code,
    ...(inner === undefined ? {} : { cause: inner }),
  }
}
