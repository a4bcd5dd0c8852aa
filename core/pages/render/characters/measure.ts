import { commonEnds } from '../../../engine/values/texts/common-ends.ts'
import { thousands } from './prose.ts'

// East Asian Wide and Fullwidth blocks: https://www.unicode.org/reports/tr11/
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]

let known: Intl.Segmenter | undefined
/** Made for the first text that needs it: it takes 10 ms, and each start would pay for it. */
const segmenter = (): Intl.Segmenter => {
  known ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return known
}
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const emoji = /^(?:\p{Emoji_Presentation}(?!\ufe0e)|[\p{Extended_Pictographic}\d#*]\ufe0f)/u
/** Marks over or in others, joiners, and the vowels and finals of a Korean syllable. */
const unseenInside = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]|\u200d.*/gsu

const isWide = (point: number): boolean => wide.some(([from, to]) => point >= from && point <= to)

/** Each visible character of a grapheme takes its own columns: a Thai vowel beside its consonant, for example. */
const graphemeColumns = (grapheme: string): number => {
  if (emoji.test(grapheme)) return 2
  return [...grapheme.replaceAll(unseenInside, '')].reduce(
    (sum, each) => sum + (isWide(each.codePointAt(0) ?? 0) ? 2 : 1),
    0,
  )
}

const graphemes = (text: string): string[] =>
  isAscii(text) ? [...text] : Array.from(segmenter().segment(text), ({ segment }) => segment)

/** Terminal columns of a line without control characters. */
export const columns = (text: string): number =>
  isAscii(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + graphemeColumns(grapheme), 0)

/** Columns of the widest. Not by spreading: a page can have more lines than a call takes arguments. */
export const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, columns(text)), 0)

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columns(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - columns(text))) + text

const take = (parts: readonly string[], room: number): string => {
  let left = room
  let taken = ''
  for (const part of parts) {
    left -= graphemeColumns(part)
    if (left < 0) break
    taken += part
  }
  return taken
}

/** At most `room` columns, but never less than 7: the middle gives way. */
export const cutMiddle = (text: string, room: number): string => {
  if (columns(text) <= room) return text
  const parts = graphemes(text)
  const half = (Math.max(7, room) - 3) / 2
  const end = take(parts.toReversed(), Math.floor(half))
  return `${take(parts, Math.ceil(half))}...${graphemes(end).toReversed().join('')}`
}

const lengthNote = (length: number): string => ` (${thousands(length)} characters)`

/** The same, with a note of the whole length where something is missing. */
export const cutWithNote = (text: string, room: number): string =>
  columns(text) <= room ? text : cutMiddle(text, room - 24).concat(lengthNote(graphemes(text).length))

/** The whole text in up to `most` pieces of at most `room` columns; a longer one as `cutWithNote` has it. */
export const inPieces = (text: string, room: number, most: number): readonly string[] => {
  if (columns(text) > room * most) return [cutWithNote(text, room)]
  const pieces: string[] = []
  let piece = ''
  let left = room
  for (const part of graphemes(text)) {
    if (graphemeColumns(part) > left) {
      pieces.push(piece)
      piece = ''
      left = room
    }
    piece += part
    left -= graphemeColumns(part)
  }
  pieces.push(piece)
  return pieces.length > most ? [cutWithNote(text, room)] : pieces
}

/** What two texts share at an end is cut down to this. */
const context = 12

/**
 * Two texts that differ, each in at most `room` columns: what they share at their ends gives way first, so that the
 * difference stays in sight. A note tells the whole length of a text that was cut.
 */
export const cutPair = (before: string, after: string, room: number): readonly [string, string] => {
  const left = graphemes(before)
  const right = graphemes(after)
  const { head: start, tail: end } = commonEnds(left, right)
  const cut = (text: string, parts: readonly string[]): string =>
    columns(text) <= room ? text : cutMiddle(middleOf(parts, start, end), room - 24).concat(lengthNote(parts.length))
  return [cut(before, left), cut(after, right)]
}

const middleOf = (parts: readonly string[], start: number, end: number): string => {
  const from = start > 2 * context ? start - context : 0
  const to = end > 2 * context ? parts.length - end + context : parts.length
  return `${from > 0 ? '...' : ''}${parts.slice(from, to).join('')}${to < parts.length ? '...' : ''}`
}

/** Words in lines of at most `width` columns; none is broken in two. */
const fill = (words: readonly string[], width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Prose in lines of at most `width` columns; what has no space stays whole. */
export const wrap = (text: string, width: number): string[] => fill(text.split(' '), width)

/** `a, b, c` in lines of at most `width` columns; each text stays whole. */
export const wrapList = (texts: readonly string[], width: number): string[] =>
  fill(
    texts.map((text, position) => (position < texts.length - 1 ? `${text},` : text)),
    width,
  )
