import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Paint {
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
  readonly accent: (text: string) => string
}

/** Styles of the terminal; without colour every one leaves the text as it is. */
export const paint = (color: boolean): Paint => {
  const as =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text
  return {
    strong: as('bold'),
    dim: as('dim'),
    good: as('green'),
    bad: as('red'),
    warn: as('yellow'),
    accent: as('cyan'),
  }
}

/** Rows whose columns begin below each other; the last column is never padded. Widths count what is seen. */
export const columns = (rows: readonly (readonly string[])[], gap = 2): string => {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, visibleLength(cell))),
    [],
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - visibleLength(cell) + gap),
      )
      .join('')
      .trimEnd()
  return rows.map(line).join('\n')
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
const visibleLength = (text: string): number => [...text.replace(escapes, '')].length
