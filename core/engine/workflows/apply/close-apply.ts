import { AppError, failureOf } from '../../errors/errors.ts'
import type { CommandOutcome } from '../../schema/stored/outcome.ts'
import type { Apply } from '../../schema/stored/records.ts'
import { listApplies } from '../../state/applies/applies.ts'
import { findUnfinished } from '../../state/applies/unfinished-applies.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { withResults } from './approved/resource-results.ts'
import { type ApplyEntry, openApplyLog } from './execution/apply-log.ts'
import { readProgress } from './execution/read-progress.ts'
import { commandWords, endWords } from './execution/words.ts'
import type { HeldLock } from './lock/hold-lock.ts'

/** Only the latest applies can be running, because each of them held the lock. */
const mostRead = 20

const latestApplies = async (workspace: string, { store }: Pick<Deps, 'store'>): Promise<readonly Apply[]> =>
  (await listApplies(store, workspace, { limit: mostRead })).items

/**
 * Ends other running applies: they are dead, because this apply holds the lock. Commands that they sent without an
 * answer become `unknown`.
 */
export const closeAbandoned = async (own: Apply, lock: HeldLock, deps: Deps): Promise<void> => {
  for (const apply of await latestApplies(own.workspace, deps)) {
    if (apply.status === 'running' && apply.id !== own.id) await abandon(apply, lock, deps)
  }
}

const abandon = (apply: Apply, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const told = endWords.abandoned
  const error = failureOf(new AppError('LOCK_LOST', { workspace: apply.workspace }, { told }))
  return close(apply, { kind: 'finished', detail: told }, { status: 'failed', error }, lock, deps)
}

/**
 * Ends applies that have begun and that nobody continues, because the lock is free and no queue has them. Throws
 * APPLY_UNFINISHED if a worker may be between two invocations, or waits for the target: it continues with the records of its
 * commands.
 */
export const closeDead = async (workspace: string, lock: HeldLock, deps: Deps): Promise<void> => {
  for (const apply of (await latestApplies(workspace, deps)).filter(hasBegun)) {
    const isQueued = (await findUnfinished(deps.store, workspace, apply.id)) !== undefined
    if (isQueued || (await readProgress(apply, deps)).waiting.size > 0)
      throw new AppError('APPLY_UNFINISHED', { workspace, apply: apply.id })
    await abandon(apply, lock, deps)
  }
}

const hasBegun = ({ status, startedAt }: Apply): boolean =>
  status === 'running' || (status === 'queued' && startedAt !== undefined)

/**
 * Ends an apply with a reason, in the ledger and in its record. Commands that it sent without recording an answer
 * become `unknown`.
 */
export const endApply = (apply: Apply, error: AppError, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const status = error.fault === 'ours' ? 'failed' : 'refused'
  return close(apply, { kind: 'refused', detail: error.message }, { status, error: failureOf(error) }, lock, deps)
}

const close = async (
  apply: Apply,
  last: ApplyEntry,
  how: Pick<Apply, 'status' | 'error'>,
  lock: HeldLock,
  deps: Deps,
): Promise<Apply> => {
  const { open, outcomes, waiting } = await readProgress(apply, deps)
  const unknown = open.map((command) => ({
    kind: 'result' as const,
    command,
    outcome: {
      command: command.id,
      status: 'unknown',
      detail: waiting.has(command.id) ? commandWords.accepted : commandWords.unanswered,
    } satisfies CommandOutcome,
  }))
  const closed = new Set(unknown.map(({ command }) => command.id))
  const now = deps.clock.now().toISOString()
  const ended = withResults({
    ...apply,
    ...how,
    startedAt: apply.startedAt ?? now,
    finishedAt: now,
    outcomes: [...outcomes.filter(({ command }) => !closed.has(command)), ...unknown.map(({ outcome }) => outcome)],
  })
  const end = { ...last, ...defined({ results: ended.results }) }
  await openApplyLog(apply, lock, deps).write([...unknown, end], ended)
  return ended
}
