import { isAppError } from '../../errors/errors.ts'
import { emptyHead, headOf, type LedgerHead, type LedgerPart } from '../../ledger/chain.ts'
import { hashOf } from '../../ledger/link.ts'
import { verifySome } from '../../ledger/verify.ts'
import { createWitness } from '../../ledger/witness.ts'
import { endFlaws, entryFlaws } from '../../ledger/words.ts'
import {
  type Apply,
  hasEnded,
  type LedgerEntry,
  type LedgerPlace,
  type LedgerVerdict,
} from '../../schema/stored/records.ts'
import { findApply, listApplies } from '../../state/applies/applies.ts'
import { readLedger, readWholeLedger } from '../../state/ledger.ts'
import { selectLedger } from '../../state/ledger-query.ts'
import { eachPage } from '../../state/store/commit.ts'
import type { Store } from '../../state/store/store.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { marginMs } from '../../values/clock-skew.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { lostApply } from '../words.ts'

/** The part that is verified; `next` says where the next one begins. It says nothing about what follows. */
export interface LedgerProgress {
  readonly verified: number
  readonly next: LedgerPlace
}

export interface VerifyRequest {
  /** A head that was verified before: what is older is not read again. */
  readonly from?: { readonly seq: number; readonly hash: string } | undefined
  /** `next` of the part before; `from` does not count then. */
  readonly place?: LedgerPlace | undefined
  /** Entries to read at once, about; at least one step is done. */
  readonly most: number
}

type Failed = Extract<LedgerVerdict, { ok: false }>

const failed = (seq: number, detail: string): Failed => ({ ok: false, seq, detail })

/**
 * Reads the whole chain of a workspace, from its first entry to the stored head, and compares it with the records of
 * the applies: if entries and head are both missing, these records still show that there were entries. Throws
 * WORKSPACE_NOT_FOUND.
 */
export const verifyLedger = async (
  { workspace }: { readonly workspace: string },
  deps: Pick<Deps, 'store'>,
): Promise<LedgerVerdict> => {
  for (let place: LedgerPlace | undefined; ; ) {
    const result = await verifyLedgerPart({ workspace, place, most: Number.POSITIVE_INFINITY }, deps)
    if ('ok' in result) return result
    place = result.next
  }
}

/**
 * One part of a verification: first the entries, in order, then the applies. Only the last part has a verdict that the
 * ledger is intact; the others answer `next`. Throws WORKSPACE_NOT_FOUND.
 */
export const verifyLedgerPart = async (
  { workspace, from, place, most }: VerifyRequest & { readonly workspace: string },
  { store }: Pick<Deps, 'store'>,
): Promise<LedgerVerdict | LedgerProgress> => {
  await requireWorkspace(store, workspace)
  const ledger = { store, workspace }
  const { seq, hash } = place ?? from ?? emptyHead
  try {
    if (place?.applies !== undefined) return await compareApplies(place, most, ledger)
    const start = await headAt(seq, hash, ledger)
    if ('ok' in start) return start
    const since = place?.since ?? { seq, ...defined({ at: start.at }) }
    const verified = await verifyEntries(start, since, most, ledger)
    const left = 'ok' in verified ? 0 : most - (verified.verified - seq)
    if ('ok' in verified || verified.next.applies === undefined || left <= 0) return verified
    return await compareApplies(verified.next, left, ledger)
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    return failed(seq + 1, error.message)
  }
}

interface Ledger {
  readonly store: Store
  readonly workspace: string
}

/** The entry with this number must still be the one that was verified, and be itself unchanged. */
const headAt = async (seq: number, hash: string, { store, workspace }: Ledger): Promise<LedgerHead | Failed> => {
  if (seq === 0) return hash === emptyHead.hash ? emptyHead : failed(1, endFlaws.otherStart)
  const { value: entry } = await readLedger(store, workspace, seq).next()
  if (entry?.seq !== seq) return failed(seq, entryFlaws.gone(seq))
  if (entry.hash !== hash) return failed(seq, entryFlaws.unexpected)
  return hashOf(entry) === hash ? headOf(entry) : failed(seq, entryFlaws.changed)
}

