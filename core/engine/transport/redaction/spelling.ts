import type { Units } from './automaton.ts'

/**
 * A decoded form of a text: layers of escapes are removed, and runs of Base64 and hex are decoded. Each form keeps the
 * original places of its units, so that a match can be redacted in the original text.
 */

export interface Spelling extends Units {
  /** The units are bytes that are not text, so they are not decoded further. */
  readonly isNoise?: boolean
  /** The range in the original text; `end` is exclusive. */
  range(start: number, end: number): readonly [number, number]
}

/** Separates two runs. No text contains it, so no match spans two runs. */
export const border = 0xffff

export const textOfUnits = (text: string): Spelling => {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return { units, length: text.length, range: (start, end) => [start, end] }
}
