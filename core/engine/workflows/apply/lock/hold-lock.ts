import pLimit from 'p-limit'
import { AppError, isAppError } from '../../../errors/errors.ts'
import type { Clock } from '../../../schema/ports.ts'
import { getLock, type Lock, releaseLock, renewal, renewLock, withLease } from '../../../state/applies/lock.ts'
import type { Write } from '../../../state/store/store.ts'
import { afterNow, earlier, leftUntil } from '../../../transport/limits/deadline.ts'
import type { Passage } from '../../../transport/limits/fenced.ts'
import type { Deps } from '../../deps.ts'
import { type LockRequest, takeLock } from './take-lock.ts'

export interface HeldLock {
  /** The lock as of the last renewal. Throws LOCK_LOST once another holder has taken over. */
  current(): Lock
  /**
   * Renews the lease for more than `timeoutMs`, in the transaction of `commit`. Throws LOCK_LOST and what `commit`
   * throws.
   */
  enter(timeoutMs: number, commit: (renewal: Write) => Promise<void>): Promise<Passage>
  release(): Promise<void>
}

/** Takes the lock of a workspace and renews it until it is released. Throws LOCKED. */
export const holdLock = async (request: LockRequest, deps: Deps): Promise<HeldLock> => {
  const lease = await openLease(request, deps)
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

/** Works under the lock of a workspace, and always releases it. Throws LOCKED and what `work` throws. */
export const withLock = async <Result>(
  request: LockRequest,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const lock = await holdLock(request, deps)
  try {
    return await work(lock)
  } finally {
    await lock.release()
  }
}

/** Milliseconds that a lock is watched whose holder may be dead. The next try continues from the stored time. */
const patienceMs = 10_000

/** Gives up with LOCKED if the lock is not free soon, for work that is requested again. */
export const withLockSoon = <Result>(
  request: Omit<LockRequest, 'patient'>,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const until = deps.clock.monotonic() + patienceMs
  const shouldStop = (): boolean => request.shouldStop?.() === true || deps.clock.monotonic() >= until
  return withLock({ ...request, patient: true, shouldStop }, deps, work)
}

/**
 * For work of a user on a workspace that is not being applied. Throws LOCKED at once if somebody else holds the lock.
 */
export const withIdleLock = async <Result>(
  workspace: string,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const running = await getLock(deps.store, workspace, deps.clock.now())
  if (running !== undefined) throw new AppError('LOCKED', { workspace, holder: running.holder, until: running.until })
  return withLockSoon({ workspace, holder: deps.ids.ulid() }, deps, work)
}

interface OpenLease extends Pick<HeldLock, 'current' | 'enter'> {
  /** The lock as of the last renewal, also if it was lost since then. */
  latest(): Lock
  renew(): Promise<void>
  lose(cause: unknown): void
}

const openLease = async (request: LockRequest, deps: Deps): Promise<OpenLease> => {
  const { store, clock, limits } = deps
  let lock = await takeLock(request, deps)
  let beat = lock.beat
  // The lease counts as ended until the first write renews it.
  let ends = afterNow(0, clock)
  let lost: unknown
  const underWay = new Map<AbortController, number>()
  // Renewals run one after the other, so that the lease in the store is always the one that this code assumes.
  const inTurn = pLimit(1)

  const left = (): number => leftUntil(ends, clock)
  const current = (): Lock => {
    if (lost !== undefined) throw new AppError('LOCK_LOST', { workspace: request.workspace }, { cause: lost })
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
      // This time starts before the request to the store, and that of a challenger starts after it.
      const next = afterNow(leaseMs, clock)
      // Until the store answers, it is unknown which of the two leases is stored, so the shorter one counts.
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

/** Does not throw if the signal interrupts the sleep. */
const sleepUntil = (signal: AbortSignal, ms: number, clock: Clock): Promise<void> =>
  clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })

/** Aborts a write in progress when the lease ends, whatever the store does. */
const endWithLease = async (
  controller: AbortController,
  left: () => number,
  ended: AbortSignal,
  clock: Clock,
): Promise<void> => {
  for (let ms = left(); ms > 0 && !ended.aborted; ms = left()) await sleepUntil(ended, ms, clock)
  if (!ended.aborted) controller.abort()
}

/**
 * Renews again after a retryable error. After any other error the lock is lost, and the next `current` throws
 * LOCK_LOST.
 */
const renewUntil = async (stop: AbortSignal, lease: OpenLease, { clock, limits, warn }: Deps): Promise<void> => {
  while (!stop.aborted) {
    try {
      await sleepUntil(stop, limits.leaseMs / 3, clock)
      if (!stop.aborted) await lease.renew()
    } catch (error) {
      if (isAppError(error, 'LOCK_LOST')) return
      if (!isAppError(error) || !error.retryable) return lease.lose(error)
      warn({ kind: 'lock_waits', workspace: lease.latest().workspace, error })
    }
  }
}
