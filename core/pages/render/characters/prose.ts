import { visible } from './visible.ts'

/** Our own words with foreign texts between them, so that each format can mark the foreign ones. */
export type Prose = readonly (string | { readonly foreign: string })[]

/** A foreign text, not yet safe to print. */
export const foreign = (text: string): { readonly foreign: string } => ({ foreign: text })

/** `a, b`: foreign texts with a separator. */
export const foreignList = (texts: readonly string[], separator = ', '): Prose =>
  texts.flatMap((text, position) => (position === 0 ? [foreign(text)] : [separator, foreign(text)]))

/** The parts if the condition holds, else none. */
export const when = (isSo: boolean, ...parts: Prose): Prose => (isSo ? parts : [])

/** One line, safe to print. */
export const plain = (prose: Prose): string =>
  prose.map((part) => (typeof part === 'string' ? part : visible(part.foreign))).join('')

/** A number with commas between its thousands. Most are small, and the first one that Intl spells takes 15 ms. */
export const thousands = (n: number): string => (n < 1_000 && Number.isInteger(n) ? String(n) : n.toLocaleString('en'))
