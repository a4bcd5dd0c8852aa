import pLimit from 'p-limit'
import type { LedgerDraft } from '../../../ledger/link.ts'
import { redactCommand } from '../../../ledger/redact.ts'
import type { Command } from '../../../schema/command.ts'
import type { Apply, LedgerEntry } from '../../../schema/stored/records.ts'
import { applyChanges, updateApply } from '../../../state/applies/applies.ts'
import { holdsLock, type Lock } from '../../../state/applies/lock.ts'
import { appendLedger } from '../../../state/ledger.ts'
import { joinChanges } from '../../../state/store/commit.ts'
import type { Passage } from '../../../transport/limits/fenced.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import type { HeldLock } from '../lock/hold-lock.ts'

/** An event of an apply. A `blocked` entry is about a change without a command; `attempt` counts from 1. */
export interface ApplyEntry
  extends Pick<LedgerEntry, 'kind' | 'detail' | 'outcome' | 'results' | 'waiting' | 'attempt'> {
  readonly command?: Command
}

export interface ApplyLog {
  /** The lock as of its last renewal. Throws LOCK_LOST. */
  lock(): Lock
  /** Does work on the store under the lock, one call after the other. Not to be used for `write` and `attempt`. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Adds entries to the ledger of the workspace. The transaction of the last entry also changes the record of the
   * apply. Throws LOCK_LOST.
   */
  write(entries: readonly ApplyEntry[], apply?: Apply): Promise<void>
  /**
   * Permits one attempt to send a command. The attempt is recorded in the transaction that renews the lock for longer
   * than `timeoutMs`. Throws LOCK_LOST.
   */
  attempt(command: Command, attempt: number, timeoutMs: number): Promise<Passage>
}

/** Entries of one transaction: DynamoDB allows 100 items and 4 MB. */
const mostEntries = 20
const mostBytes = 2_000_000

const inBatches = (drafts: readonly LedgerDraft[]): readonly (readonly LedgerDraft[])[] => {
  const batches: LedgerDraft[][] = []
  let bytes = 0
  for (const draft of drafts) {
    const own = Buffer.byteLength(JSON.stringify(draft))
    const last = batches.at(-1)
    if (last === undefined || last.length === mostEntries || bytes + own > mostBytes) batches.push([draft])
    else last.push(draft)
    bytes = batches.at(-1)?.length === 1 ? own : bytes + own
  }
  return batches
}

const draftOf = ({ id, workspace, mode, runId, actor, reason, digest }: Apply, entry: ApplyEntry, at: string) => {
  const { command, ...rest } = entry
  const draft = { workspace, at, mode, applyId: id, runId, actor, reason, digest, ...defined(rest) }
  if (command === undefined) return draft as LedgerDraft
  const redacted = redactCommand(command) as unknown as NonNullable<LedgerDraft['command']>
  return { ...draft, formatVersion: '2', command: redacted } as LedgerDraft
}

export const openApplyLog = (apply: Apply, lock: HeldLock, { store, clock }: Deps): ApplyLog => {
  const draft = (entry: ApplyEntry): LedgerDraft => draftOf(apply, entry, clock.now().toISOString())
  const inTurn = pLimit(1)
  return {
    lock: lock.current,
    inTurn: (work) => inTurn(work),
    write: (entries, next) =>
      inTurn(async () => {
        const batches = inBatches(entries.map(draft))
        if (batches.length === 0 && next !== undefined) await updateApply(store, next, lock.current())
        for (const [n, batch] of batches.entries()) {
          const held = { ahead: [], final: [holdsLock(lock.current())], behind: [] }
          const record = next === undefined || n + 1 < batches.length ? [] : [await applyChanges(store, next)]
          await appendLedger(store, apply.workspace, batch, joinChanges([held, ...record]))
        }
      }),
    attempt: (command, attempt, timeoutMs) =>
      inTurn(() =>
        lock.enter(timeoutMs, async (renewal) => {
          await appendLedger(store, apply.workspace, [draft({ kind: 'attempt', command, attempt })], [renewal])
        }),
      ),
  }
}
