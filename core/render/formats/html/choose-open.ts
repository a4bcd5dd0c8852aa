import type { Block } from '../../report/report.ts'
import type { Row } from '../../rows/row.ts'

/** Rows that stand open on a page before the rest is closed. */
const roomForAll = 250
const roomForDestroyed = 2_000

/** What destroys stands open, as long as a page can be read so; the rest only where the page is small. */
export const chooseOpen = (blocks: readonly Block[]): readonly boolean[] => {
  const sizes = blocks.map((block) => 2 + sizeOf(block.rows))
  const isSmall = sizes.reduce((sum, size) => sum + size, 0) <= roomForAll
  let left = roomForDestroyed
  return blocks.map((block, position) => {
    if (isSmall) return true
    if (!block.symbol.includes('-') || left <= 0) return false
    left -= sizes[position] ?? 0
    return true
  })
}

const sizeOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + 1 + sizeOf(row.rows), 0)
