import type { Apply, CommandOutcome } from '../../schema/records.ts'
import { listApplies, updateApply } from '../../state/applies/applies.ts'
import type { Deps } from '../deps.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import { readProgress, writeLedger } from './write-ledger.ts'

/** Only the latest can be running: each one held the lock. */
const looked = 20

/**
 * Whoever holds the lock knows that every other apply that calls itself running has died. It is ended in the record and in
 * the ledger: what it sent without noting an answer stays `unknown`, and the plan that follows tells what became of it.
 */
export const closeAbandoned = async (own: Apply, lock: HeldLock, deps: Deps): Promise<void> => {
  const { items } = await listApplies(deps.store, own.workspace, { limit: looked })
  for (const apply of items) {
    if (apply.status === 'running' && apply.id !== own.id) await close(apply, lock, deps)
  }
}

const close = async (apply: Apply, lock: HeldLock, deps: Deps): Promise<void> => {
  const outcomes = await closeIntents(apply, lock, deps)
  const message = 'its worker ended before it was done, and another apply took over'
  await writeLedger(apply, [{ kind: 'finished', detail: message }], lock.current(), deps)
  const closed: Apply = {
    ...apply,
    status: 'failed',
    finishedAt: deps.clock.now().toISOString(),
    outcomes: [...outcomes],
    error: { code: 'LOCK_LOST', message, hint: 'check again and apply what is left' },
  }
  await updateApply(deps.store, closed, lock.current())
}

/** Notes for every command that a worker sent, or was about to, that nobody knows its answer. All outcomes of the apply. */
export const closeIntents = async (apply: Apply, lock: HeldLock, deps: Deps): Promise<readonly CommandOutcome[]> => {
  const { open, outcomes, waiting } = await readProgress(apply, deps)
  const unknown = open.map((command) => ({
    command,
    outcome: {
      command: command.id,
      status: 'unknown',
      detail: whyOpen(waiting.has(command.id)),
    } satisfies CommandOutcome,
  }))
  const entries = unknown.map((each) => ({ kind: 'result' as const, ...each }))
  await writeLedger(apply, entries, lock.current(), deps)
  const closed = new Set(unknown.map(({ command }) => command.id))
  return [...outcomes.filter(({ command }) => !closed.has(command)), ...unknown.map(({ outcome }) => outcome)]
}

const whyOpen = (isAccepted: boolean): string =>
  isAccepted
    ? 'it was accepted, and the worker ended before it was done'
    : 'the worker ended before it noted the answer'
