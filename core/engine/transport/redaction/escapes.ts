import { characterNamed } from './entities.ts'
import type { Spelling } from './spelling.ts'

/**
 * Escapes of JSON and programming languages, of URLs and of HTML form one layer. A text that was escaped twice has two
 * layers.
 */

const percent = 0x25
const ampersand = 0x26
const plus = 0x2b
const backslash = 0x5c

const isEscape = (unit: number | undefined): boolean => unit === percent || unit === ampersand || unit === backslash

/** `undefined` if nothing is escaped. */
export const unescaped = (reading: Spelling): Spelling | undefined => {
  const { units, length } = reading
  let at = 0
  while (at < length && (!isEscape(units[at]) || escapeAt(units, at, length) === undefined)) at += 1
  if (at === length) return undefined
  const out = new Uint16Array(length)
  const starts = new Int32Array(length + 1)
  out.set(units.subarray(0, at))
  for (let n = 0; n < at; n += 1) starts[n] = n
  let made = at
  while (at < length) {
    const found = isEscape(units[at]) ? escapeAt(units, at, length) : undefined
    for (let n = 0; n < (found?.units.length ?? 1); n += 1) {
      starts[made] = at
      out[made] = found === undefined ? (units[at] ?? 0) : (found.units[n] ?? 0)
      made += 1
    }
    at += found?.length ?? 1
  }
  starts[made] = length
  return mapped(reading, out, made, starts)
}

export const mapped = (reading: Spelling, units: Uint16Array, length: number, starts: Int32Array): Spelling => ({
  units,
  length,
  // A unit ends where the next one begins. Units of one escape begin at the same place and are redacted together.
  range: (start, end) => {
    let last = end
    while (last < length && starts[last] === starts[last - 1]) last += 1
    return reading.range(starts[start] ?? 0, starts[last] ?? 0)
  },
})

interface Escape {
  readonly units: readonly number[]
  /** Units of the escaped text. */
  readonly length: number
}

const escapeAt = (units: Uint16Array, at: number, length: number): Escape | undefined => {
  const unit = units[at]
  if (unit === percent) return percentEscape(units, at)
  if (unit === backslash) return backslashEscape(units, at, length)
  return entity(String.fromCharCode(...units.subarray(at, Math.min(at + longestEntity, length))))
}

const longestEntity = 24

const hexDigit = (unit: number): number => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const letter = unit | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** `undefined` if there are fewer than `count` hex digits. */
const hexAt = (units: Uint16Array, at: number, count: number): number | undefined => {
  let number = 0
  for (let n = 0; n < count; n += 1) {
    const unit = units[at + n] ?? 0
    const digit = hexDigit(unit)
    if (digit < 0) return undefined
    number = number * 16 + digit
  }
  return number
}

const letterU = 0x75
const letterX = 0x78

const percentEscape = (units: Uint16Array, at: number): Escape | undefined => {
  const isUnit = ((units[at + 1] ?? 0) | 0x20) === letterU
  const unit = isUnit ? hexAt(units, at + 2, 4) : hexAt(units, at + 1, 2)
  return unit === undefined ? undefined : { units: [unit], length: isUnit ? 6 : 3 }
}

const backslashEscape = (units: Uint16Array, at: number, length: number): Escape | undefined => {
  if (at + 1 >= length) return undefined
  const next = units[at + 1] ?? 0
  if (next === letterU) {
    const unit = hexAt(units, at + 2, 4)
    return unit === undefined ? codePointAt(units, at) : { units: [unit], length: 6 }
  }
  if (next === letterX) {
    const unit = hexAt(units, at + 2, 2)
    return unit === undefined ? undefined : { units: [unit], length: 4 }
  }
  const control = controls.get(next)
  if (control !== undefined) return { units: [control], length: 2 }
  const isWord = (next >= 0x30 && next <= 0x39) || ((next | 0x20) >= 0x61 && (next | 0x20) <= 0x7a) || next > 0x7e
  return isWord ? undefined : { units: [next], length: 2 }
}

const controls = new Map(
  [...'nrtbfv'].map((letter, n) => [letter.charCodeAt(0), '\n\r\t\b\f\v'.charCodeAt(n)] as const),
)

/** Reads `\u{1f600}`. */
const codePointAt = (units: Uint16Array, at: number): Escape | undefined => {
  const found = /^\\u\{([0-9a-f]{1,6})\}/i.exec(String.fromCharCode(...units.subarray(at, at + 10)))
  const character = found?.[1] === undefined ? undefined : characterOf(Number.parseInt(found[1], 16))
  return found === null || character === undefined ? undefined : { units: unitsOf(character), length: found[0].length }
}

/** A number needs no semicolon: HTML reads it without one too. */
const entity = (text: string): Escape | undefined => {
  const found = /^&(?:#x0*([0-9a-f]{1,6});?|#0*([0-9]{1,7});?|([a-z][a-z0-9]{1,15});)/i.exec(text)
  if (found === null) return undefined
  const [whole, hex, decimal, name = ''] = found
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
  const character = Number.isNaN(code) ? characterNamed(name) : characterOf(code)
  return character === undefined ? undefined : { units: unitsOf(character), length: whole.length }
}

const characterOf = (code: number): string | undefined => (code <= 0x10_ffff ? String.fromCodePoint(code) : undefined)

export const unitsOf = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, n) => text.charCodeAt(n))

/** Forms write a space as a plus sign. */
export const withSpaces = (reading: Spelling): Spelling | undefined => {
  if (!reading.units.subarray(0, reading.length).includes(plus)) return undefined
  return { ...reading, units: reading.units.map((unit) => (unit === plus ? 0x20 : unit)) }
}
