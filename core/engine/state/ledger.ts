import { AppError, isAppError } from '../errors/errors.ts'
import { emptyHead, headOf, type LedgerDraft, type LedgerHead, link } from '../ledger/link.ts'
import { endOf, type LedgerPart } from '../ledger/verify.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
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
import { keys, sortable } from './store/keys.ts'
import type { Condition, Damaged, Item, Page, Paging, Store, Write } from './store/store.ts'
import { damagedAt } from './store/verified.ts'
import { things } from './store/words.ts'

const findHead = async (store: Store, workspace: string): Promise<LedgerHead | undefined> => {
  const item = await store.get(keys.head(workspace))
  return item === undefined
    ? undefined
    : { seq: Number(item['seq']), hash: String(item['hash']), at: String(item['at']) }
}

/** `seq` is 0 if there is no entry. */
export const getLedgerHead = async (store: Store, workspace: string): Promise<LedgerHead> =>
  (await findHead(store, workspace)) ?? emptyHead

const headWrite = (workspace: string, from: LedgerHead, to: LedgerHead): Write => {
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
    const all = [headWrite(workspace, head, headOf(last)), ...joined.final]
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

const lastNumber = 999_999_999_999

interface LedgerSpan {
  /** Entry numbers; both bounds are included. */
  readonly from?: number
  readonly to?: number
  readonly reverse?: boolean
  readonly atOnce?: number | undefined
  /** Called for each damaged entry, which is left out; absent: the read ends with STORE_CORRUPT. */
  readonly skip?: ((damaged: Damaged) => void) | undefined
}

async function* readSpan(
  store: Store,
  workspace: string,
  { from = 1, to = lastNumber, reverse = false, atOnce, skip }: LedgerSpan,
): AsyncGenerator<LedgerEntry> {
  if (from > to) return
  const [first, last] = [keys.entry(workspace, from), keys.entry(workspace, to)]
  const span = { pk: first.pk, from: first.sk, to: last.sk, reverse, ...defined({ limit: atOnce }) }
  for await (const item of skip === undefined ? eachItem(store, span) : soundItems(store, span, skip)) {
    const entry = await entryOf(store, item, workspace).catch((error: unknown) => {
      if (skip === undefined || !isAppError(error, 'STORE_CORRUPT')) throw error
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

export interface LedgerFilter {
  /** ISO times; both bounds are included. */
  readonly from?: string
  readonly to?: string
  /** The subject of the actor. */
  readonly actor?: string
  readonly address?: string
  readonly runId?: string
  readonly applyId?: string
}

export interface LedgerQuery extends LedgerFilter, Paging {
  /** `oldest` if absent. */
  readonly order?: LedgerOrder
}

export const ledgerOrders = ['oldest', 'newest'] as const
type LedgerOrder = (typeof ledgerOrders)[number]

const matches = (entry: LedgerEntry, query: LedgerFilter): boolean =>
  (query.actor === undefined || entry.actor.subject === query.actor) &&
  (query.address === undefined || entry.command?.['address'] === query.address) &&
  (query.runId === undefined || entry.runId === query.runId) &&
  (query.applyId === undefined || entry.applyId === query.applyId)

/** Finds the first entry whose time is not `before` by binary search. Times within a ledger never decrease. */
const firstNot = async (store: Store, workspace: string, before: (at: string) => boolean): Promise<number> => {
  let low = 1
  let high = (await latest(store, workspace)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    // A damaged entry has no time, so the next one decides.
    const span = { from: middle, to: high - 1, atOnce: 2, skip: () => {} }
    const { value: entry } = await readSpan(store, workspace, span).next()
    if (entry !== undefined && before(entry.at)) low = entry.seq + 1
    else high = middle
  }
  return low
}

/** The number of the last entry; its key tells it even if the entry or the head is damaged. */
const latest = async (store: Store, workspace: string): Promise<number> => {
  const [first, last] = [keys.entry(workspace, 1), keys.entry(workspace, lastNumber)]
  const span = { pk: first.pk, from: first.sk, to: last.sk, reverse: true, limit: 1 }
  const { items, damaged = [] } = await store.query(span)
  return Number(items[0]?.sk ?? damaged[0]?.key.sk ?? 0)
}

interface LedgerSelection extends LedgerFilter, Pick<LedgerQuery, 'order'> {
  /** Number of the last entry of the previous page. */
  readonly after?: number | undefined
  readonly atOnce?: number
  /** As in `LedgerSpan`. */
  readonly skip?: (damaged: Damaged) => void
}

/** Limits only the side where reading starts; reading stops at the other one. */
const spanOf = async (
  store: Store,
  workspace: string,
  { from, to, after, order }: LedgerSelection,
): Promise<LedgerSpan> => {
  if (order !== 'newest') {
    const first = from === undefined ? 1 : await firstNot(store, workspace, (at) => at < sortable(from))
    return { from: Math.max(first, (after ?? 0) + 1) }
  }
  const last = to === undefined ? lastNumber : (await firstNot(store, workspace, (at) => at <= sortable(to))) - 1
  return { to: Math.min(last, (after ?? lastNumber + 1) - 1), reverse: true }
}

export async function* selectLedger(
  store: Store,
  workspace: string,
  selected: LedgerSelection,
): AsyncGenerator<LedgerEntry> {
  const { from, to, atOnce, order, skip } = selected
  const span = await spanOf(store, workspace, selected)
  const isPast = ({ at }: LedgerEntry): boolean =>
    order === 'newest' ? from !== undefined && at < sortable(from) : to !== undefined && at > sortable(to)
  for await (const entry of readSpan(store, workspace, { ...span, atOnce, skip })) {
    if (isPast(entry)) return
    if (matches(entry, selected)) yield entry
  }
}

/** Entries fetched together if a filter matches only some of them. */
const searchedAtOnce = 100

/** Reads one more entry than it returns, to know whether there are others. */
export const queryLedger = async (
  store: Store,
  workspace: string,
  { limit, after, order, ...filter }: LedgerQuery,
): Promise<Page<LedgerEntry>> => {
  const items: LedgerEntry[] = []
  const { from: _, to: __, ...narrowing } = filter
  const isNarrow = Object.values(narrowing).some((value) => value !== undefined)
  const atOnce = isNarrow ? Math.max(searchedAtOnce, limit + 1) : limit + 1
  const found: Damaged[] = []
  const skip = (one: Damaged): unknown => found.push(one)
  const wanted = {
    ...filter,
    atOnce,
    skip,
    ...defined({ order, after: after === undefined ? undefined : Number(after) }),
  }
  const page = (next?: number): Page<LedgerEntry> => {
    const isOfPage = ({ id }: Damaged): boolean =>
      next === undefined || (order === 'newest' ? Number(id) > next : Number(id) < next)
    const damaged = found.filter(isOfPage)
    return {
      items,
      ...defined({
        next: next === undefined ? undefined : String(next),
        damaged: damaged.length === 0 ? undefined : damaged,
      }),
    }
  }
  for await (const entry of selectLedger(store, workspace, wanted)) {
    if (items.length === limit) return page(items.at(-1)?.seq)
    items.push(entry)
  }
  return page()
}

/**
 * The parts of an export from an entry on, without what is damaged: `ledger verify` finds it missing. A filtered export has no head, because it proves nothing about other
 * entries.
 */
export const exportLedger = (
  store: Store,
  workspace: string,
  filter: LedgerFilter,
  after = 0,
  skip: (damaged: Damaged) => void = () => {},
): AsyncGenerator<LedgerPart> =>
  Object.values(filter).some((value) => value !== undefined)
    ? selectLedger(store, workspace, { ...filter, after, skip })
    : readWholeLedger(store, workspace, after + 1, skip)
