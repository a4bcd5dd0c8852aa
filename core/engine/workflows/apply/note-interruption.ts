import { asAppError, failureOf } from '../../errors/errors.ts'
import { findUnfinished, moveUnfinished } from '../../state/applies/unfinished-applies.ts'
import type { Deps } from '../deps.ts'

interface InterruptedApply {
  readonly workspace: string
  readonly applyId: string
}

/**
 * Notes beside an apply that has not ended why a worker could not continue it. It needs no lock, so that it can be told
 * of a lock that was lost, too. If another process changes the note meanwhile, that one stays.
 */
export const noteInterruption = async (
  { workspace, applyId }: InterruptedApply,
  error: unknown,
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<void> => {
  const found = await findUnfinished(store, workspace, applyId)
  if (found === undefined) return
  const interrupted = { at: clock.now().toISOString(), error: failureOf(asAppError(error)) }
  await moveUnfinished(store, found, { interrupted })
}
