import { commonEnds, intern } from '../../values/texts/common-ends.ts'

export type CommonPlace = readonly [before: number, after: number]

/**
 * The positions of a long common subsequence of two lists, in order. It is a longest one as long as the lists differ in
 * fewer than about `2 * maxRounds` consecutive positions; beyond that, the best path found so far is used, so that time
 * stays linear in the lists. Space is always linear.
 * Myers, "An O(ND) difference algorithm and its variations" (Algorithmica 1, 1986), section 4b.
 */
export const commonPlaces = (before: readonly string[], after: readonly string[]): readonly CommonPlace[] => {
  const [left, right] = intern(before, after)
  const { head, tail } = commonEnds(left, right)
  const middle = { left: left.subarray(head, left.length - tail), right: right.subarray(head, right.length - tail) }
  // Elements that the other side does not have are never common.
  const kept = {
    before: placesIn(middle.left, middle.right),
    after: placesIn(middle.right, middle.left),
  }
  const found = Array.from({ length: head }, (_, place): CommonPlace => [place, place])
  walk(pick(middle.left, kept.before), pick(middle.right, kept.after), (b, a) => {
    found.push([head + (kept.before[b] as number), head + (kept.after[a] as number)])
  })
  for (let place = tail; place > 0; place--) found.push([left.length - place, right.length - place])
  return found
}

const placesIn = (own: Int32Array, other: Int32Array): readonly number[] => {
  const there = new Set(other)
  return [...own.keys()].filter((place) => there.has(own[place] as number))
}

const pick = (ids: Int32Array, places: readonly number[]): Int32Array =>
  Int32Array.from(places, (place) => ids[place] as number)

/** Rounds of one search; after them the best path so far is used. Round `n` takes at most `n` steps. */
const maxRounds = 1_000
/** Marks a diagonal that no path has reached yet. */
const unreached = -0x40000000

/** A part of both lists; `right` and `bottom` are exclusive. */
interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The furthest positions by diagonal, from the start and from the end, with an offset so that no index is negative. */
interface Frontier {
  readonly ahead: Int32Array
  readonly back: Int32Array
  readonly zero: number
}

const walk = (before: Int32Array, after: Int32Array, emit: (b: number, a: number) => void): void => {
  const size = before.length + after.length + 2
  const reach = { ahead: new Int32Array(2 * size + 1), back: new Int32Array(2 * size + 1), zero: size }
  const solve = (box: Box): void => {
    let { left, right, top, bottom } = box
    while (left < right && top < bottom && before[left] === after[top]) emit(left++, top++)
    let tail = 0
    while (left < right && top < bottom && before[right - 1] === after[bottom - 1]) {
      right--
      bottom--
      tail++
    }
    if (left < right && top < bottom) {
      const [b, a] = split(before, after, { left, right, top, bottom }, reach)
      solve({ left, right: b, top, bottom: a })
      solve({ left: b, right, top: a, bottom })
    }
    for (let n = 0; n < tail; n++) emit(right + n, bottom + n)
  }
  solve({ left: 0, right: before.length, top: 0, bottom: after.length })
}

/**
 * A position inside the box (not its start or its end) on a shortest path of edits. The search goes from both ends, one
 * edit in each round, until the paths meet. The ends of the lists differ, so a path has at least two edits.
 */
const split = (before: Int32Array, after: Int32Array, box: Box, reach: Frontier): CommonPlace => {
  const { left, right, top, bottom } = box
  const { ahead, back, zero } = reach
  const width = right - left
  const height = bottom - top
  const delta = width - height
  for (let round = 0; ; round++) {
    for (const way of [ahead, back]) way[zero + round + 1] = way[zero - round - 1] = unreached
    // Diagonals outside of the box are skipped; the diagonals of one round are all even or all odd.
    const low = round <= height ? -round : ((round - height) & 1) - height
    const high = round <= width ? round : width - ((round - width) & 1)
    for (let k = low; k <= high; k += 2) {
      let x = round === 0 ? 0 : step(ahead, zero, k, width, height)
      while (x >= 0 && x < width && x - k < height && before[left + x] === after[top + x - k]) x++
      ahead[zero + k] = x
      if ((delta & 1) === 0 || Math.abs(delta - k) >= round) continue
      if (x + (back[zero + delta - k] as number) >= width) return [left + x, top + x - k]
    }
    for (let k = low; k <= high; k += 2) {
      let x = round === 0 ? 0 : step(back, zero, k, width, height)
      while (x >= 0 && x < width && x - k < height && before[right - 1 - x] === after[bottom - 1 - x + k]) x++
      back[zero + k] = x
      if ((delta & 1) === 1 || Math.abs(delta - k) > round) continue
      if (x + (ahead[zero + delta - k] as number) >= width) return [right - x, bottom - x + k]
    }
    if (round === maxRounds) return bestSoFar(box, reach, low, high)
  }
}

/** One more edit on diagonal `k`, which skips an element of one list or of the other, if that list has one left. */
const step = (way: Int32Array, zero: number, k: number, width: number, height: number): number => {
  const right = (way[zero + k - 1] as number) + 1
  const down = way[zero + k + 1] as number
  const x = down - k <= height ? down : unreached
  return right <= width && right > x ? right : x
}

const bestSoFar = ({ left, top }: Box, { ahead, zero }: Frontier, low: number, high: number): CommonPlace => {
  let best = low
  const progress = (k: number): number => 2 * (ahead[zero + k] as number) - k
  for (let k = low; k <= high; k += 2) if (progress(k) > progress(best)) best = k
  const x = ahead[zero + best] as number
  return [left + x, top + x - best]
}
