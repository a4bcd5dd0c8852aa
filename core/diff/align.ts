import { diffArrays } from 'diff'
import { compareText } from './canonical.ts'

/** Places on both sides; one side is absent for what exists on the other only. */
export interface Aligned {
  readonly before?: number
  readonly after?: number
}

interface Run {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Beyond this many edits the middle is taken as replaced: Myers' algorithm is quadratic in them. */
const maxEdits = 2_000
/** Pairs looked at within one run; a larger run is paired by place. */
const maxPairs = 10_000

/**
 * Aligns two lists by the texts of their elements: longest common subsequence first, then, within each unmatched run,
 * pairs of elements alike enough (`likeness` from 0 to 1, at least 0.5) without crossing. Swapping the sides gives the
 * same pairs the other way round.
 */
export const align = (
  before: readonly string[],
  after: readonly string[],
  likeness: (before: number, after: number) => number,
): readonly Aligned[] => {
  if (!isForward(before, after))
    return align(after, before, (a, b) => likeness(b, a))
      .map(flip)
      .reduce(deletesFirst, [])
  return segments(before, after).flatMap((segment) => ('run' in segment ? pairRun(segment.run, likeness) : [segment]))
}

/** Which of both directions is computed: the algorithm itself is not symmetric. */
const isForward = (before: readonly string[], after: readonly string[]): boolean => {
  if (before.length !== after.length) return before.length < after.length
  const index = before.findIndex((text, i) => text !== after[i])
  return index === -1 || compareText(before[index] ?? '', after[index] ?? '') < 0
}

const flip = ({ before, after }: Aligned): Aligned => ({
  ...(after === undefined ? {} : { before: after }),
  ...(before === undefined ? {} : { after: before }),
})

/** Moves a delete before the creates that stand directly in front of it. */
const deletesFirst = (sorted: Aligned[], next: Aligned): Aligned[] => {
  let place = sorted.length
  if (next.after === undefined) while (place > 0 && sorted[place - 1]?.before === undefined) place--
  sorted.splice(place, 0, next)
  return sorted
}

const segments = (
  before: readonly string[],
  after: readonly string[],
): readonly (Aligned | { readonly run: Run })[] => {
  const parts: (Aligned | { readonly run: Run })[] = []
  let run: { before: number[]; after: number[] } = { before: [], after: [] }
  const close = (): void => {
    if (run.before.length + run.after.length > 0) parts.push({ run })
    run = { before: [], after: [] }
  }
  let b = 0
  let a = 0
  for (const part of edits(before, after)) {
    if (!part.added && !part.removed) close()
    for (let n = 0; n < part.count; n++) {
      if (part.removed) run.before.push(b++)
      else if (part.added) run.after.push(a++)
      else parts.push({ before: b++, after: a++ })
    }
  }
  close()
  return parts
}

interface Edit {
  readonly added: boolean
  readonly removed: boolean
  readonly count: number
}

const edits = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  const found = diffArrays([...before], [...after], { maxEditLength: maxEdits })
  if (found !== undefined) return found
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return [
    { added: false, removed: false, count: head },
    { added: false, removed: true, count: before.length - head - tail },
    { added: true, removed: false, count: after.length - head - tail },
    { added: false, removed: false, count: tail },
  ]
}

const pairRun = (run: Run, likeness: (before: number, after: number) => number): readonly Aligned[] => {
  const pairs = bestPairs(run, likeness)
  const parts: Aligned[] = []
  let b = 0
  let a = 0
  for (const [left, right] of [...pairs, [run.before.length, run.after.length] as const]) {
    while (b < left) parts.push({ before: run.before[b++] as number })
    while (a < right) parts.push({ after: run.after[a++] as number })
    if (b < run.before.length && a < run.after.length) {
      parts.push({ before: run.before[b++] as number, after: run.after[a++] as number })
    }
  }
  return parts
}

/** The pairs, as places within the run, that do not cross and are most alike together. */
const bestPairs = (
  { before, after }: Run,
  likeness: (before: number, after: number) => number,
): readonly (readonly [number, number])[] => {
  const like = (b: number, a: number): number => {
    // Rounded: members summed up in another order must not tip the balance.
    const value = Math.round(likeness(before[b] as number, after[a] as number) * 1e6) / 1e6
    return value >= 0.5 ? value : 0
  }
  if (before.length * after.length > maxPairs) {
    const shorter = Math.min(before.length, after.length)
    return Array.from({ length: shorter }, (_, i) => [i, i] as const).filter(([b, a]) => like(b, a) > 0)
  }
  const likes = before.map((_, b) => after.map((_, a) => like(b, a)))
  const best = before.map(() => after.map(() => 0))
  const at = (b: number, a: number): number => best[b]?.[a] ?? 0
  for (let b = before.length - 1; b >= 0; b--) {
    const row = best[b] as number[]
    for (let a = after.length - 1; a >= 0; a--) {
      row[a] = Math.max(at(b + 1, a), at(b, a + 1), (likes[b]?.[a] ?? 0) + at(b + 1, a + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let b = 0, a = 0; b < before.length && a < after.length; ) {
    const value = likes[b]?.[a] ?? 0
    if (value > 0 && at(b, a) === value + at(b + 1, a + 1)) pairs.push([b++, a++])
    else if (at(b, a) === at(b + 1, a)) b++
    else a++
  }
  return pairs
}
