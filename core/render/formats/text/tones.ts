import type { Palette } from '../../characters/palette.ts'
import type { Block } from '../../report/report.ts'

type Paint = Palette['red']

/** The colour of a block, by what it does. */
export const byTone = (tone: Block['tone'], paint: Palette): Paint =>
  ({ create: paint.green, update: paint.yellow, delete: paint.red, other: paint.cyan })[tone]

/** The colour of a count, by its symbol: what destroys holds a minus. */
export const bySymbol = (symbol: string, paint: Palette): Paint => {
  if (symbol.includes('-')) return paint.red
  if (symbol === '+') return paint.green
  if (symbol === '*' || symbol === '<=') return paint.cyan
  return symbol === '' ? paint.dim : paint.yellow
}
