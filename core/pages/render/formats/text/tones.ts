import { columns, padEnd, widest } from '../../characters/measure.ts'
import type { Palette } from '../../characters/palette.ts'
import { thousands } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'
import { type Block, type ModuleTally, toneOfSymbol } from '../../report/report.ts'

/** The colour of a block, by what it does. */
export const byTone = (tone: Block['tone'], paint: Palette): Palette['red'] =>
  ({ create: paint.green, update: paint.yellow, delete: paint.red, other: paint.cyan })[tone]

/** The colour of a count. */
export const bySymbol = (symbol: string, paint: Palette): Palette['red'] =>
  symbol === '' ? paint.dim : byTone(toneOfSymbol(symbol), paint)

/** Counts by module, children below their parents: `module.eu    - 1   ~ 3`. */
export const moduleTree = (modules: readonly ModuleTally[], paint: Palette): readonly string[] => {
  const labels = modules.map(({ depth, label }) => `${'  '.repeat(depth)}${visible(label)}`)
  const room = Math.min(48, widest(labels))
  return modules.map(({ counts }, position) => {
    const cells = counts.map(({ symbol, n }) =>
      bySymbol(symbol, paint)(`${symbol}${symbol === '' ? '' : ' '}${thousands(n)}`),
    )
    const label = labels[position] ?? ''
    return `  ${columns(label) > room ? label : padEnd(label, room)}  ${cells.join('  ')}`.trimEnd()
  })
}
