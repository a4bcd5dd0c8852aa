import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPlaces } from '../../../core/engine/diff/matching/common-places.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'

/** The textbook table. */
const longest = (left: readonly string[], right: readonly string[]): number => {
  let above = right.map(() => 0)
  for (const one of left) {
    const row: number[] = []
    right.forEach((other, n) => {
      row.push(one === other ? (above[n - 1] ?? 0) + 1 : Math.max(above[n] ?? 0, row[n - 1] ?? 0))
    })
    above = row
  }
  return above.at(-1) ?? 0
}

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 })

const expectSound = (left: readonly string[], right: readonly string[]): number => {
  const places = commonPlaces(left, right)
  places.forEach(([b, a], n) => {
    expect(left[b]).toBe(right[a])
    expect(b).toBeGreaterThan(places[n - 1]?.[0] ?? -1)
    expect(a).toBeGreaterThan(places[n - 1]?.[1] ?? -1)
  })
  return places.length
}

test('finds a longest common subsequence', () =>
  fc.assert(
    fc.property(letters, letters, (left, right) => {
      expect(expectSound(left, right)).toBe(longest(left, right))
    }),
    lawRuns(2_000),
  ))

test('finds a long common subsequence where the inputs exceed the bound for the longest', long, () => {
  const scattered = (n: number, step: number) => Array.from({ length: n }, (_, i) => `${(i * step) % 997}`)
  expect(expectSound(scattered(6_000, 7), scattered(6_000, 11))).toBeGreaterThan(500)
})
