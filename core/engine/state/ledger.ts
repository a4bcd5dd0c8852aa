import { AppError, isAppError } from '../errors/errors.ts'
import { emptyHead, endOf, headOf, type LedgerHead, type LedgerPart } from '../ledger/chain.ts'
import { type LedgerDraft, link } from '../ledger/link.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { indexEntries, type LedgerIndex } from './ledger-index.ts'
import {
  type Changes,
  commit,
  eachItem,
  finalChanges,
  joinChanges,
  mustHold,
  soundItems,
  untilWritten,
} from './store/commit.ts'
import { documentChanges, readItem } from './store/documents.ts'
import { keys } from './store/keys.ts'
import type { Condition, Damaged, Item, Store, Write } from './store/store.ts'
import { damagedAt, isUnusable } from './store/verified.ts'
import { things } from './store/words.ts'

type StoredHead = LedgerHead & { readonly index?: LedgerIndex }

const findHead = async (store: Store, workspace: string): Promise<StoredHead | undefined> => {
  const item = await store.get(keys.head(workspace))
  if (item === undefined) return undefined
  const index = item['index'] as LedgerIndex | undefined
  return { seq: Number(item['seq']), hash: String(item['hash']), at: String(item['at']), ...defined({ index }) }
}

/** `undefined` if there is none, or the head cannot be used: then everything can be searched without it. */
export const findIndex = async (store: Store, workspace: string): Promise<LedgerIndex | undefined> => {
  try {
    return (await findHead(store, workspace))?.index
  } catch (error) {
    if (!isUnusable(error)) throw error
    return undefined
  }
}

/** `seq` is 0 if there is no entry. */
export const getLedgerHead = async (store: Store, workspace: string): Promise<StoredHead> =>
  (await findHead(store, workspace)) ?? emptyHead

const headWrite = (workspace: string, from: LedgerHead, to: StoredHead): Write => {
  const unchanged: Condition =
    from.seq === 0 ? { kind: 'absent' } : { kind: 'equals', attribute: 'hash', value: from.hash }
  return { kind: 'put', item: { ...keys.head(workspace), ...to } as Item, if: [unchanged] }
}

const linkAll = (head: LedgerHead, drafts: readonly LedgerDraft[]): readonly LedgerEntry[] => {
  let last = head
  return drafts.map((draft) => {
    const entry = link(last, draft)
    last = headOf(entry)
    return entry
  })
}

/**
 * Adds entries and `further` in one transaction. Throws LOCK_LOST or STORE_CONFLICT if a condition of `further` fails.
 */
export const appendLedger = (
  store: Store,
  workspace: string,
  drafts: readonly LedgerDraft[],
  further: readonly Write[] | Changes = [],
): Promise<readonly LedgerEntry[]> =>
  untilWritten(things.ledger(workspace), async () => {
    const head = await getLedgerHead(store, workspace)
    const entries = linkAll(head, drafts)
    const last = entries.at(-1)
    if (last === undefined) return []
    const documents = await Promise.all(
      entries.map((entry) =>
        // Not compressed, so that an auditor can read the table without this program.
        documentChanges(keys.entry(workspace, entry.seq), entry, { if: [{ kind: 'absent' }], compress: false }),
      ),
    )
    const along = 'final' in further ? further : finalChanges(further)
    const joined = joinChanges([along, ...documents])
    const { index, writes } = indexEntries(workspace, head.index, entries)
    const all = [headWrite(workspace, head, { ...headOf(last), ...defined({ index }) }), ...joined.final, ...writes]
    const result = await commit(store, { ...joined, final: all })
    if (!result.ok && result.index === 0) return undefined
    mustHold(result, all, things.ledger(workspace))
    return entries
  })

/** Throws STORE_CORRUPT if the number of the entry does not match its key. */
const entryOf = async (store: Store, item: Item, workspace: string): Promise<LedgerEntry> => {
  const entry = (await readItem<LedgerEntry | undefined>(store, item, things.ledger(workspace)))?.body
  if (entry !== undefined && keys.entry(workspace, entry.seq).sk === item.sk) return entry
  const found = entry === undefined ? 'nothing' : `entry ${entry.seq}`
  throw new AppError('STORE_CORRUPT', { what: things.ledger(workspace), detail: `${found} is at ${item.sk}` })
}

export const lastNumber = 999_999_999_999

export interface LedgerSpan {
  /** Entry numbers; both bounds are included. */
  readonly from?: number
  readonly to?: number
  readonly reverse?: boolean
  readonly atOnce?: number | undefined
  /** Called for each damaged entry, which is left out; absent: the read ends with STORE_CORRUPT. */
  readonly skip?: ((damaged: Damaged) => void) | undefined
}

export async function* readSpan(
  store: Store,
  workspace: string,
  { from = 1, to = lastNumber, reverse = false, atOnce, skip }: LedgerSpan,
): AsyncGenerator<LedgerEntry> {
  if (from > to) return
  const [first, last] = [keys.entry(workspace, from), keys.entry(workspace, to)]
  const span = { pk: first.pk, from: first.sk, to: last.sk, reverse, ...defined({ limit: atOnce }) }
  for await (const item of skip === undefined ? eachItem(store, span) : soundItems(store, span, skip)) {
    const entry = await entryOf(store, item, workspace).catch((error: unknown) => {
      if (skip === undefined || !isUnusable(error)) throw error
      const damaged = { ...damagedAt(item, ''), error }
      store.report?.(damaged)
      skip(damaged)
    })
    if (entry !== undefined) yield entry
  }
}

/** From an entry on, in order. Throws STORE_CORRUPT. */
export const readLedger = (
  store: Store,
  workspace: string,
  from = 1,
  skip?: (damaged: Damaged) => void,
): AsyncGenerator<LedgerEntry> => readSpan(store, workspace, { from, skip })

/**
 * The entries from a number on and the head, for verification and export. The head is read after the entries, and
 * entries that are added meanwhile are read too, so that the head never counts fewer entries than there are. A missing
 * head is left out, unless nothing was ever written. Throws STORE_CORRUPT, but with `skip` leaves out what is damaged.
 */
export async function* readWholeLedger(
  store: Store,
  workspace: string,
  from = 1,
  skip?: (damaged: Damaged) => void,
): AsyncGenerator<LedgerPart> {
  let next = from
  for (;;) {
    const start = next
    for await (const entry of readLedger(store, workspace, start, skip)) {
      yield entry
      next = entry.seq + 1
    }
    const head = await findHead(store, workspace).catch((error: unknown) => {
      if (skip === undefined || !isAppError(error, 'STORE_CORRUPT')) throw error
      return 'damaged' as const
    })
    if (head === 'damaged') return
    if (head !== undefined && head.seq >= next && next > start) continue
    if (head !== undefined || next === 1) yield endOf(workspace, head ?? emptyHead)
    return
  }
}
