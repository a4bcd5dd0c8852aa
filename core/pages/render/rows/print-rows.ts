import type { DiffAction } from '../../../engine/schema/diff.ts'
import { columns, cutPair, inPieces, padEnd, widest, wrap } from '../characters/measure.ts'
import type { Palette } from '../characters/palette.ts'
import { type Row, type TextPart, tagsOf } from './row.ts'

/** How a line is printed. Without a width nothing is cut. */
export interface RowStyle {
  readonly paint: Palette
  readonly width?: number
  /** Puts symbol and text of one line at its depth, which counts from 0. */
  readonly line: (action: DiffAction, depth: number, text: string) => string
}

/** Labels wider than this do not push the values of their siblings. */
const labelColumns = 28
/** Symbol, blanks and two levels: what a line needs beside its text. */
const indent = 8
const narrowest = 24
/** A value that comes or goes is broken into as many lines before anything of it is left out. */
const valuePieces = 4

export const printRows = (rows: readonly Row[], style: RowStyle, depth = 0): string[] => {
  const aligned = rows.filter((row) => isAligned(row) && columns(row.label) <= labelColumns)
  const labels = widest(aligned.map((row) => row.label))
  return rows.flatMap((row) => printRow(row, style, depth, labels))
}

const isAligned = (row: Row): boolean => row.kind === 'attribute' && (row.before ?? row.after) !== undefined

const printRow = (row: Row, style: RowStyle, depth: number, labels: number): string[] => {
  const { paint, line } = style
  if (row.kind === 'fold') return foldLines(row, style, depth)
  if (row.kind === 'line') return [line(row.action, depth, `${paint.dim('|')} ${lineText(row, paint)}`)]
  const inner = printRows(row.rows, style, depth + 1)
  if (!isAligned(row)) return [line(row.action, depth, withTags(row.label, row, paint)), ...inner]
  return [...valueLines(row, style, depth, labels), ...inner]
}

const roomAt = ({ width = Number.POSITIVE_INFINITY }: RowStyle, depth: number): number =>
  Math.max(narrowest, width - indent - 2 * depth)

const foldLines = (row: Row, style: RowStyle, depth: number): string[] =>
  wrap(row.label, roomAt(style, depth)).map((text, position) =>
    style.line(position === 0 ? row.action : 'same', depth, style.paint.dim(text)),
  )

const lineText = ({ action, label, parts }: Row, paint: Palette): string => {
  const side = byAction(action, paint)
  return parts === undefined ? side(label) : paintParts(parts, side, paint)
}

/** In one line where that fits, else the two sides below each other, cut where they must be. */
const valueLines = (row: Row, style: RowStyle, depth: number, labels: number): string[] => {
  const { paint, line } = style
  const label = row.label === '' ? '' : `${padEnd(row.label, labels)}  `
  const room = roomAt(style, depth)
  const sides = [row.before, row.after].filter((side) => side !== undefined)
  const tags = tagText(row)
  if (columns(label) + columns(sides.join(' -> ')) + columns(tags) <= room) {
    return [line(row.action, depth, withTags(`${label}${arrow(row, paint)}`, row, paint))]
  }
  if (sides.length === 1) {
    const pieces = inPieces(sides[0] ?? '', room - 2, valuePieces).map(byAction(row.action, paint))
    return [
      line(row.action, depth, withTags(row.label, row, paint)),
      ...pieces.map((piece) => line('same', depth + 1, piece)),
    ]
  }
  const [before, after] = cutPair(row.before ?? '', row.after ?? '', room - 2)
  return [
    line(row.action, depth, withTags(row.label, row, paint)),
    line('delete', depth + 1, paintSide('before', before, row, paint)),
    line('create', depth + 1, paintSide('after', after, row, paint)),
  ]
}

const arrow = (row: Row, paint: Palette): string => {
  const { action, before, after } = row
  if (before === undefined || after === undefined) return byAction(action, paint)(after ?? before ?? '')
  return `${paintSide('before', before, row, paint)} ${paint.dim('->')} ${paintSide('after', after, row, paint)}`
}

/** What changed within a value is marked where all of the value is shown. */
const paintSide = (side: 'before' | 'after', shown: string, { changed, ...row }: Row, paint: Palette): string => {
  const colour = side === 'before' ? paint.red : paint.green
  return changed === undefined || shown !== row[side] ? colour(shown) : paintParts(changed[side], colour, paint)
}

const paintParts = (parts: readonly TextPart[], colour: Palette['red'], paint: Palette): string =>
  parts.map(({ text, changed }) => colour(changed ? paint.mark(text) : text)).join('')

const byAction = (action: DiffAction, paint: Palette): Palette['red'] =>
  ({ create: paint.green, delete: paint.red, update: (text: string) => text, same: (text: string) => text })[action]

const tagText = (row: Row): string => (tagsOf(row).length === 0 ? '' : `  # ${tagsOf(row).join(', ')}`)

const withTags = (text: string, row: Row, paint: Palette): string => {
  const tags = tagsOf(row)
  if (tags.length === 0) return text
  const painted = tags.map((tag) =>
    tag === 'forces replacement' ? paint.red(tag) : tag === 'conflict' ? paint.yellow(tag) : paint.dim(tag),
  )
  return `${text}${text === '' ? '' : '  '}${paint.dim('#')} ${painted.join(paint.dim(', '))}`
}
