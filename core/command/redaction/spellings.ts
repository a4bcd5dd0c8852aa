import type { Units } from './automaton.ts'

/*
 * What a text spells: layers of escapes are taken off, and runs of Base64 and hex are read. Each reading remembers where its
 * units stood, so that what is found in it is covered where it was written.
 */

export interface Reading extends Units {
  /** Nothing further can be read out of it: bytes that are no text. */
  readonly isNoise?: boolean
  /** The places that units `start` to `end` take in the text that was read, first and behind the last. */
  range(start: number, end: number): readonly [number, number]
}

/** Between two runs: no text holds it, so that nothing is found across. */
const border = 0xffff

const textOfUnits = (text: string): Reading => {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return { units, length: text.length, range: (start, end) => [start, end] }
}

/** More layers than any server has. */
const mostLayers = 12
/** Encoded texts within encoded texts: the password in the configuration of a registry, in a secret of Kubernetes. */
const deepest = 2

/** All that a text spells, one reading at a time, because each is about as long as the text. */
export function* readingsOf(text: string): Generator<Reading> {
  yield* exploring(textOfUnits(text), 0)
}

function* exploring(whole: Reading, depth: number): Generator<Reading> {
  let reading: Reading | undefined = whole
  let last = whole
  for (let n = 0; reading !== undefined && n < mostLayers; n += 1) {
    last = reading
    yield reading
    if (reading.isNoise) return
    if (depth < deepest) for (const inner of encodedIn(reading)) yield* exploring(inner, depth + 1)
    reading = unescaped(reading)
  }
  const spaced = withSpaces(last)
  if (spaced !== undefined) yield spaced
}

/** What a text is without its escapes, in each way in which it may be read. */
export const unescapedForms = (text: string): readonly string[] => {
  let reading = textOfUnits(text)
  for (let n = 0; n < mostLayers; n += 1) reading = unescaped(reading) ?? reading
  return [reading, withSpaces(reading)].flatMap((each) => (each === undefined ? [] : [wordsOf(each)]))
}

const wordsOf = ({ units, length }: Reading): string =>
  Array.from(units.subarray(0, length), (unit) => String.fromCharCode(unit)).join('')

const percent = 0x25
const ampersand = 0x26
const plus = 0x2b
const backslash = 0x5c

const isEscape = (unit: number | undefined): boolean => unit === percent || unit === ampersand || unit === backslash

