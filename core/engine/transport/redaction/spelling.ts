import type { Units } from './automaton.ts'

/**
 * The decoded forms of a text: layers of escapes are removed, and runs of Base64 and hex are decoded. Each form keeps the
 * original places of its units, so that a match in it can be redacted in the original text.
 */

export interface Spelling extends Units {
  /** It cannot be decoded further: bytes that are not text. */
  readonly isNoise?: boolean
  /** The range of the units `start` to `end` in the original text, end excluded. */
  range(start: number, end: number): readonly [number, number]
}

/** Between two runs: no text contains it, so that no match spans two runs. */
export const border = 0xffff

export const textOfUnits = (text: string): Spelling => {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return { units, length: text.length, range: (start, end) => [start, end] }
}
