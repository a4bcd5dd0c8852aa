import pLimit from 'p-limit'
import { type AppError, asAppError, failureOf } from '../../errors.ts'
import { type DueEntry, quarantine } from '../../state/workspaces/due-list.ts'
import { defined } from '../../values/defined.ts'
import { batchSize, type CheckMessage, type Deps } from '../deps.ts'
import { type Claimed, claimDue, moveOn, release } from './claim-due.ts'

interface DueFailure {
  /** Absent where it is about more than one. */
  readonly workspace?: string
  readonly error: AppError
}

/** What a tick has done so far. */
export interface Tally {
  /** Workspaces whose check was queued. */
  readonly enqueued: string[]
  /** What was not done, and why. What can pass by itself is tried again by the next tick, the rest is in quarantine. */
  readonly failures: DueFailure[]
  /** Due, and not queued because another check of theirs is pending. */
  covered: number
  /** Due within a blackout. */
  silent: number
  /** Not taken by the queue; the next tick tries again. */
  refused: number
  /** Due, and not looked at before the deadline: so many at least. */
  left: number
}

/** Batches under way at once, each with as many calls to the store as it has entries. */
const batchesAtOnce = 8
/** Attempts to queue what was refused, within one tick. */
const attempts = 3
const firstPauseMs = 200

const inBatches = <One>(all: readonly One[]): readonly (readonly One[])[] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, n) => all.slice(n * batchSize, (n + 1) * batchSize))

const messageOf = ({ entry, stored: { lineage } }: Claimed): CheckMessage => ({
  workspace: entry.workspace,
  scheduledFor: entry.time,
  ...defined({ lineage }),
})

/** Queues what is due in batches, several at once; answers when all entries that it was given are done with. */
export const createSender = (
  tally: Tally,
  isOver: () => boolean,
  deps: Deps,
): ((entries: readonly DueEntry[]) => Promise<void>) => {
  const inTurn = pLimit(batchesAtOnce)

  const fail = async (entry: DueEntry, cause: unknown): Promise<void> => {
    const error = asAppError(cause)
    tally.failures.push({ workspace: entry.workspace, error })
    // What can pass by itself stays due, and the next tick finds it.
    if (!error.retryable) await quarantine(deps.store, entry, failureOf(error), deps.clock.now())
  }
  /** Whatever befalls one entry is about that one alone. */
  const alone = async <Result>(entry: DueEntry, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (cause) {
      await fail(entry, cause).catch((error: unknown) => tally.failures.push({ error: asAppError(error) }))
      return undefined
    }
  }
  const take = async (entry: DueEntry): Promise<readonly Claimed[]> => {
    const claim = await alone(entry, () => claimDue(entry, deps))
    if (claim?.kind === 'covered' || claim?.kind === 'silent') tally[claim.kind] += 1
    return claim?.kind === 'claimed' ? [claim.claimed] : []
  }
  const sendOnce = async (claimed: readonly Claimed[]): Promise<readonly Claimed[]> => {
    try {
      const refused = new Set(await deps.queue.checks(claimed.map(messageOf)))
      return claimed.filter((_, place) => refused.has(place))
    } catch (cause) {
      tally.failures.push({ error: asAppError(cause) })
      return claimed
    }
  }
  /** Those that the queue did not take. */
  const send = async (claimed: readonly Claimed[]): Promise<ReadonlySet<Claimed>> => {
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
