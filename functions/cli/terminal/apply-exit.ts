import type { Apply } from '#core'
import type { Exit } from '../context.ts'

const exits: Readonly<Record<Exclude<Apply['status'], 'succeeded'>, Exit>> = {
  failed: 1,
  refused: 1,
  not_converged: 3,
  running: 3,
  queued: 3,
}

const refusedAsStale = new Set(['STALE_PLAN', 'SAVED_PLAN_STALE', 'TARGET_CHANGED'])
const wentWrong = new Set(['failed', 'skipped', 'unknown'])

/** True if the apply was stopped before its end and nothing failed. */
export const wasStopped = ({ status, outcomes }: Apply, interrupted: boolean): boolean =>
  status === 'queued' ||
  status === 'running' ||
  (interrupted && status === 'failed' && !outcomes.some((outcome) => wentWrong.has(outcome.status)))

const exitOfRest = ({ left = [] }: Apply): Exit => {
  if (left.some(({ kind }) => kind === 'unchecked')) return 3
  return left.length === 0 ? 0 : 2
}

/**
 * 0: done, and all declared resources are as configured. 2: refused because the plan has changed, or another declared
 * resource differs. 3: stopped, not converged, or something could not be read. 1: everything else.
 */
export const exitOfApply = (apply: Apply, interrupted: boolean): Exit => {
  if (apply.error !== undefined && refusedAsStale.has(apply.error.code)) return 2
  if (wasStopped(apply, interrupted)) return 3
  return apply.status === 'succeeded' ? exitOfRest(apply) : exits[apply.status]
}
