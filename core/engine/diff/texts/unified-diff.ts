import { commonPlaces } from '../matching/common-places.ts'
import { noLineEnd } from './words.ts'

/** Unchanged lines before and after a change. */
const context = 3

interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  readonly before: number
  readonly after: number
}

/** The lines of a text, with their line ends. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const allLines = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const lines: DiffLine[] = []
  let [b, a] = [0, 0]
  const upTo = (endBefore: number, endAfter: number): void => {
    for (; b < endBefore; b++) lines.push({ sign: '-', text: before[b] ?? '', before: b, after: a })
    for (; a < endAfter; a++) lines.push({ sign: '+', text: after[a] ?? '', before: b, after: a })
  }
  for (const [placeBefore, placeAfter] of commonPlaces(before, after)) {
    upTo(placeBefore, placeAfter)
    lines.push({ sign: ' ', text: before[b] ?? '', before: b, after: a })
    b++
    a++
  }
  upTo(before.length, after.length)
  return lines
}

const written = ({ sign, text }: DiffLine): string =>
  text.endsWith('\n') ? sign + text : `${sign}${text}\n${noLineEnd}\n`

const start = (line: number, count: number): string => `${count === 0 ? line : line + 1},${count}`

const hunk = (lines: readonly DiffLine[]): string => {
  const [first] = lines
  const count = (sign: '-' | '+'): number => lines.filter((line) => line.sign === ' ' || line.sign === sign).length
  const head = `@@ -${start(first?.before ?? 0, count('-'))} +${start(first?.after ?? 0, count('+'))} @@\n`
  return head + lines.map(written).join('')
}

/** The difference of two texts as `diff -u` writes it; empty if they are equal. `patch -p1` accepts it. */
export const unifiedDiff = (file: string, before: string, after: string): string => {
  if (before === after) return ''
  const lines = allLines(linesOf(before), linesOf(after))
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const hunks: { from: number; to: number }[] = []
  for (const index of changed) {
    const last = hunks.at(-1)
    if (last !== undefined && index - context <= last.to + context + 1) last.to = index
    else hunks.push({ from: index, to: index })
  }
  const texts = hunks.map(({ from, to }) => hunk(lines.slice(Math.max(0, from - context), to + context + 1)))
  return `--- a/${file}\n+++ b/${file}\n${texts.join('')}`
}
