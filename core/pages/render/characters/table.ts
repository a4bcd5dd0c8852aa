import { columns, padEnd, widest } from './measure.ts'

/** A cell: its text, safe to print, and a colour that does not count as width. */
export interface Cell {
  readonly text: string
  readonly paint?: (text: string) => string
}

const paintCell = ({ text, paint = (plain) => plain }: Cell): string => paint(text)

/** Lines with their columns below each other; the last column is not padded. */
export const alignCells = (rows: readonly (readonly Cell[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => widest(rows.map((row) => row[column]?.text ?? '')))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const isLast = column === row.length - 1
        return `${paintCell(cell)}${isLast ? '' : padEnd('', (widths[column] ?? 0) - columns(cell.text))}`
      })
      .join('  ')
      .trimEnd(),
  )
}
