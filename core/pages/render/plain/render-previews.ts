import type { Workspace } from '../../../engine/schema/stored/records.ts'
import { palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import type { PrintOptions } from './render-commands.ts'
import { countWords, statusPaint, statusWords, timeWords } from './render-runs.ts'

/** One line each: the preview, its branch, what the last check found, and when it expires. `at` is the time now. */
export const renderPreviews = (previews: readonly Workspace[], at: string, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  if (previews.length === 0) return 'no previews\n'
  const rows = previews.map(({ id, preview, lastRun }): readonly Cell[] => {
    const expiresAt = preview?.expiresAt ?? ''
    const isExpired = expiresAt <= at
    return [
      { text: visible(id), paint: paint.bold },
      { text: visible(preview?.branch ?? '') },
      lastRun === undefined
        ? { text: 'never checked', paint: paint.dim }
        : { text: statusWords[lastRun.status], paint: statusPaint(lastRun.status, paint) },
      { text: countWords(lastRun?.counts) },
      isExpired
        ? { text: `expired ${timeWords(expiresAt)}`, paint: paint.red }
        : { text: `expires ${timeWords(expiresAt)}`, paint: paint.dim },
    ]
  })
  return `${alignCells(rows).join('\n')}\n`
}
