import { border, type Spelling } from './spelling.ts'

/* Decodes Base64 and hex in every alphabet, wrapped, and starting anywhere in a longer text. */

/** The class of a unit within a run: the value of a digit, or one of these. */
const gap = -2
const mark = -3
const other = -1

/** Classes by unit, for units of one byte. `gaps` may be between two digits: line ends, and the marks of hex dumps. */
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
for (const unit of [0x78, 0x58]) hexClasses[unit] = mark

/** Digits of runs with their places; -1 separates two runs. */
interface Digits {
  readonly values: Int8Array
  readonly places: Int32Array
  readonly length: number
}

/** Shorter runs cannot contain a secret that is searched for. */
const collect = ({ units, length }: Spelling, classes: Int8Array, shortest: number): Digits => {
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
 * Reads runs of digits with `bits` bits each as bytes. `offset` is the digit at which the first byte begins, because
 * the text before a secret shifts its digits.
 */
const readDigits = (reading: Spelling, digits: Digits, bits: 4 | 6, offset: number): Spelling => {
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
    // A digit that contains the last bits of this byte is the first digit of the next one.
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

/**
 * In a long reading, so many ASCII characters in a row are not accidental: in random data such a row begins at one in
 * eight million bytes.
 */
const shortestText = 16
const shortReading = 4_096

/** In bytes; shorter texts cannot contain a secret that is searched for. */
const shortestBytes = 4

export function* encodedIn(reading: Spelling): Generator<Spelling> {
  const base64 = collect(reading, base64Classes, Math.ceil((shortestBytes * 8) / 6))
  if (base64.length > 0) for (const offset of [0, 1, 2, 3]) yield readDigits(reading, base64, 6, offset)
  const hex = collect(reading, hexClasses, shortestBytes * 2)
  if (hex.length > 0) for (const offset of [0, 1]) yield readDigits(reading, hex, 4, offset)
}
