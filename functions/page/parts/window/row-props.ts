import type { WindowOf } from './use-window.ts'

type PlacedRow = WindowOf<unknown>['rows'][number]

/** Of an element in a list that has other children than its rows, or names no number: a term with its description. */
export const rowProps = ({ key, before, after }: PlacedRow) => ({
  'data-row': key,
  ...((before > 0 || after > 0) && { style: { marginTop: `${before}px`, marginBottom: `${after}px` } }),
})

/** Of an `li`: a screen reader says which one of how many it is. */
export const itemProps = (row: PlacedRow, count: number) => ({
  ...rowProps(row),
  'aria-setsize': count,
  'aria-posinset': row.n + 1,
})
