import { defined } from '../../values/defined.ts'
import { compareText } from './canonical.ts'
import { type CommonPlace, commonPlaces } from './common-places.ts'

/** Positions on both sides; one is absent for an element that exists only on the other side. */
export interface Aligned {
  readonly before?: number
  readonly after?: number
}

/** How the elements of an unmatched run are paired, by their positions in the whole lists. */
export interface Pairing {
  /** From 0 to 1; above 0.5 the two elements are shown as one changed element. */
  readonly likeness: (before: number, after: number) => number
  /** What distinguishes an element from its neighbours, even if its other members change. */
  readonly names?: { readonly before: readonly Name[]; readonly after: readonly Name[] }
}

type Name = string | undefined

/**
 * Maximum compared pairs within one run, and within all runs of a list; beyond that, elements are paired by position.
 */
const limits = { run: 10_000, list: 100_000 }

/**
 * Aligns two lists by the texts of their elements: first the longest common subsequence; then, within each unmatched
 * run, elements with the same name, and then pairs that are more than half alike, without crossing. If the sides are
 * swapped, the pairs are the same with swapped positions.
 */
export const align = (before: readonly string[], after: readonly string[], pairing: Pairing): readonly Aligned[] => {
  if (!isForward(before, after)) return align(after, before, swapped(pairing)).map(flip).reduce(deletesFirst, [])
  const common = commonPlaces(before, after)
  const spare = { pairs: limits.list }
  const whole = { before: range(before.length), after: range(after.length) }
  return between(whole, common, (run) =>
    between(run, namesakes(run, pairing.names), (rest) =>
      between(rest, alikePairs(rest, pairing.likeness, spare), ({ before: gone, after: come }) => [
        ...gone.map((place) => ({ before: place })),
        ...come.map((place) => ({ after: place })),
      ]),
    ),
  )
}

/** The direction in which the pairs are computed, because the algorithm itself is not symmetric. */
const isForward = (before: readonly string[], after: readonly string[]): boolean => {
  if (before.length !== after.length) return before.length < after.length
  const index = before.findIndex((text, i) => text !== after[i])
  return index === -1 || compareText(before[index] ?? '', after[index] ?? '') < 0
}

const swapped = ({ likeness, names }: Pairing): Pairing => ({
  likeness: (b, a) => likeness(a, b),
  ...defined({ names: names && { before: names.after, after: names.before } }),
})

const flip = ({ before, after }: Aligned): Aligned => defined({ before: after, after: before })

/** Moves a delete before the creates directly before it. */
const deletesFirst = (sorted: Aligned[], next: Aligned): Aligned[] => {
  let place = sorted.length
  if (next.after === undefined) while (place > 0 && sorted[place - 1]?.before === undefined) place--
  sorted.splice(place, 0, next)
  return sorted
}

/** Unmatched neighbours on both sides, as positions in the whole lists. */
interface Gap {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

type AlignGap = (run: Gap) => readonly Aligned[]

const range = (length: number): readonly number[] => Array.from({ length }, (_, n) => n)

/**
 * Concatenates the pairs (positions within the run) and the result of `alignGap` for each gap before, between and after
 * them.
 */
const between = ({ before, after }: Gap, pairs: readonly CommonPlace[], alignGap: AlignGap): readonly Aligned[] => {
  const parts: Aligned[] = []
  let b = 0
  let a = 0
  const close = (toB: number, toA: number): void => {
    if (b === toB && a === toA) return
    for (const part of alignGap({ before: before.slice(b, toB), after: after.slice(a, toA) })) parts.push(part)
  }
  for (const [nextB, nextA] of pairs) {
    close(nextB, nextA)
    parts.push({ before: before[nextB] as number, after: after[nextA] as number })
    b = nextB + 1
    a = nextA + 1
  }
  close(before.length, after.length)
  return parts
}

/** The pairs with the same name. An element without a name gets one that the other side does not have. */
const namesakes = ({ before, after }: Gap, names: Pairing['names']): readonly CommonPlace[] => {
  if (names === undefined || before.length === 0 || after.length === 0) return []
  const text = (name: Name, place: number, side: string): string =>
    name === undefined ? `${side}${place}` : `=${name}`
  return commonPlaces(
    before.map((place) => text(names.before[place], place, '<')),
    after.map((place) => text(names.after[place], place, '>')),
  )
}

/** The pairs, as positions within the run, that do not cross and have the greatest total likeness. */
const alikePairs = (
  { before, after }: Gap,
  likeness: Pairing['likeness'],
  spare: { pairs: number },
): readonly CommonPlace[] => {
  const like = (b: number, a: number): number => {
    // Rounded, so that adding the members in another order does not change the result.
    const value = Math.round(likeness(before[b] as number, after[a] as number) * 1e6) / 1e6
    return value > 0.5 ? value : 0
  }
  const pairs = before.length * after.length
  if (pairs > Math.min(limits.run, spare.pairs)) {
    return range(Math.min(before.length, after.length)).flatMap((n) => (like(n, n) > 0 ? [[n, n] as const] : []))
  }
  spare.pairs -= pairs
  return bestPairs(before.map((_, b) => after.map((_, a) => like(b, a))))
}

const bestPairs = (likes: readonly (readonly number[])[]): readonly CommonPlace[] => {
  const height = likes.length
  const width = likes[0]?.length ?? 0
  const best = likes.map((row) => row.map(() => 0))
  const at = (b: number, a: number): number => best[b]?.[a] ?? 0
  for (let b = height - 1; b >= 0; b--) {
    const row = best[b] as number[]
    for (let a = width - 1; a >= 0; a--) {
      row[a] = Math.max(at(b + 1, a), at(b, a + 1), (likes[b]?.[a] ?? 0) + at(b + 1, a + 1))
    }
  }
  const pairs: CommonPlace[] = []
  for (let b = 0, a = 0; b < height && a < width; ) {
    const value = likes[b]?.[a] ?? 0
    if (value > 0 && at(b, a) === value + at(b + 1, a + 1)) pairs.push([b++, a++])
    else if (at(b, a) === at(b + 1, a)) b++
    else a++
  }
  return pairs
}
