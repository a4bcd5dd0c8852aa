import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intern } from '../../../../core/engine/values/texts/common-ends.ts'
import { alignLists, alignSets } from '../../../../core/pages/tofu/compat/align.ts'
import { lawRuns } from '../../../builders/laws.ts'

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

test('each element of an aligned list appears once and in order, and as many as possible stay in place', () => {
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

/** The choice among equally long ones, by the whole grid: back from the end, in `after` first. */
const chosen = (before: readonly string[], after: readonly string[]): string[] => {
  const grid = after.map(() => new Array<number>(before.length).fill(0))
  const at = (x: number, y: number): number => grid[y]?.[x] ?? 0
  for (const [y, row] of grid.entries())
    for (const x of before.keys())
      row[x] = before[x] === after[y] ? at(x - 1, y - 1) + 1 : Math.max(at(x, y - 1), at(x - 1, y))
  const common: string[] = []
  let [x, y] = [before.length - 1, after.length - 1]
  while (x >= 0 && y >= 0) {
    if (before[x] === after[y]) {
      common.unshift(before[x] ?? '')
      x -= 1
      y -= 1
    } else if (at(x - 1, y) > at(x, y - 1)) x -= 1
    else y -= 1
  }
  return common
}

test('in long lists the same elements stay in place as in a comparison of all pairs', () => {
  const long = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 100, maxLength: 400 })
  const texts = fc.array(fc.constantFrom('a', 'b', 'x'), { maxLength: 120 })
  const edits = fc.array(fc.tuple(fc.nat(400), fc.nat(120), texts), { maxLength: 8 })
  fc.assert(
    fc.property(long, edits, (before, changes) => {
      const after: string[] = [...before]
      for (const [place, count, come] of changes) after.splice(place, count, ...come)
      const still = pairsOf(before, after).filter(([i, j]) => i < before.length && j < after.length)
      expect(still.map(([i]) => before[i])).toEqual(chosen(before, after))
    }),
    lawRuns(150),
  )
})

test('an element that moved far is still found', () => {
  const lines = (count: number, name: string): string[] =>
    Array.from({ length: count }, (_, index) => `${name}${index}`)
  const same = lines(300, 'same')
  const before = [...same, ...lines(200, 'moved'), 'end']
  const after = [...lines(200, 'moved'), ...same, 'end']
  const still = pairsOf(before, after).filter(([i, j]) => i < before.length && j < after.length)
  expect(still.map(([i]) => before[i])).toEqual([...same, 'end'])
})

test('an insertion before objects is shown as OpenTofu shows it: each object changes, and the last is new', () => {
  expect(pairsOf(['A', 'B'], ['X', 'A', 'B'], () => true)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

test('ten thousand lines with a hundred edits pair all unchanged lines', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
  const edited = lines.map((line, index) => (index % 100 === 50 ? `${line}!` : line))
  expect(pairsOf(lines, edited)).toHaveLength(10_100)
})

test('in sets the first of several equal elements takes all its partners', () => {
  expect(alignSets(['a', 'a', 'b'], ['b', 'a', 'a', undefined])).toEqual([
    [0, 2],
    [1, 4],
    [2, 0],
    [3, 3],
  ])
})
