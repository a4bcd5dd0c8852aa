import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsWithin, shownRows } from '../../../functions/page/parts/window/shown-rows.ts'
import { lawRuns } from '../../builders/laws.ts'

const lists = fc.record({
  heights: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 }),
  start: fc.integer({ min: -500, max: 3_000 }),
  height: fc.integer({ min: 0, max: 900 }),
  besides: fc.option(fc.nat(59), { nil: undefined }),
})

test('every row that is seen is drawn, and all rows together are as high as the list', () => {
  fc.assert(
    fc.property(lists, ({ heights, start, height, besides }) => {
      const heightOf = (n: number) => heights[n] ?? 0
      const range = rowsWithin(heights.length, heightOf, start, start + height)
      expect(range.to).toBeGreaterThan(range.from)
      const rows = shownRows(heights.length, heightOf, range, besides === undefined ? [] : [besides % heights.length])
      const drawn = new Map<number, number>()
      let y = 0
      for (const { n, before, after } of rows) {
        y += before
        drawn.set(n, y)
        y += heightOf(n) + after
      }
      let top = 0
      for (const [n, each] of heights.entries()) {
        if (top + each > start && top < start + height) expect(drawn.get(n)).toBe(top)
        else if (drawn.has(n)) expect(drawn.get(n)).toBe(top)
        top += each
      }
      expect(y).toBe(top)
      if (besides !== undefined) expect(drawn.has(besides % heights.length)).toBe(true)
    }),
    lawRuns(300),
  )
})