const verifyEntries = async (
  start: LedgerHead,
  since: LedgerPlace['since'],
  most: number,
  { store, workspace }: Ledger,
): Promise<Failed | LedgerProgress> => {
  const applies = new Map<string, number>()
  const parts = noted(readWholeLedger(store, workspace, start.seq + 1), applies)
  const end = await verifySome(parts, { workspace, start }, most)
  if ('ok' in end && !end.ok) return end
  for (const [apply, seq] of applies) {
    const detail = await lossOf(apply, { store, workspace })
    if (detail !== undefined) return failed(seq, detail)
  }
  const next: LedgerPlace =
    'ok' in end ? { since, seq: end.entries, hash: end.head, applies: '' } : { since, seq: end.seq, hash: end.hash }
  return { verified: next.seq, next }
}

async function* noted(parts: AsyncIterable<LedgerPart>, applies: Map<string, number>): AsyncGenerator<LedgerPart> {
  for await (const part of parts) {
    if ('hash' in part && part.applyId !== undefined && !applies.has(part.applyId)) applies.set(part.applyId, part.seq)
    yield part
  }
}

/** Why the record of an apply that has entries cannot be read; `undefined` if it can. */
const lossOf = async (apply: string, { store, workspace }: Ledger): Promise<string | undefined> => {
  try {
    return (await findApply(store, workspace, apply)) === undefined ? lostApply(apply) : undefined
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    return error.message
  }
}

/** Applies that are listed at once: their records are large. */
const listedAtOnce = 20

const compareApplies = async (
  place: LedgerPlace,
  most: number,
  { store, workspace }: Ledger,
): Promise<LedgerVerdict | LedgerProgress> => {
  const { since, seq, hash } = place
  let read = 0
  const first = place.applies === '' ? undefined : place.applies
  const list = ({ after = first }: { readonly after?: string }) =>
    listApplies(store, workspace, { limit: listedAtOnce, ...defined({ after }) })
  for await (const { items, damaged: [damaged] = [] } of eachPage(list)) {
    if (isAppError(damaged?.error, 'STATE_NEWER')) throw damaged.error
    if (damaged !== undefined) return failed(1, damaged.error.message)
    for (const apply of items.filter((one) => !endedBefore(one, since.at))) {
      const { flaw, entries } = await compareApply(apply, { store, workspace })
      if (flaw !== undefined) return flaw
      read += entries + 1
      if (read >= most) return { verified: seq, next: { ...place, applies: apply.id } }
    }
  }
  return {
    ok: true,
    workspace,
    entries: seq,
    head: hash,
    ...defined({ from: since.seq === 0 ? undefined : since.seq }),
  }
}

const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

/** All entries of such an apply are older than the head at which the verification began. */
const endedBefore = ({ finishedAt }: Apply, at: string | undefined): boolean =>
  at !== undefined && finishedAt !== undefined && shifted(finishedAt, marginMs) < at

interface Compared {
  readonly flaw?: Failed | undefined
  readonly entries: number
}

/** The record was read before its entries: if a running apply records an outcome later, its entry exists already. */
const compareApply = async (apply: Apply, { store, workspace }: Ledger): Promise<Compared> => {
  const to = hasEnded(apply) && apply.finishedAt !== undefined ? shifted(apply.finishedAt, marginMs) : undefined
  const near = { applyId: apply.id, atOnce: 1_000, from: shifted(apply.requestedAt, -marginMs), ...defined({ to }) }
  const found = await compareWith(apply, selectLedger(store, workspace, near))
  // The clock of a worker may have been far off, and the index is no evidence: a flaw counts only after all was read.
  return found.flaw === undefined ? found : compareWith(apply, readLedger(store, workspace))
}

const compareWith = async (apply: Apply, entries: AsyncIterable<LedgerEntry>): Promise<Compared> => {
  const witness = createWitness()
  let own = 0
  for await (const entry of entries) {
    if (entry.applyId !== apply.id) continue
    witness.note(entry)
    own += 1
  }
  const detail = witness.flawOf(apply)
  const seq = witness.applies().get(apply.id) ?? 1
  return { entries: own, flaw: detail === undefined ? undefined : failed(seq, detail) }
}
