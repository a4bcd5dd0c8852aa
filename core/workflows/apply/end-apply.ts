import { type AppError, failureOf } from '../../errors.ts'
import type { Apply } from '../../schema/records.ts'
import { updateApply } from '../../state/applies/applies.ts'
import type { Deps } from '../deps.ts'
import { closeIntents } from './close-abandoned.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import { writeLedger } from './write-ledger.ts'

/** Ends an apply for a reason, in the ledger and in its record: what it sent without noting an answer is `unknown`. */
export const endApply = async (apply: Apply, error: AppError, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const outcomes = await closeIntents(apply, lock, deps)
  await writeLedger(apply, [{ kind: 'refused', detail: error.message }], lock.current(), deps)
  const ended: Apply = {
    ...apply,
    outcomes: [...outcomes],
    status: error.fault === 'ours' ? 'failed' : 'refused',
    startedAt: apply.startedAt ?? deps.clock.now().toISOString(),
    finishedAt: deps.clock.now().toISOString(),
    error: failureOf(error),
  }
  await updateApply(deps.store, ended, lock.current())
  return ended
}
