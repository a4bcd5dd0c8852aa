import { AppError, isAppError } from '../../errors/errors.ts'
import { defined } from '../../values/defined.ts'
import { compareKeys, keyOf, writeBytes } from './limits.ts'
import {
  type Damaged,
  type Item,
  type Key,
  maxWrites,
  type Page,
  type Query,
  type Store,
  type Write,
  type WriteResult,
} from './store.ts'

/** DynamoDB allows 4 MB; the rest is for its overhead. */
const transactionBytes = 3_500_000

interface CommitSize {
  readonly count: number
  readonly bytes: number
}

const loadOf = (writes: readonly Write[]): CommitSize => ({
  count: writes.length,
  bytes: writes.reduce((sum, write) => sum + writeBytes(write), 0),
})

const add = (left: CommitSize, right: CommitSize): CommitSize => ({
  count: left.count + right.count,
  bytes: left.bytes + right.bytes,
})

const isWithin = ({ count, bytes }: CommitSize, share = 1): boolean =>
  count <= maxWrites * share && bytes <= transactionBytes * share

/**
 * Packs groups of writes into few transactions, each with `guard`. Only a group that is too large for one transaction
 * is split.
 */
export const inBatches = (
  groups: readonly (readonly Write[])[],
  guard: readonly Write[] = [],
): readonly (readonly Write[])[] => {
  const empty = loadOf(guard)
  const batches: Write[][] = []
  let load: CommitSize | undefined
  for (const group of groups.flatMap((one) =>
    isWithin(add(empty, loadOf(one))) ? [one] : one.map((write) => [write]),
  )) {
    const own = loadOf(group)
    if (load === undefined || !isWithin(add(load, own))) {
      batches.push([...guard])
      load = empty
    }
    batches.at(-1)?.push(...group)
    load = add(load, own)
  }
  return batches
}

/**
 * `ahead` is written before and is harmless without `final`, which makes the change valid. `behind` is optional cleanup
 * after it.
 */
export interface Changes {
  readonly ahead: readonly Write[]
  readonly final: readonly Write[]
  readonly behind: readonly Write[]
  /**
   * Conditions for `behind` if it is written separately; if they fail, the items of `behind` stay, unused. Keys of
   * chunks are derived from their content, so a late delete without these conditions could remove a chunk that a later
   * writer uses again.
   */
  readonly guard?: readonly Write[]
}

export const finalChanges = (final: readonly Write[]): Changes => ({ ahead: [], final, behind: [] })

export const joinChanges = (all: readonly Changes[]): Changes => ({
  ahead: all.flatMap((one) => one.ahead),
  final: all.flatMap((one) => one.final),
  behind: all.flatMap((one) => one.behind),
  guard: all.flatMap((one) => one.guard ?? []),
})

/** `share`: the allowed part of a transaction. */
export const fitsOnce = ({ ahead, final, behind }: Changes, share = 1): boolean =>
  isWithin(loadOf([...final, ...ahead, ...behind]), share)

/**
 * Checks that a late delete of another writer has not removed the writes of `ahead`. Empty if the checks do not fit
 * into the last transaction.
 */
const stillThere = (ahead: readonly Write[], last: readonly Write[]): readonly Write[] => {
  const checks = ahead.map((write): Write => ({ kind: 'check', key: keyOf(write), if: [{ kind: 'exists' }] }))
  return isWithin(loadOf([...last, ...checks])) ? checks : []
}

/** The result and its index are those of `final`; an index beyond its end is that of a write of `ahead`. */
export const commit = async (store: Store, changes: Changes): Promise<WriteResult> => {
  const { ahead, final, behind, guard } = changes
  if (fitsOnce(changes)) return store.write([...final, ...ahead, ...behind])
  for (const batch of inBatches(ahead.map((write) => [write]))) await store.write(batch)
  const last = [...final, ...behind]
  const together = [...last, ...stillThere(ahead, last)]
  if (isWithin(loadOf(together))) return store.write(together)
  const result = await store.write([...final, ...stillThere(ahead, final)])
  if (result.ok)
    for (const batch of inBatches(
      behind.map((write) => [write]),
      guard,
    ))
      await store.write(batch)
  return result
}

/** Throws LOCK_LOST if the check of the lock failed, otherwise STORE_CONFLICT with `what`. */
export const mustHold = (result: WriteResult, writes: readonly Write[], what: string): void => {
  if (result.ok) return
  const failed = writes[result.index]
  const key = failed === undefined ? undefined : keyOf(failed)
  if (key?.sk === 'LOCK') throw new AppError('LOCK_LOST', { workspace: key.pk.slice(key.pk.indexOf('#') + 1) })
  throw new AppError('STORE_CONFLICT', { what })
}

/** Throws like `mustHold`. */
export const mustCommit = async (store: Store, changes: Changes, what: string): Promise<void> =>
  mustHold(await commit(store, changes), changes.final, what)

/** Repeats while the result is `undefined`, which means a conflicting write. Finally throws STORE_CONFLICT. */
export const untilWritten = async <Result>(
  what: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> => {
  for (let tries = 0; tries < 20; tries += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new AppError('STORE_CONFLICT', { what })
}

/** Repeats the work, including its reads, after a conflicting write. Finally throws STORE_CONFLICT. */
export const againOnConflict = async <Result>(work: () => Promise<Result>, attempts = 5): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isAppError(error, 'STORE_CONFLICT') || attempt === attempts) throw error
    }
  }
}

type ListPage<One> = (from: { readonly after?: string }) => Promise<Page<One>>

export async function* eachPage<One>(list: ListPage<One>): AsyncGenerator<Page<One>> {
  let after: string | undefined
  do {
    const page = await list(defined({ after }))
    yield page
    after = page.next
  } while (after !== undefined)
}

type Tell = (damaged: Damaged) => void

/** Everything that is not damaged. */
export async function* soundOf<One>(list: ListPage<One>, tell?: Tell): AsyncGenerator<One> {
  for await (const { items, damaged = [] } of eachPage(list)) {
    for (const one of damaged) tell?.(one)
    yield* items
  }
}

export const soundItems = (store: Store, query: Query, tell?: Tell): AsyncGenerator<Item> =>
  soundOf((from) => store.query({ ...query, ...from }), tell)

/** Everything, for work that must not take a damaged one for absent. Throws STORE_CORRUPT. */
export async function* eachOf<One>(list: ListPage<One>): AsyncGenerator<One> {
  for await (const { items, damaged = [] } of eachPage(list)) {
    for (const { error } of damaged) throw error
    yield* items
  }
}

/** Every item up to the first damaged one. Throws its STORE_CORRUPT. */
export async function* eachItem(store: Store, query: Query): AsyncGenerator<Item> {
  const isBefore = (item: Key, { key }: Damaged): boolean =>
    compareKeys(item.sk, key.sk) * (query.reverse === true ? -1 : 1) < 0
  for await (const { items, damaged: [first] = [] } of eachPage((from) => store.query({ ...query, ...from }))) {
    yield* first === undefined ? items : items.filter((item) => isBefore(item, first))
    if (first !== undefined) throw first.error
  }
}

/** The keys of all items with those that are readable, to delete them. */
export async function* eachKey(
  store: Store,
  query: Query,
): AsyncGenerator<{ readonly sk: string; readonly item?: Item }> {
  for await (const { items, damaged = [] } of eachPage((from) => store.query({ ...query, ...from }))) {
    for (const item of items) yield { sk: item.sk, item }
    for (const { key } of damaged) yield { sk: key.sk }
  }
}
