import type { AnchorsVerdict, AnchorVerdict } from '../../../engine/schema/stored/anchor.ts'
import { present } from '../../../engine/values/defined.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import type { PrintOptions } from './render-commands.ts'
import { renderVerdict } from './render-ledger.ts'
import { timeWords } from './render-runs.ts'

const statusWords = ({ status, entry }: AnchorVerdict): string => {
  if (status === 'broken') return `BROKEN at entry ${entry}`
  return status === 'holds' ? 'holds' : status.toUpperCase()
}

const cells = (one: AnchorVerdict, paint: Palette): readonly Cell[] => [
  { text: `  ${statusWords(one)}`, paint: one.status === 'holds' ? paint.green : paint.red },
  { text: one.anchor === undefined ? '' : `entry ${one.anchor.seq}` },
  { text: one.anchor === undefined ? '' : timeWords(one.anchor.at), paint: paint.dim },
  { text: visible(present(one.name, one.detail).join(': ')) },
]

/** The chain, each anchor, and what is proven. */
export const renderAnchors = (verdict: AnchorsVerdict, options: PrintOptions = {}): string => {
  const { ledger, anchors, proven } = verdict
  const paint = palette(options.color)
  const sum =
    proven === undefined
      ? `${paint.red('NOTHING IS PROVEN')}: no anchor holds`
      : `proven: entries 1 to ${proven.seq} are complete and as they were at ${proven.at}`
  return `${renderVerdict(ledger, options)}anchors:\n${alignCells(anchors.map((one) => cells(one, paint))).join('\n')}\n${sum}\n`
}
