import pLimit from 'p-limit'
import { AppError, isAppError } from '../../../errors.ts'
import type { Clock } from '../../../schema/ports.ts'
import { type Lock, releaseLock, renewal, renewLock, withLease } from '../../../state/applies/lock.ts'
import type { Write } from '../../../state/store/store.ts'
import type { Passage } from '../../../transport/fenced.ts'
import { afterNow, earlier, leftUntil } from '../../../transport/limits/deadline.ts'
import type { Deps } from '../../deps.ts'
import { type LockWish, takeLock } from './take-lock.ts'

/** A lock that is renewed in the background for as long as it is held. */
export interface HeldLock {
  /** As of the last renewal. Throws LOCK_LOST once somebody else took over. */
  current(): Lock
  /** Renews the lease for more than `timeoutMs`, in `commit`'s transaction. Throws LOCK_LOST and what that throws. */
  enter(timeoutMs: number, commit: (renewal: Write) => Promise<void>): Promise<Passage>
  release(): Promise<void>
}

/** Takes a workspace's lock and keeps it. Throws LOCKED. */
export const holdLock = async (wish: LockWish, deps: Deps): Promise<HeldLock> => {
  const lease = await openLease(wish, deps)
  const stop = new AbortController()
  const renewing = renewUntil(stop.signal, lease, deps)
  return {
    current: lease.current,
    enter: lease.enter,
    release: async () => {
      stop.abort()
      await renewing
      await releaseLock(deps.store, lease.latest())
    },
  }
}

/** Works under a workspace's lock and releases it, whatever becomes of the work. Throws LOCKED and what `work` throws. */
export const withLock = async <Result>(
  wish: LockWish,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const lock = await holdLock(wish, deps)
  try {
    return await work(lock)
  } finally {
    await lock.release()
  }
}

/** For how long a lock is watched whose holder may be dead; what was watched is kept for the next try. */
const patienceMs = 10_000

/** The same for work that is asked for again where the lock is not free soon. */
export const withLockSoon = <Result>(
  wish: Omit<LockWish, 'patient'>,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const until = deps.clock.monotonic() + patienceMs
  const shouldStop = (): boolean => wish.shouldStop?.() === true || deps.clock.monotonic() >= until
  return withLock({ ...wish, patient: true, shouldStop }, deps, work)
}

interface OpenLease extends Pick<HeldLock, 'current' | 'enter'> {
  /** As of the last renewal, lost or not. */
  latest(): Lock
  renew(): Promise<void>
  lose(cause: unknown): void
}

const openLease = async (wish: LockWish, deps: Deps): Promise<OpenLease> => {
  const { store, clock, limits } = deps
  let lock = await takeLock(wish, deps)
  let beat = lock.beat
  // Nothing has left yet: the first write renews it.
  let ends = afterNow(0, clock)
  let lost: unknown
  const underWay = new Map<AbortController, number>()
  // One after the other: what stands in the store is always the renewal that is counted with here.
  const inTurn = pLimit(1)

  const left = (): number => leftUntil(ends, clock)
  const current = (): Lock => {
    if (lost !== undefined) throw new AppError('LOCK_LOST', { workspace: wish.workspace }, { cause: lost })
    return lock
  }
  const lose = (cause: unknown): void => {
    lost ??= cause
    for (const controller of underWay.keys()) controller.abort()
  }
  const renewBy = (commit: (renewed: Lock) => Promise<void>): Promise<void> =>
    inTurn(async () => {
      current()
      const leaseMs = limits.leaseMs + Math.max(0, ...underWay.values())
      beat += 1
      const renewed = withLease(lock, beat, { leaseMs, now: clock.now() })
      // Counted from before the store is asked, while whoever challenges counts from after.
      const next = afterNow(leaseMs, clock)
      // Until the store answers nobody knows which of the two leases stands there: the shorter one counts.
      ends = earlier(ends, next)
      await commit(renewed).catch((error: unknown) => {
        if (isAppError(error, 'LOCK_LOST')) lose(error)
        throw error
      })
      lock = renewed
      ends = next
    })

  const enter: HeldLock['enter'] = async (timeoutMs, commit) => {
    const controller = new AbortController()
    const ended = new AbortController()
    underWay.set(controller, timeoutMs)
    const end = (): void => {
      ended.abort()
      underWay.delete(controller)
    }
    try {
      await renewBy((renewed) => commit(renewal(renewed)))
    } catch (error) {
      end()
      throw error
    }
    void endWithLease(controller, left, ended.signal, clock).catch(lose)
    return {
      signal: controller.signal,
      mayLeave: () => lost === undefined && left() > 0 && left() >= timeoutMs,
      end: () => {
        end()
        current()
      },
    }
  }
  return { current, latest: () => lock, enter, lose, renew: () => renewBy((renewed) => renewLock(store, renewed)) }
}

/** Sleeps until the signal at most: a sleep that was cut short is the expected answer then. */
const sleepUntil = (signal: AbortSignal, ms: number, clock: Clock): Promise<void> =>
  clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })

/** Cuts what is under way when the lease ends, whatever the store does meanwhile. */
const endWithLease = async (
  controller: AbortController,
  left: () => number,
  ended: AbortSignal,
  clock: Clock,
): Promise<void> => {
  for (let ms = left(); ms > 0 && !ended.aborted; ms = left()) await sleepUntil(ended, ms, clock)
  if (!ended.aborted) controller.abort()
}

/** Renews again after an error that may pass. Any other error loses the lock, which the next `current` throws. */
const renewUntil = async (stop: AbortSignal, lease: OpenLease, { clock, limits, warn }: Deps): Promise<void> => {
  while (!stop.aborted) {
    try {
      await sleepUntil(stop, limits.leaseMs / 3, clock)
      if (!stop.aborted) await lease.renew()
    } catch (error) {
      // It is known already.
      if (isAppError(error, 'LOCK_LOST')) return
      if (!isAppError(error) || !error.retryable) return lease.lose(error)
      warn({ kind: 'lock_waits', workspace: lease.latest().workspace, error })
    }
  }
}
