import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignLists, alignSets, intern } from '../../core/tofu/align.ts'

const never = (): boolean => false
const pairsOf = (before: readonly string[], after: readonly string[], inPlace = never) =>
  alignLists(...intern(before, after), { inPlace, alignsByPlace: false, pairsWhatComes: true })

/** The length of a longest common subsequence, by its definition. */
const commonLength = (a: readonly string[], b: readonly string[]): number => {
  const [first, ...rest] = a
  if (first === undefined) return 0
  const at = b.indexOf(first)
  return Math.max(commonLength(rest, b), at < 0 ? 0 : 1 + commonLength(rest, b.slice(at + 1)))
}

const few = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })

test('every element is there once and in order, and as much as can be stands still', () => {
  fc.assert(
    fc.property(few, few, (before, after) => {
      const pairs = pairsOf(before, after)
      expect(pairs.flatMap(([i]) => before.slice(i, i + 1))).toEqual(before)
      expect(pairs.flatMap(([, j]) => after.slice(j, j + 1))).toEqual(after)
      const still = pairs.filter(([i, j]) => i < before.length && j < after.length)
      expect(still.every(([i, j]) => before[i] === after[j])).toBe(true)
      expect(still).toHaveLength(commonLength(before, after))
    }),
  )
})

test('an insertion before objects is shown as upstream shows it: each changes, the last comes', () => {
  expect(pairsOf(['A', 'B'], ['X', 'A', 'B'], () => true)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

test('ten thousand lines with a hundred edits pair all the others', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
  const edited = lines.map((line, index) => (index % 100 === 50 ? `${line}!` : line))
  expect(pairsOf(lines, edited)).toHaveLength(10_100)
})

test('in sets the first of equals takes all its partners', () => {
  expect(alignSets(['a', 'a', 'b'], ['b', 'a', 'a', undefined])).toEqual([
    [0, 2],
    [1, 4],
    [2, 0],
    [3, 3],
  ])
})
