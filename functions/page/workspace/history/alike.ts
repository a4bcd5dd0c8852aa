import type { Run } from '../../../../core/index.ts'

/** Checks one after the other that found the same. */
export interface AlikeRuns {
  readonly latest: Run
  readonly first: Run
  readonly n: number
  /** Who or what started them, the latest first. */
  readonly starters: readonly string[]
}

const starterOf = ({ trigger, actor }: Run): string => (trigger === 'schedule' ? 'the schedule' : actor.subject)

const findingOf = ({ status, counts, digests, error }: Run): string =>
  JSON.stringify([status, counts, digests?.plan, error?.code])

/** Runs, the latest first, as stretches in which nothing changed: so it is seen since when something is as it is. */
export const alikeRuns = (runs: readonly Run[]): readonly AlikeRuns[] => {
  const stretches: { latest: Run; first: Run; n: number; starters: string[] }[] = []
  for (const run of runs) {
    const last = stretches.at(-1)
    if (last !== undefined && findingOf(last.first) === findingOf(run)) {
      last.first = run
      last.n += 1
      if (!last.starters.includes(starterOf(run))) last.starters.push(starterOf(run))
    } else stretches.push({ latest: run, first: run, n: 1, starters: [starterOf(run)] })
  }
  return stretches
}
