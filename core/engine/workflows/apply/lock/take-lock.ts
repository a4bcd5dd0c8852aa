import { isAppError } from '../../../errors/errors.ts'
import { acquireLock, isSameBeat, type Lock, loadWatched, readLock, saveWatched } from '../../../state/applies/lock.ts'
import type { Deps } from '../../deps.ts'

export interface LockRequest {
  readonly workspace: string
  readonly holder: string
  /** Waits for a lease that is not released, because its holder may be dead; otherwise LOCKED is thrown. */
  readonly patient: boolean
  /** Called between two reads of the lock; returns true to give up with LOCKED. */
  readonly shouldStop?: () => boolean
}

/**
 * A lease as a challenger sees it: since when it is unchanged, by the clock of the challenger, and how long it was
 * watched before.
 */
interface LeaseWatch {
  readonly lock: Lock
  readonly since: number
  readonly beforeMs: number
}

const longestPauseMs = 1_000
const shortestPauseMs = 20

/**
 * Takes the lock of a workspace: at once if nobody holds it. A held lease is taken over only after it was unchanged for
 * its whole length, by the monotonic clock of this machine. The time of another machine is never used to decide that.
 * Throws LOCKED.
 */
export const takeLock = async (request: LockRequest, deps: Deps): Promise<Lock> => {
  const { store, clock, limits } = deps
  const { workspace, holder } = request
  let watch: LeaseWatch | undefined
  for (;;) {
    const askedAt = clock.monotonic()
    const found = await readLock(store, workspace)
    watch = await look(found, watch, deps)
    const watchedMs = watch === undefined ? 0 : watch.beforeMs + Math.max(0, askedAt - watch.since)
    const dead = watch !== undefined && watchedMs >= watch.lock.leaseMs ? { dead: watch.lock } : {}
    try {
      return await acquireLock(store, { workspace, holder, leaseMs: limits.leaseMs, now: clock.now(), ...dead })
    } catch (error) {
      if (!isAppError(error, 'LOCKED')) throw error
      if (!request.patient || request.shouldStop?.() === true) {
        if (watch !== undefined && watchedMs > 0) await saveWatched(store, watch.lock, watchedMs)
        throw error
      }
      deps.progress?.({ step: 'waiting', until: error.payload.until, holder: error.payload.holder })
      const left = (watch?.lock.leaseMs ?? 0) - watchedMs
      await clock.sleep(Math.min(longestPauseMs, Math.max(shortestPauseMs, left)))
    }
  }
}

const look = async (
  found: Lock | undefined,
  watch: LeaseWatch | undefined,
  deps: Deps,
): Promise<LeaseWatch | undefined> => {
  if (found === undefined) return undefined
  if (watch !== undefined && isSameBeat(watch.lock, found)) return watch
  const beforeMs = await loadWatched(deps.store, found)
  // The time starts only now, so that time that another challenger has watched is not counted twice.
  return { lock: found, since: deps.clock.monotonic(), beforeMs }
}
