import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import type { Deps } from '../deps.ts'

/**
 * An apply with what is done so far and what is being sent. That is in the ledger, and nobody needs it of an apply that has ended or of check
 * mode, which sends nothing.
 */
export const followApply = async (apply: Apply, deps: Pick<Deps, 'store'>): Promise<Apply> => {
  if (hasEnded(apply) || apply.startedAt === undefined || apply.mode === 'check') return apply
  return (await import('./execution/follow-apply.ts')).withProgress(apply, deps)
}
