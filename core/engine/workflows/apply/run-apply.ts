import { asAppError, isAppError } from '../../errors/errors.ts'
import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import { getApply } from '../../state/applies/applies.ts'
import type { Deps } from '../deps.ts'
import { closeAbandoned, endApply } from './close-apply.ts'
import { openApplyLog } from './execution/apply-log.ts'
import type { Ending } from './execution/apply-run.ts'
import { type HeldLock, withLock } from './lock/hold-lock.ts'

export interface RunApplyInput {
  readonly workspace: string
  readonly applyId: string
  /** Called between two commands; returns true to stop there. */
  readonly shouldStop?: () => boolean
  /** Waits for a lock whose holder may be dead, instead of throwing LOCKED. */
  readonly patient?: boolean
}

/**
 * Does an apply: reads again, plans again, compares with the approved commands, and only then sends. It may be killed
 * at any point and called again for the same apply. An apply that has ended is returned unchanged; a refused apply has
 * `error` and sent nothing more. It stops between two commands before `deps.deadline`, and the next worker continues.
 * Throws LOCKED, LOCK_LOST, and errors of the store: then try again.
 */
export const runApply = async (input: RunApplyInput, deps: Deps): Promise<Apply> => {
  const { workspace, applyId, patient = false } = input
  const found = await getApply(deps.store, workspace, applyId)
  if (hasEnded(found)) return found
  const ending = endingOf(input, deps)
  const request = { workspace, holder: applyId, patient, shouldStop: () => ending() !== undefined }
  return withLock(request, deps, async (lock) => {
    // Another worker may have ended the apply while this one waited for the lock.
    const apply = await getApply(deps.store, workspace, applyId)
    if (hasEnded(apply)) return apply
    await closeAbandoned(apply, lock, deps)
    const { workApply } = await import('./work-apply.ts')
    const worked = await workApply(apply, openApplyLog(apply, lock, deps), ending, deps).catch((error: unknown) =>
      refuse(apply, error, lock, deps),
    )
    if (worked.status === 'queued') await deps.queue.apply({ workspace, applyId })
    return worked
  })
}

/** Milliseconds reserved to read the changed resources again; at most a quarter of the time. */
const verifyingMs = 40_000

const endingOf =
  ({ shouldStop }: RunApplyInput, { deadline }: Deps): Ending =>
  () => {
    if (shouldStop?.()) return 'stop'
    const isNear = deadline !== undefined && deadline.left() <= Math.min(verifyingMs, deadline.wholeMs / 4)
    return isNear ? 'hand over' : undefined
  }

/** Errors that the user can correct end the apply; retryable ones are thrown, so that the worker is called again. */
const refuse = async (apply: Apply, cause: unknown, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const error = asAppError(cause)
  if (error.retryable || isAppError(error, 'LOCK_LOST')) throw error
  return endApply(apply, error, lock, deps)
}
