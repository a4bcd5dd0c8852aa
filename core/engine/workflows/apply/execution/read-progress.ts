import { AppError, isAppError } from '../../../errors/errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Apply, LedgerEntry } from '../../../schema/stored/records.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import { type LedgerFilter, selectLedger } from '../../../state/ledger-query.ts'
import { loggedCommand } from '../../../values/marks/logged-command.ts'
import type { Deps } from '../../deps.ts'
import type { ApplyProgress } from '../approved/compare-approved.ts'

/** The clocks of the machine that took the request and of the worker differ by less than this. */
const clocksDifferMs = 15 * 60_000

/**
 * The entries since a time, and before it what clocks may differ. Throws LEDGER_UNREAD if one of them is damaged: it may be
 * the one that tells that a command was sent.
 */
export async function* entriesSince(
  time: string,
  { workspace, ...filter }: { readonly workspace: string } & LedgerFilter,
  { store }: Pick<Deps, 'store'>,
): AsyncGenerator<LedgerEntry> {
  const from = new Date(Date.parse(time) - clocksDifferMs).toISOString()
  try {
    yield* selectLedger(store, workspace, { ...filter, from })
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    throw new AppError('LEDGER_UNREAD', { workspace, from, detail: error.message }, { cause: error })
  }
}

export const readProgress = async (apply: Apply, { store }: Pick<Deps, 'store'>): Promise<ApplyProgress> => {
  const outcomes = new Map<string, CommandOutcome>()
  const open = new Map<string, Command>()
  const accepted = new Map<string, Waiting>()
  const attempts = new Map<string, number>()
  const sent = new Set<string>()
  const ofApply = { workspace: apply.workspace, applyId: apply.id }
  for await (const entry of entriesSince(apply.requestedAt, ofApply, { store })) {
    const command = loggedCommand(entry)
    if (command === undefined) continue
    if (entry.kind === 'intent') {
      open.set(command.id, command)
      sent.delete(command.id)
    }
    if (entry.attempt !== undefined) {
      attempts.set(command.id, entry.attempt)
      sent.add(command.id)
    }
    if (entry.waiting !== undefined) accepted.set(command.id, entry.waiting)
    if (entry.kind === 'result' && entry.outcome !== undefined) {
      outcomes.set(command.id, entry.outcome)
      open.delete(command.id)
    }
  }
  const having = (...statuses: CommandOutcome['status'][]) =>
    [...outcomes.values()].filter(({ status }) => statuses.includes(status)).map(({ command }) => command)
  return {
    outcomes: [...outcomes.values()],
    done: new Set(having('succeeded', 'found_done')),
    failed: new Set(
      [...having('failed', 'skipped'), ...having('unknown').filter((id) => accepted.has(id))].filter(
        (id) => !open.has(id),
      ),
    ),
    uncertain: new Set([...having('unknown').filter((id) => !accepted.has(id)), ...open.keys()]),
    sent,
    open: [...open.values()],
    attempts,
    waiting: new Map([...accepted].filter(([id]) => open.has(id))),
  }
}
