import { visible } from './visible.ts'

/** Our own words with texts from elsewhere between them, so that each format can set these apart. */
export type Prose = readonly (string | { readonly foreign: string })[]

/** A text from elsewhere, not yet made safe. */
export const foreign = (text: string): { readonly foreign: string } => ({ foreign: text })

/** `a, b`: foreign texts with a separator. */
export const foreignList = (texts: readonly string[], separator = ', '): Prose =>
  texts.flatMap((text, position) => (position === 0 ? [foreign(text)] : [separator, foreign(text)]))

/** The parts, where something is so. */
export const when = (isSo: boolean, ...parts: Prose): Prose => (isSo ? parts : [])

/** One line, safe to print. */
export const plain = (prose: Prose): string =>
  prose.map((part) => (typeof part === 'string' ? part : visible(part.foreign))).join('')
