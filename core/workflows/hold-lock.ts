import { AppError, isAppError } from '../errors.ts'
import { acquireLock, type Lock, releaseLock, renewLock } from '../state/lock.ts'
import type { Deps } from './deps.ts'

/** A lock that is renewed in the background for as long as it is held. */
export interface HeldLock {
  /** As of the last renewal. Throws LOCK_LOST once somebody else took over. */
  current(): Lock
  /** Right before something is sent: a holder that slept past its lease asks whether it still is one. Throws LOCK_LOST. */
  assure(): Promise<void>
  release(): Promise<void>
}

/**
 * Takes a workspace's lock. `patient` waits for a lease that has not ended, because its holder may be dead; otherwise
 * that is LOCKED.
 */
export const holdLock = async (
  input: { readonly workspace: string; readonly holder: string; readonly patient: boolean },
  deps: Deps,
): Promise<HeldLock> => {
  let lock = await take(input, deps)
  let lost: unknown
  const stop = new AbortController()
  const { leaseMs } = deps.limits
  const renewing = (async () => {
    while (!stop.signal.aborted) {
      await deps.clock.sleep(leaseMs / 3, stop.signal)
      if (!stop.signal.aborted) lock = await renewLock(deps.store, lock, { leaseMs, now: deps.clock.now() })
    }
  })().catch((error: unknown) => {
    // A sleep that was cut short ends here too; what matters is whether the lock is still ours.
    if (!stop.signal.aborted) lost = error
  })
  const current = (): Lock => {
    if (lost !== undefined) throw new AppError('LOCK_LOST', { workspace: input.workspace }, { cause: lost })
    return lock
  }
  const renew = async (): Promise<void> => {
    lock = await renewLock(deps.store, current(), { leaseMs, now: deps.clock.now() })
  }
  return {
    current,
    assure: async () => {
      if (current().until <= deps.clock.now().toISOString()) await renew()
    },
    release: async () => {
      stop.abort()
      await renewing
      await releaseLock(deps.store, lock)
    },
  }
}

const take = async (
  { workspace, holder, patient }: { readonly workspace: string; readonly holder: string; readonly patient: boolean },
  deps: Deps,
): Promise<Lock> => {
  for (;;) {
    try {
      return await acquireLock(deps.store, { workspace, holder, leaseMs: deps.limits.leaseMs, now: deps.clock.now() })
    } catch (error) {
      if (!patient || !isAppError(error, 'LOCKED')) throw error
      const { until, holder: other } = error.payload
      deps.progress?.({ step: 'waiting', until, holder: other })
      const left = Date.parse(until) - deps.clock.now().getTime()
      await deps.clock.sleep(Math.min(1_000, Math.max(50, left)))
    }
  }
}
