import { isAppError } from '../errors/errors.ts'
import type { LedgerPart } from '../ledger/chain.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'
import { addressPattern } from '../values/addresses/address.ts'
import { defined } from '../values/defined.ts'
import { findIndex, type LedgerSpan, lastNumber, readSpan, readWholeLedger } from './ledger.ts'
import { readStretches, stretchesOf } from './ledger-index.ts'
import { keys, sortable } from './store/keys.ts'
import type { Damaged, Page, Paging, Store } from './store/store.ts'

export interface LedgerFilter {
  /** ISO times; both bounds are included. */
  readonly from?: string
  readonly to?: string
  /** The subject of the actor. */
  readonly actor?: string
  /** As a target names resources: an address, one of a module or of all instances, or one with `*`. */
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

const filterOf = ({ actor, address, runId, applyId }: LedgerFilter): ((entry: LedgerEntry) => boolean) => {
  const isMeant = address === undefined ? undefined : addressPattern(address)
  return (entry) =>
    (actor === undefined || entry.actor.subject === actor) &&
    (isMeant === undefined || isMeant(String(entry.command?.['address'] ?? ''))) &&
    (runId === undefined || entry.runId === runId) &&
    (applyId === undefined || entry.applyId === applyId)
}

/** Finds the first entry for which this does not hold by binary search: it holds for all before, and for none after. */
const firstNot = async (
  store: Store,
  workspace: string,
  holds: (entry: LedgerEntry) => boolean,
  within: { readonly from?: number; readonly to?: number } = {},
): Promise<number> => {
  let low = within.from ?? 1
  let high = Math.min(within.to ?? lastNumber, await latest(store, workspace)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    // A damaged entry is left out, so the next one decides.
    const span = { from: middle, to: high - 1, atOnce: 2, skip: () => {} }
    const { value: entry } = await readSpan(store, workspace, span).next()
    if (entry !== undefined && holds(entry)) low = entry.seq + 1
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
    const first = from === undefined ? 1 : await firstNot(store, workspace, ({ at }) => at < sortable(from))
    return { from: Math.max(first, (after ?? 0) + 1) }
  }
  const last = to === undefined ? lastNumber : (await firstNot(store, workspace, ({ at }) => at <= sortable(to))) - 1
  return { to: Math.min(last, (after ?? lastNumber + 1) - 1), reverse: true }
}

/**
 * The entries of an apply or of an actor are found by the index, as far as it reaches back; only older ones are searched.
 * A damaged head has no index.
 */
async function* readSelected(
  store: Store,
  workspace: string,
  span: LedgerSpan,
  { applyId, actor }: LedgerFilter,
): AsyncGenerator<LedgerEntry> {
  const chosen = stretchesOf(workspace, { applyId, actor })
  const index = chosen && (await findIndex(store, workspace))
  if (chosen === undefined || index === undefined) return yield* readSpan(store, workspace, span)
  const { from = 1, to = lastNumber, reverse = false } = span
  const older = { ...span, to: Math.min(to, index.since - 1) }
  if (!reverse) yield* readSpan(store, workspace, older)
  const isOf = filterOf(defined(applyId === undefined ? { actor } : { applyId }))
  const bounds = { first: index.since, from: Math.max(from, index.since), to }
  for await (const { start, end } of readStretches(store, chosen, bounds, reverse)) {
    const all = { ...span, from: Math.max(start, bounds.from), to: end }
    if (reverse) {
      const behind = await firstNot(store, workspace, isOf, all)
      yield* readSpan(store, workspace, { ...all, to: behind - 1 })
    } else
      for await (const entry of readSpan(store, workspace, all)) {
        if (!isOf(entry)) break
        yield entry
      }
  }
  if (reverse) yield* readSpan(store, workspace, older)
}

export async function* selectLedger(
  store: Store,
  workspace: string,
  selected: LedgerSelection,
): AsyncGenerator<LedgerEntry> {
  const { from, to, atOnce, order, skip } = selected
  const span = await spanOf(store, workspace, selected)
  const matches = filterOf(selected)
  const isPast = ({ at }: LedgerEntry): boolean =>
    order === 'newest' ? from !== undefined && at < sortable(from) : to !== undefined && at > sortable(to)
  for await (const entry of readSelected(store, workspace, { ...span, atOnce, skip }, selected)) {
    if (isPast(entry)) return
    if (matches(entry)) yield entry
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

/** An export without an entry that only this version cannot read would look as if somebody had removed the entry. */
const refuseNewer = ({ error }: Damaged): void => {
  if (isAppError(error, 'STATE_NEWER')) throw error
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
  skip: (damaged: Damaged) => void = refuseNewer,
): AsyncGenerator<LedgerPart> =>
  Object.values(filter).some((value) => value !== undefined)
    ? selectLedger(store, workspace, { ...filter, after, skip })
    : readWholeLedger(store, workspace, after + 1, skip)