/** `undefined` where nothing is escaped. */
const unescaped = (reading: Reading): Reading | undefined => {
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

const mapped = (reading: Reading, units: Uint16Array, length: number, starts: Int32Array): Reading => ({
  units,
  length,
  // A unit ends where the next one begins; those of one escape begin together, and are covered together.
  range: (start, end) => {
    let last = end
    while (last < length && starts[last] === starts[last - 1]) last += 1
    return reading.range(starts[start] ?? 0, starts[last] ?? 0)
  },
})

interface Escape {
  readonly units: readonly number[]
  /** Units that it takes. */
  readonly length: number
}

const escapeAt = (units: Uint16Array, at: number, length: number): Escape | undefined => {
  const unit = units[at]
  if (unit === percent) return percentEscape(units, at)
  if (unit === backslash) return backslashEscape(units, at, length)
  return entity(String.fromCharCode(...units.subarray(at, Math.min(at + longestEntity, length))))
}

const longestEntity = 12

/** The number that so many hex digits spell; `undefined` where there are not as many. */
const hexAt = (units: Uint16Array, at: number, count: number): number | undefined => {
  let number = 0
  for (let n = 0; n < count; n += 1) {
    const unit = units[at + n] ?? 0
    const digit = unit < 256 ? (hexClasses[unit] ?? other) : other
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

/** `\u{1f600}`. */
const codePointAt = (units: Uint16Array, at: number): Escape | undefined => {
  const found = /^\\u\{([0-9a-f]{1,6})\}/i.exec(String.fromCharCode(...units.subarray(at, at + 10)))
  const character = found?.[1] === undefined ? undefined : characterOf(Number.parseInt(found[1], 16))
  return found === null || character === undefined ? undefined : { units: unitsOf(character), length: found[0].length }
}

/** https://html.spec.whatwg.org/multipage/named-characters.html: those of ASCII, which are what is escaped. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
  tab: '\t',
  newline: '\n',
}

const entity = (text: string): Escape | undefined => {
  const found = /^&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/i.exec(text)
  if (found === null) return undefined
  const [whole, hex, decimal, name = ''] = found
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
  const character = Number.isNaN(code) ? named[name.toLowerCase()] : characterOf(code)
  return character === undefined ? undefined : { units: unitsOf(character), length: whole.length }
}

const characterOf = (code: number): string | undefined => (code <= 0x10_ffff ? String.fromCodePoint(code) : undefined)

const unitsOf = (text: string): readonly number[] => Array.from({ length: text.length }, (_, n) => text.charCodeAt(n))

/** Forms write a space as a plus sign. */
const withSpaces = (reading: Reading): Reading | undefined => {
  if (!reading.units.subarray(0, reading.length).includes(plus)) return undefined
  return { ...reading, units: reading.units.map((unit) => (unit === plus ? 0x20 : unit)) }
}

/** What a unit is within a run: the value of a digit, or one of these. */
const gap = -2
const mark = -3
const other = -1

/** By the unit, for those of one byte. `gaps` may stand between two digits: line ends, and the marks of hex dumps. */
const classesOf = (alphabets: readonly string[], gaps: string): Int8Array => {
  const classes = new Int8Array(256).fill(other)
  for (const alphabet of alphabets) {
    for (const [digit, character] of [...alphabet].entries()) classes[character.charCodeAt(0)] = digit
  }
  for (const character of gaps) classes[character.charCodeAt(0)] = gap
  return classes
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const base64Classes = classesOf([`${letters}+/`, `${letters}-_`], ' \t\r\n')
const hexClasses = classesOf(['0123456789abcdef', '0123456789ABCDEF'], ' \t\r\n:,-')
// `0x` before each byte.
for (const unit of [letterX, letterX - 0x20]) hexClasses[unit] = mark

/** Digits of runs, with the places where they stood; -1 between two runs. */
interface Digits {
  readonly values: Int8Array
  readonly places: Int32Array
  readonly length: number
}

/** Shorter runs spell nothing that is looked for. */
const collect = ({ units, length }: Reading, classes: Int8Array, shortest: number): Digits => {
  const values = new Int8Array(length + 1)
  const places = new Int32Array(length + 1)
  let made = 0
  let begun = 0
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? (units[at] as number) : border
    const what = unit < 256 ? (classes[unit] as number) : other
    if (what >= 0) {
      values[made] = what
      places[made] = at
      made += 1
    } else if (what === mark && made > begun && values[made - 1] === 0) {
      made -= 1
    } else if (what !== gap) {
      if (made - begun < shortest) made = begun
      else {
        values[made] = other
        places[made] = at
        made += 1
      }
      begun = made
    }
  }
  return { values, places, length: made }
}

/**
 * Runs of `bits` bits a digit read as bytes, once for each digit at which a byte may begin: what stands before a secret in
 * an encoded text moves it.
 */
const readDigits = (reading: Reading, digits: Digits, bits: 4 | 6, offset: number): Reading => {
  const { values, places, length } = digits
  const out = new Uint16Array(length)
  const starts = new Int32Array(length)
  let made = 0
  let held = 0
  let heldBits = 0
  let inRun = 0
  let first = 0
  let plain = 0
  let longest = 0
  for (let at = 0; at < length; at += 1) {
    const value = values[at] as number
    if (value < 0) {
      out[made] = border
      starts[made] = at
      made += 1
      held = 0
      heldBits = 0
      inRun = 0
      continue
    }
    inRun += 1
    if (inRun <= offset) continue
    if (heldBits === 0) first = at
    held = ((held << bits) | value) & 0xffff
    heldBits += bits
    if (heldBits < 8) continue
    heldBits -= 8
    const byte = (held >> heldBits) & 0xff
    plain = byte >= 0x20 && byte < 0x7f ? plain + 1 : 0
    if (plain > longest) longest = plain
    out[made] = byte
    starts[made] = first
    // A digit that holds the rest of this byte begins the next one.
    first = at
    made += 1
  }
  return {
    units: out,
    length: made,
    isNoise: made > shortReading && longest < shortestText,
    // Each byte takes its bits from two digits.
    range: (start, end) =>
      reading.range(places[starts[start] ?? 0] ?? 0, (places[(starts[end - 1] ?? 0) + 1] ?? 0) + 1),
  }
}

/** In a long reading, so many characters of ASCII in a row are no accident: one in eight million bytes begins such a row. */
const shortestText = 16
const shortReading = 4_096

/** Bytes: what is shorter spells nothing that is looked for. */
const shortestBytes = 4

/** What the runs of Base64 and of hex in a text spell. */
function* encodedIn(reading: Reading): Generator<Reading> {
  const base64 = collect(reading, base64Classes, Math.ceil((shortestBytes * 8) / 6))
  if (base64.length > 0) for (const offset of [0, 1, 2, 3]) yield readDigits(reading, base64, 6, offset)
  const hex = collect(reading, hexClasses, shortestBytes * 2)
  if (hex.length > 0) for (const offset of [0, 1]) yield readDigits(reading, hex, 4, offset)
}
