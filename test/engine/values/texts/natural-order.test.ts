import fc from 'fast-check'
import { expect, test } from 'vitest'
import { naturally } from '../../../../core/engine/values/texts/natural-order.ts'

test.each([
  [
    ['f10', 'f2', 'f1'],
    ['f1', 'f2', 'f10'],
  ],
  [
    ['a.b10.c1', 'a.b9.c20', 'a.b9.c3'],
    ['a.b9.c3', 'a.b9.c20', 'a.b10.c1'],
  ],
  [
    ['v1', 'v01', 'v001', 'v2'],
    ['v001', 'v01', 'v1', 'v2'],
  ],
  [
    ['f', 'f1', 'e9', 'g'],
    ['e9', 'f', 'f1', 'g'],
  ],
  [
    ['a[9]', 'a[10]', 'a["x"]'],
    ['a["x"]', 'a[9]', 'a[10]'],
  ],
  [
    ['x99999999999999999999', 'x100000000000000000000'],
    ['x99999999999999999999', 'x100000000000000000000'],
  ],
])('%j is put into the order of %j', (given, ordered) => {
  expect(given.toSorted(naturally)).toEqual(ordered)
})

const text = fc.stringMatching(/^[ab.0129]{0,8}$/)

test('it is a total order', () => {
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(naturally(a, b)) + Math.sign(naturally(b, a))).toBe(0)
      expect(naturally(a, b) === 0).toBe(a === b)
      if (naturally(a, b) <= 0 && naturally(b, c) <= 0) expect(naturally(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 3_000 },
  )
})
