import type { LedgerDraft } from '../../ledger/link.ts'
import { redactCommand } from '../../ledger/redact.ts'
import type { Command } from '../../schema/command.ts'
import type { Apply, CommandOutcome, LedgerEntry, Waiting } from '../../schema/records.ts'
import { holdsLock, type Lock } from '../../state/applies/lock.ts'
import { appendLedger, queryLedger } from '../../state/ledger.ts'
import type { Write } from '../../state/store/store.ts'
import { defined } from '../../values/defined.ts'
import { loggedCommand } from '../../values/earlier-form.ts'
import type { Deps } from '../deps.ts'
import type { ApplyProgress } from './approved/compare-approved.ts'

type Entry =
  | { readonly kind: 'started'; readonly detail?: string }
  | { readonly kind: 'logged' | 'intent'; readonly command: Command }
  /** `attempt`: which one of this command, from 1. */
  | { readonly kind: 'attempt'; readonly command: Command; readonly attempt: number }
  | { readonly kind: 'waiting'; readonly command: Command; readonly waiting: Waiting }
  | { readonly kind: 'result'; readonly command: Command; readonly outcome: CommandOutcome }
  /** A change that no command carries out. */
  | { readonly kind: 'blocked'; readonly outcome: CommandOutcome }
  | { readonly kind: 'refused' | 'finished'; readonly detail: string }

/** Every member that one of them has. */
interface AnyEntry {
  readonly command?: Command
  readonly detail?: string
  readonly outcome?: CommandOutcome
  readonly waiting?: Waiting
  readonly attempt?: number
}

/** Entries of one transaction; a command that is large makes it smaller by itself. */
const batch = 20

const draft = (apply: Apply, entry: Entry, at: string): LedgerDraft => {
  const { id, workspace, mode, runId, actor, reason, digest } = apply
  const shared = { workspace, at, kind: entry.kind, mode, applyId: id, runId, actor, reason, digest }
  const { command, detail, outcome, waiting, attempt } = entry as AnyEntry
  if (command === undefined) return { ...shared, ...defined({ detail, outcome }) }
  return {
    ...shared,
    formatVersion: '2',
    command: redactCommand(command) as unknown as NonNullable<LedgerDraft['command']>,
    ...defined({ outcome, waiting, attempt }),
  }
}

/**
 * Writes what happens to an apply into its workspace's chain, as long as the lock is held: `guard` is the lock, or the
 * renewal of it that goes along.
 */
export const writeLedger = async (
  apply: Apply,
  entries: readonly Entry[],
  guard: Lock | Write,
  deps: Pick<Deps, 'store' | 'clock'>,
): Promise<void> => {
  const held = 'kind' in guard ? guard : holdsLock(guard)
  for (let start = 0; start < entries.length; start += batch) {
    const at = deps.clock.now().toISOString()
    const drafts = entries.slice(start, start + batch).map((entry) => draft(apply, entry, at))
    await appendLedger(deps.store, apply.workspace, drafts, [held])
  }
}

/** Reads the entries of an apply. Throws STORE_CORRUPT. */
export const readProgress = async (apply: Apply, { store }: Pick<Deps, 'store'>): Promise<ApplyProgress> => {
  const outcomes = new Map<string, CommandOutcome>()
  const open = new Map<string, Command>()
  const accepted = new Map<string, Waiting>()
  const attempts = new Map<string, number>()
  const sent = new Set<string>()
  for await (const entry of entriesOf(apply, store)) {
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

/** The machine that took the request and the one that works may disagree about the time, by less than this. */
const clocksDifferMs = 15 * 60_000

async function* entriesOf(apply: Apply, store: Deps['store']): AsyncGenerator<LedgerEntry> {
  const from = new Date(Date.parse(apply.requestedAt) - clocksDifferMs).toISOString()
  let after: string | undefined
  do {
    const query = { from, applyId: apply.id, limit: 500, ...defined({ after }) }
    const page = await queryLedger(store, apply.workspace, query)
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
