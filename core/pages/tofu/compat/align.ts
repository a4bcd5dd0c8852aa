import { commonEnds } from '../../../engine/values/texts/common-ends.ts'
import type { DifferRules } from './rules.ts'

/** Indexes of elements that belong together; the length of a side means that there is none. */
export type IndexPair = readonly [before: number, after: number]

/** Above this many cells (half a gigabyte of work, 50 MB) two runs count as wholly different. */
const maxCells = 400_000_000

/**
 * The longest common subsequence, in the choice that OpenTofu makes among equally long ones: from the end, the equal
 * pair first, else one step back in `after` unless that loses length. Equal ends never change that choice.
 */
const commonIds = (before: Int32Array, after: Int32Array): number[] => {
  const { head: start, tail: end } = commonEnds(before, after)
  const middle = commonInMiddle(before.subarray(start, before.length - end), after.subarray(start, after.length - end))
  return [...before.subarray(0, start), ...middle, ...before.subarray(before.length - end)]
}

/** Steps off the diagonal that are tried first; most texts differ in little. */
const firstBand = 64

/**
 * Only cells near the diagonal are looked at. Where the best way through them leaves it less often than they are wide,
 * no better way runs outside, and all that a choice on the way depends on is inside. Else they are made wider.
 */
const commonInMiddle = (before: Int32Array, after: Int32Array): number[] => {
  if (before.length === 0 || after.length === 0) return []
  const most = Math.max(before.length, after.length)
  for (let band = Math.abs(before.length - after.length) + firstBand; ; band *= 2) {
    const width = Math.min(band, most)
    if (after.length * (2 * width + 1) > maxCells) return []
    const { length, goLeft } = fillBand(before, after, width)
    const steps = before.length + after.length - 2 * length
    if (width === most || steps < width) return walkBack(before, after, goLeft, width)
  }
}

/** The length of what is common to both, and for each cell of the band whether the way goes on in `before`. */
const fillBand = (before: Int32Array, after: Int32Array, band: number) => {
  const goLeft = new Uint8Array(Math.ceil((after.length * (2 * band + 1)) / 8))
  // Lengths of the row above, overwritten from the left by those of this row; 0 outside, which is never too much.
  const lengths = new Int32Array(before.length)
  for (let y = 0; y < after.length; y += 1) {
    const element = after[y]
    const start = Math.max(0, y - band)
    const end = Math.min(before.length, y + band + 1)
    let left = 0
    let diagonal = start > 0 ? (lengths[start - 1] ?? 0) : 0
    let cell = y * (2 * band + 1) + start - y + band
    for (let x = start; x < end; x += 1) {
      const up = lengths[x] ?? 0
      if (before[x] === element) left = diagonal + 1
      else if (left > up) goLeft[cell >> 3] = (goLeft[cell >> 3] ?? 0) | (1 << (cell & 7))
      else left = up
      diagonal = up
      lengths[x] = left
      cell += 1
    }
  }
  return { length: lengths.at(-1) ?? 0, goLeft }
}

const walkBack = (before: Int32Array, after: Int32Array, goLeft: Uint8Array, band: number): number[] => {
  const common: number[] = []
  let x = before.length - 1
  let y = after.length - 1
  while (x >= 0 && y >= 0) {
    const cell = y * (2 * band + 1) + x - y + band
    if (before[x] === after[y]) {
      common.push(before[x] ?? 0)
      x -= 1
      y -= 1
    } else if (((goLeft[cell >> 3] ?? 0) >> (cell & 7)) & 1) x -= 1
    else y -= 1
  }
  return common.reverse()
}

export interface Aligning extends Pick<DifferRules, 'alignsByPlace' | 'pairsWhatComes'> {
  /** Two elements that differ may become one change. */
  readonly inPlace: (before: number, after: number) => boolean
}

const arePermuted = (before: Int32Array, after: Int32Array): boolean => {
  const sorted = after.toSorted()
  return before.toSorted().every((element, index) => element === sorted[index])
}

/**
 * The walk over two lists: what is common stands still, what is not goes or comes, and where `inPlace` allows it two
 * elements that differ become one change.
 */
export const alignLists = (
  before: Int32Array,
  after: Int32Array,
  { inPlace, alignsByPlace, pairsWhatComes }: Aligning,
): IndexPair[] => {
  if (alignsByPlace && before.length === after.length && !arePermuted(before, after))
    return Array.from(before, (_, index) => [index, index])
  const common = commonIds(before, after)
  const pairs: IndexPair[] = []
  let i = 0
  let j = 0
  for (let k = 0; k <= common.length; k += 1) {
    const next = common[k]
    while (i < before.length && before[i] !== next) {
      const together = j < after.length && after[j] !== next && inPlace(i, j)
      pairs.push([i, together ? j : after.length])
      i += 1
      if (together) j += 1
    }
    while (j < after.length && after[j] !== next) {
      const together = pairsWhatComes && i < before.length && inPlace(i, j)
      pairs.push([together ? i : before.length, j])
      j += 1
      if (together) i += 1
    }
    if (next === undefined) break
    pairs.push([Math.min(i, before.length), Math.min(j, after.length)])
    i += 1
    j += 1
  }
  return pairs
}

/**
 * Sets: each element of `before` takes all its equals in `after` that are still free, and stands with the last of them.
 * What is left over goes or comes.
 */
export const alignSets = (before: readonly string[], after: readonly (string | undefined)[]): IndexPair[] => {
  const free = new Map<string, number>()
  for (const [index, element] of after.entries()) if (element !== undefined) free.set(element, index)
  const taken = new Set<string>()
  const pairs: IndexPair[] = before.map((element, index) => {
    const partner = taken.has(element) ? undefined : free.get(element)
    if (partner !== undefined) taken.add(element)
    return [index, partner ?? after.length]
  })
  const rest = after.flatMap((element, index): IndexPair[] =>
    element !== undefined && taken.has(element) ? [] : [[before.length, index]],
  )
  return [...pairs, ...rest]
}
