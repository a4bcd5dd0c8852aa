import { isAppError } from '../../../errors.ts'
import { acquireLock, isSameBeat, type Lock, loadWatched, readLock, saveWatched } from '../../../state/applies/lock.ts'
import type { Deps } from '../../deps.ts'

export interface LockWish {
  readonly workspace: string
  readonly holder: string
  /** Waits for a lease that is not released, because its holder may be dead; otherwise that is LOCKED. */
  readonly patient: boolean
  /** Asked between two looks: true to give up, with LOCKED. */
  readonly shouldStop?: () => boolean
}

/** A lease as a challenger knows it: since when, by its own clock, it has stood still, and how long before that. */
interface Watch {
  readonly lock: Lock
  readonly since: number
  readonly beforeMs: number
}

const longestPauseMs = 1_000
const shortestPauseMs = 20

/**
 * Takes a workspace's lock: at once where nobody holds it. A lease that is held is taken over only after it has been seen
 * unchanged for its whole length by this machine's own monotonic clock: what another machine's clock says of a time is no
 * reason. Throws LOCKED.
 */
export const takeLock = async (wish: LockWish, deps: Deps): Promise<Lock> => {
  const { store, clock, limits } = deps
  const { workspace, holder } = wish
  let watch: Watch | undefined
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
      if (!wish.patient || wish.shouldStop?.() === true) {
        if (watch !== undefined && watchedMs > 0) await saveWatched(store, watch.lock, watchedMs)
        throw error
      }
      deps.progress?.({ step: 'waiting', until: error.payload.until, holder: error.payload.holder })
      const left = (watch?.lock.leaseMs ?? 0) - watchedMs
      await clock.sleep(Math.min(longestPauseMs, Math.max(shortestPauseMs, left)))
    }
  }
}

/** A lease that has moved is watched from the beginning. */
const look = async (found: Lock | undefined, watch: Watch | undefined, deps: Deps): Promise<Watch | undefined> => {
  if (found === undefined) return undefined
  if (watch !== undefined && isSameBeat(watch.lock, found)) return watch
  const beforeMs = await loadWatched(deps.store, found)
  // Begun only now, so that nothing that another challenger has watched meanwhile counts twice.
  return { lock: found, since: deps.clock.monotonic(), beforeMs }
}
