import type { Ranges, TextDiff, TextLine } from '../../../engine/schema/diff.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { spellOut } from '../../../engine/values/spell-value.ts'
import { columns } from '../characters/measure.ts'
import { quoted, visible } from '../characters/visible.ts'
import { count } from '../shared/words.ts'
import { type Row, type TextPart, textRow } from './row.ts'
import { showValue, showValueLines } from './show-value.ts'
import { sideOf } from './sides-of-diff.ts'

/** Wider values that come or go as a whole are shown one line a member. */
export const inlineColumns = 56
const contextLines = 3

/** Whether a value is shown in lines of its own: it has several, or is too wide for one. */
export const hasLines = (value: Json | undefined): boolean => {
  if (typeof value === 'string') return value.includes('\n')
  return typeof value === 'object' && value !== null && !isMark(value) && columns(showValue(value)) > inlineColumns
}

/** `whole`: nothing is folded. */
export const textRows = (diff: TextDiff, row: Row, whole = false): Row => {
  const end = finalNewline(sideOf(diff, 'before'), sideOf(diff, 'after'))
  const last = diff.lines.at(-1)
  // Text that ends in a line feed has an empty last line, which is none to people.
  const spare = last?.text === '' && (last.action === 'same' || diff.action !== 'update' || end !== undefined)
  const rows = lineRows(spare ? diff.lines.slice(0, -1) : diff.lines, whole)
  return { ...row, notes: end === undefined ? row.notes : [end, ...row.notes], rows }
}

/** A value of several lines that stays, comes or goes, or becomes one of another kind. `whole`: nothing is folded. */
export const linesRow = (before: Json | undefined, after: Json | undefined, row: Row, whole = false): Row => {
  const as = (action: TextLine['action'], value: Json | undefined) => linesOf(value).map((text) => ({ action, text }))
  const lines = row.action === 'same' ? as('same', after) : [...as('delete', before), ...as('create', after)]
  return { ...row, rows: lineRows(lines, whole) }
}

const linesOf = (value: Json | undefined): readonly string[] => {
  if (value === undefined) return []
  if (typeof value !== 'string') return showValueLines(value, inlineColumns)
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n')
}

/** A difference that no line shows. */
const finalNewline = (before: Json | undefined, after: Json | undefined): string | undefined => {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  if (before.endsWith('\n') === after.endsWith('\n')) return undefined
  return after.endsWith('\n') ? 'gains its final newline' : 'loses its final newline'
}

/** Three equal lines on each side of a change are shown, longer runs are counted. */
const lineRows = (lines: readonly TextLine[], whole: boolean): readonly Row[] => {
  if (whole) return lines.map(lineRow)
  const near = nearChange(lines)
  const rows: Row[] = []
  let hidden = 0
  const flush = () => {
    if (hidden > 0) rows.push(textRow('fold', 'same', `(${count(hidden, 'equal line')})`))
    hidden = 0
  }
  lines.forEach((line, position) => {
    if (near[position] === true) {
      flush()
      rows.push(lineRow(line))
    } else hidden += 1
  })
  flush()
  return rows
}

const nearChange = (lines: readonly TextLine[]): readonly boolean[] => {
  const near = lines.map(() => false)
  lines.forEach((line, position) => {
    if (line.action !== 'same') {
      near.fill(true, Math.max(0, position - contextLines), position + contextLines + 1)
    }
  })
  return near
}

const lineRow = (line: TextLine): Row => {
  const parts = partsOf(line)
  const row = textRow('line', line.action, parts.map((part) => part.text).join(''))
  return line.action !== 'same' && parts.some((part) => part.changed) ? { ...row, parts } : row
}

const partsOf = ({ text, action, changed = [] }: TextLine): readonly TextPart[] =>
  cutAt(text, changed, (from, to) => safePart(text, from, to, action))

/** A text in quotes, as `quoted` has it. */
export const quotedParts = (text: string, changed: Ranges): readonly TextPart[] => {
  const inside = cutAt(text, changed, (from, to) => quoted(text.slice(from, to)).slice(1, -1))
  return [{ text: '"' }, ...inside, { text: '"' }]
}

/** Cuts a text at the ends of what changed in it; `safe` makes a part safe to print. */
const cutAt = (text: string, changed: Ranges, safe: (from: number, to: number) => string): readonly TextPart[] => {
  const parts: TextPart[] = []
  let from = 0
  const add = (end: number, isChanged: boolean) => {
    const to = Math.min(text.length, isInsidePair(text, end) ? end + (isChanged ? 1 : -1) : end)
    if (to <= from) return
    const shown = safe(from, to)
    parts.push(isChanged ? { text: shown, changed: true } : { text: shown })
    from = to
  }
  for (const [start, end] of changed) {
    if (start >= end) continue
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return parts
}

const isInsidePair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** White space at the end of a changed line may be the whole change. */
const safePart = (text: string, from: number, to: number, action: TextLine['action']): string => {
  const part = text.slice(from, to)
  const isLast = action !== 'same' && /^\s*$/.test(text.slice(to))
  return isLast ? visible(part).replace(/\s+$/, spellOut) : visible(part)
}
