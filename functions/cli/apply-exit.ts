import type { Apply } from '#core'
import type { Exit } from './context.ts'

const exits: Readonly<Record<Apply['status'], Exit>> = {
  succeeded: 0,
  failed: 1,
  refused: 1,
  not_converged: 3,
  running: 3,
  queued: 3,
}

const refusedAsStale = new Set(['STALE_PLAN', 'TARGET_CHANGED'])
const wentWrong = new Set(['failed', 'skipped', 'unknown'])

/** True where nothing went wrong but that somebody stopped it before the end. */
export const wasStopped = ({ status, outcomes }: Apply, interrupted: boolean): boolean =>
  status === 'queued' ||
  status === 'running' ||
  (interrupted && status === 'failed' && !outcomes.some((outcome) => wentWrong.has(outcome.status)))

/** 0 done and as configured, 2 refused because the plan has changed, 3 stopped or still different, 1 everything else. */
export const exitOfApply = (apply: Apply, interrupted: boolean): Exit => {
  if (apply.error !== undefined && refusedAsStale.has(apply.error.code)) return 2
  return wasStopped(apply, interrupted) ? 3 : exits[apply.status]
}
