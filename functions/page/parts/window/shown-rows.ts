/** Numbers of rows: `to` is the first one behind. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

export type HeightOf = (n: number) => number

/** The rows that touch a stretch of the list, in pixels from its top. A stretch outside has the row that is nearest to it. */
export const rowsWithin = (count: number, heightOf: HeightOf, start: number, end: number): RowRange => {
  let from = 0
  let y = 0
  while (from < count - 1 && y + heightOf(from) <= start) y += heightOf(from++)
  let to = from
  while (to < count && (to === from || y < end)) y += heightOf(to++)
  return { from, to }
}

export interface ShownRow {
  readonly n: number
  /** Pixels that rows which are not drawn take before it, and behind the last one. */
  readonly before: number
  readonly after: number
}

/** The rows of a range, and others besides that must not go away, with the room that all others take. */
export const shownRows = (
  count: number,
  heightOf: HeightOf,
  { from, to }: RowRange,
  besides: readonly number[],
): readonly ShownRow[] => {
  const within = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, n) => from + n)
  const numbers = [...new Set([...within, ...besides.filter((n) => n >= 0 && n < count)])].toSorted((a, b) => a - b)
  const room = (first: number, end: number): number => {
    let sum = 0
    for (let n = first; n < end; n += 1) sum += heightOf(n)
    return sum
  }
  return numbers.map((n, place) => ({
    n,
    before: room((numbers[place - 1] ?? -1) + 1, n),
    after: place === numbers.length - 1 ? room(n + 1, count) : 0,
  }))
}
