import type { Apply, Run } from '../../../../core/index.ts'
import { changesIn } from '../../data/health.ts'

/** A number of resources; `null`: nothing is known then, where the line ends; `undefined`: this moment tells of something else. */
export type Amount = number | null | undefined

/** Points of the plot, in the order of time. Times are in seconds since 1970. */
export interface Series {
  readonly times: number[]
  /** Resources that differ from the files. */
  readonly differ: Amount[]
  readonly unchecked: Amount[]
  /** Resources that an apply has changed. */
  readonly repaired: Amount[]
  /** Resources that an undo has changed, which leads away from the files. */
  readonly undone: Amount[]
}

interface Point {
  readonly at: number
  readonly differ?: Amount
  readonly unchecked?: Amount
  readonly repaired?: Amount
  readonly undone?: Amount
}

const ofRun = ({ finishedAt, counts }: Run): Point => ({
  at: Date.parse(finishedAt) / 1_000,
  // A failed check knows nothing, which is not zero.
  differ: counts === undefined ? null : changesIn(counts),
  unchecked: counts?.unchecked ?? null,
})

const ofApply = ({ finishedAt, mode, results, undoes }: Apply): readonly Point[] => {
  if (mode !== 'execute' || finishedAt === undefined || results === undefined || results.applied === 0) return []
  const changed = undoes === undefined ? { repaired: results.applied } : { undone: results.applied }
  return [{ at: Date.parse(finishedAt) / 1_000, ...changed }]
}

export const seriesOf = (runs: readonly Run[], applies: readonly Apply[]): Series => {
  const points = [...runs.map(ofRun), ...applies.flatMap(ofApply)].sort((one, other) => one.at - other.at)
  return {
    times: points.map(({ at }) => at),
    differ: points.map(({ differ }) => differ),
    unchecked: points.map(({ unchecked }) => unchecked),
    repaired: points.map(({ repaired }) => repaired),
    undone: points.map(({ undone }) => undone),
  }
}
