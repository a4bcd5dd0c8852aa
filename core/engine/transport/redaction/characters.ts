import { bareNameIn, characterNamed, windows1252 } from './entities.ts'
import { mapped, unitsOf } from './escapes.ts'
import type { Spelling } from './spelling.ts'

/* Readings of a text without escapes, whose units are characters or bytes. */

/** What is read at a place; `undefined`: the unit itself. */
type ReadAt = (
  units: Uint16Array,
  at: number,
  length: number,
) => { units: readonly number[]; length: number } | undefined

/** `undefined` if all units stand for themselves. */
const replaced = (reading: Spelling, readAt: ReadAt): Spelling | undefined => {
  const { units, length } = reading
  const out = new Uint16Array(length)
  const starts = new Int32Array(length + 1)
  let made = 0
  let isOther = false
  for (let at = 0; at < length; ) {
    const found = readAt(units, at, length)
    isOther ||= found !== undefined
    for (const unit of found?.units ?? [units[at] ?? 0]) {
      starts[made] = at
      out[made] = unit
      made += 1
    }
    at += found?.length ?? 1
  }
  starts[made] = length
  return isOther ? mapped(reading, out, made, starts) : undefined
}

/** Bytes of UTF-8 become the characters that they mean, beside characters that were not written as bytes. */
export const fromUtf8 = (reading: Spelling): Spelling | undefined =>
  replaced(reading, (units, at, length) => {
    const lead = units[at] ?? 0
    const size = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    if (size === 0 || at + size > length) return undefined
    let code = lead & (0xff >> (size + 1))
    for (const unit of units.subarray(at + 1, at + size)) {
      if (unit < 0x80 || unit > 0xbf) return undefined
      code = (code << 6) | (unit & 0x3f)
    }
    return code > 0x10_ffff ? undefined : { units: unitsOf(String.fromCodePoint(code)), length: size }
  })

const ampersand = 0x26
const noBreakSpace = 0xa0
const longestName = 6

/** As a browser shows it and a person copies it: names without a semicolon, bytes of windows-1252, and each space as one. */
export const asShown = (reading: Spelling): Spelling | undefined =>
  replaced(reading, (units, at, length) => {
    const unit = units[at] ?? 0
    if (unit === noBreakSpace) return { units: [0x20], length: 1 }
    if (unit >= 0x80 && unit < noBreakSpace) return { units: [windows1252.charCodeAt(unit - 0x80)], length: 1 }
    if (unit !== ampersand) return undefined
    const name = bareNameIn(String.fromCharCode(...units.subarray(at + 1, Math.min(at + 1 + longestName, length))))
    const character = name === undefined ? undefined : characterNamed(name)
    if (name === undefined || character === undefined) return undefined
    return { units: character === '\u00a0' ? [0x20] : unitsOf(character), length: name.length + 1 }
  })
