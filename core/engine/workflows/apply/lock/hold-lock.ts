import pLimit from 'p-limit'
import { AppError, isAppError } from '../../../errors/errors.ts'
import type { Clock } from '../../../schema/ports.ts'
import { getLock, type Lock, releaseLock, renewal, renewLock, withLease } from '../../../state/applies/lock.ts'
import type { Write } from '../../../state/store/store.ts'
import { afterNow, earlier, leftUntil } from '../../../transport/limits/deadline.ts'
import type { Passage } from '../../../transport/limits/fenced.ts'
import type { Deps } from '../../deps.ts'
import { type LockRequest, takeLock } from './take-lock.ts'

/** A lock that is renewed in the background while it is held. */
export interface HeldLock {
  /** The lock as of the last renewal. Throws LOCK_LOST once another holder has taken over. */
  current(): Lock
  /** Renews the lease for more than `timeoutMs`, in the transaction of `commit`. Throws LOCK_LOST and what that throws. */
  enter(timeoutMs: number, commit: (renewal: Write) => Promise<void>): Promise<Passage>
  release(): Promise<void>
}

/** Takes the lock of a workspace and keeps it. Throws LOCKED. */
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

/** How long a lock is watched whose holder may be dead; the next try continues from the stored time. */
const patienceMs = 10_000

/** The same for work that is requested again if the lock is not free soon. */
export const withLockSoon = <Result>(
  request: Omit<LockRequest, 'patient'>,
  deps: Deps,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> => {
  const until = deps.clock.monotonic() + patienceMs
  const shouldStop = (): boolean => request.shouldStop?.() === true || deps.clock.monotonic() >= until
  return withLock({ ...request, patient: true, shouldStop }, deps, work)
}

/** Work of a user on a workspace that nobody applies anything to. Throws LOCKED at once while somebody does. */
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
  /** The lock as of the last renewal, whether it was lost since or not. */
  latest(): Lock
  renew(): Promise<void>
  lose(cause: unknown): void
}

const openLease = async (request: LockRequest, deps: Deps): Promise<OpenLease> => {
  const { store, clock, limits } = deps
  let lock = await takeLock(request, deps)
  let beat = lock.beat
  // Nothing has been sent yet: the first write renews it.
  let ends = afterNow(0, clock)
  let lost: unknown
  const underWay = new Map<AbortController, number>()
  // One after the other: so the lease in the store is always the one that this code counts with.
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
      // Counted from before the request to the store, while a challenger counts from after it.
      const next = afterNow(leaseMs, clock)
      // Until the store answers, it is unknown which of the two leases is stored: the shorter one counts.
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

/** Sleeps at most until the signal; then the interrupted sleep is the expected result. */
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

/** Renews again after a retryable error. Any other error loses the lock, and the next `current` throws it. */
const renewUntil = async (stop: AbortSignal, lease: OpenLease, { clock, limits, warn }: Deps): Promise<void> => {
  while (!stop.aborted) {
    try {
      await sleepUntil(stop, limits.leaseMs / 3, clock)
      if (!stop.aborted) await lease.renew()
    } catch (error) {
      // The loss is known already.
      if (isAppError(error, 'LOCK_LOST')) return
      if (!isAppError(error) || !error.retryable) return lease.lose(error)
      warn({ kind: 'lock_waits', workspace: lease.latest().workspace, error })
    }
  }
}
