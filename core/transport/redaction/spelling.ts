import type { Units } from './automaton.ts'

/*
 * What a text spells: layers of escapes are taken off, and runs of Base64 and hex are read. Each reading remembers where its
 * units stood, so that what is found in it is covered where it was written.
 */

export interface Spelling extends Units {
  /** Nothing further can be read out of it: bytes that are no text. */
  readonly isNoise?: boolean
  /** The places that units `start` to `end` take in the text that was read, first and behind the last. */
  range(start: number, end: number): readonly [number, number]
}

/** Between two runs: no text holds it, so that nothing is found across. */
export const border = 0xffff

export const textOfUnits = (text: string): Spelling => {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return { units, length: text.length, range: (start, end) => [start, end] }
}
