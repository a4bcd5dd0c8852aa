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
/** 0 done and as configured, 2 refused because the plan has changed, 3 stopped or still different, 1 everything else. */
export const exitOfApply = ({ status, error }: Apply): Exit =>
  error !== undefined && refusedAsStale.has(error.code) ? 2 : exits[status]
