import pLimit from 'p-limit'
import { type AppError, asAppError, failureOf } from '../../errors/errors.ts'
import { type DueEntry, quarantine } from '../../state/workspaces/due-list.ts'
import { defined } from '../../values/defined.ts'
import { batchSize, type CheckMessage, type Deps } from '../deps.ts'
import { type ClaimedChecks, claimDue, moveOn, release } from './claim-due.ts'

interface DueFailure {
  /** Missing if the failure is about several workspaces. */
  readonly workspace?: string
  readonly error: AppError
}

export interface Tally {
  readonly enqueued: string[]
  /** Failures with their reasons. The next tick repeats retryable ones; the others are in quarantine. */
  readonly failures: DueFailure[]
  /** Due checks that were not queued because another check of their workspace is pending. */
  covered: number
  silent: number
  /** Checks that the queue refused; the next tick tries again. */
  refused: number
  /** Lower bound of the number of due checks that were not processed before the deadline. */
  left: number
}

/** Concurrent batches; each makes as many calls to the store as it has entries. */
const batchesAtOnce = 8
/** How often refused messages are queued within one tick. */
const attempts = 3
const firstPauseMs = 200

const inBatches = <One>(all: readonly One[]): readonly (readonly One[])[] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, n) => all.slice(n * batchSize, (n + 1) * batchSize))

const messageOf = ({ entry, stored: { lineage } }: ClaimedChecks): CheckMessage => ({
  workspace: entry.workspace,
  scheduledFor: entry.time,
  ...defined({ lineage }),
})

/** Queues due checks in concurrent batches; resolves when all given entries are processed. */
export const createSender = (
  tally: Tally,
  isOver: () => boolean,
  deps: Deps,
): ((entries: readonly DueEntry[]) => Promise<void>) => {
  const inTurn = pLimit(batchesAtOnce)

  const fail = async (entry: DueEntry, cause: unknown): Promise<void> => {
    const error = asAppError(cause)
    tally.failures.push({ workspace: entry.workspace, error })
    // After a retryable error the entry stays due, and the next tick finds it. So does a later version of this program.
    const staysDue = error.retryable || error.code === 'STATE_NEWER'
    if (!staysDue) await quarantine(deps.store, entry, failureOf(error), deps.clock.now())
  }
  /** An error of one entry does not affect the others. */
  const alone = async <Result>(entry: DueEntry, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (cause) {
      await fail(entry, cause).catch((error: unknown) => tally.failures.push({ error: asAppError(error) }))
      return undefined
    }
  }
  const take = async (entry: DueEntry): Promise<readonly ClaimedChecks[]> => {
    const claim = await alone(entry, () => claimDue(entry, deps))
    if (claim?.kind === 'covered' || claim?.kind === 'silent') tally[claim.kind] += 1
    return claim?.kind === 'claimed' ? [claim.claimed] : []
  }
  const sendOnce = async (claimed: readonly ClaimedChecks[]): Promise<readonly ClaimedChecks[]> => {
    try {
      const refused = new Set(await deps.queue.checks(claimed.map(messageOf)))
      return claimed.filter((_, place) => refused.has(place))
    } catch (cause) {
      tally.failures.push({ error: asAppError(cause) })
      return claimed
    }
  }
  const send = async (claimed: readonly ClaimedChecks[]): Promise<ReadonlySet<ClaimedChecks>> => {
    let left = claimed
    for (let attempt = 1; left.length > 0; attempt += 1) {
      left = await sendOnce(left)
      if (left.length === 0 || attempt === attempts || isOver()) break
      await deps.clock.sleep(firstPauseMs * 2 ** attempt)
    }
    return new Set(left)
  }
  const work = async (batch: readonly DueEntry[]): Promise<void> => {
    if (isOver()) {
      tally.left += batch.length
      return
    }
    const claimed = (await Promise.all(batch.map(take))).flat()
    const refused = await send(claimed)
    tally.refused += refused.size
    tally.enqueued.push(...claimed.flatMap((one) => (refused.has(one) ? [] : [one.entry.workspace])))
    await Promise.all(
      claimed.map((one) => alone(one.entry, () => (refused.has(one) ? release(one, deps) : moveOn(one, deps)))),
    )
  }
  return async (entries) => {
    await Promise.all(inBatches(entries).map((batch) => inTurn(() => work(batch))))
  }
}
