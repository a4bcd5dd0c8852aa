import { AppError, isAppError } from '../../errors/errors.ts'
import { defined } from '../../values/defined.ts'
import { keyOf, writeBytes } from './limits.ts'
import { type Item, maxWrites, type Page, type Query, type Store, type Write, type WriteResult } from './store.ts'

/** Under DynamoDB's 4 MB, with room for what it adds. */
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

/** Groups of writes in few transactions, each with `guard`. Only a group that is too large alone is split. */
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

/** `final` makes the change valid; `ahead` is harmless without it, and `behind` is optional cleanup after it. */
export interface Changes {
  readonly ahead: readonly Write[]
  readonly final: readonly Write[]
  readonly behind: readonly Write[]
  /**
   * What must hold when `behind` is written by itself; what it does not reach then stays, unused. Chunks are named by their
   * content: without it, a delete that comes late would take a chunk that a later writer uses again.
   */
  readonly guard?: readonly Write[]
}

/** The writes that are all in the last transaction. */
export const finalChanges = (final: readonly Write[]): Changes => ({ ahead: [], final, behind: [] })

export const joinChanges = (all: readonly Changes[]): Changes => ({
  ahead: all.flatMap((one) => one.ahead),
  final: all.flatMap((one) => one.final),
  behind: all.flatMap((one) => one.behind),
  guard: all.flatMap((one) => one.guard ?? []),
})

/** `share`: how much of a transaction it may take. */
export const fitsOnce = ({ ahead, final, behind }: Changes, share = 1): boolean =>
  isWithin(loadOf([...final, ...ahead, ...behind]), share)

/** That a late delete of somebody else did not take what was written ahead. As many as the last transaction has room for. */
const stillThere = (ahead: readonly Write[], last: readonly Write[]): readonly Write[] => {
  const checks = ahead.map((write): Write => ({ kind: 'check', key: keyOf(write), if: [{ kind: 'exists' }] }))
  return isWithin(loadOf([...last, ...checks])) ? checks : []
}

/** The result is that of `final`, and so are its indexes; an index after its end is that of a write ahead. */
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

/** Throws LOCK_LOST where the lock's check failed, else STORE_CONFLICT about `what`. */
export const mustHold = (result: WriteResult, writes: readonly Write[], what: string): void => {
  if (result.ok) return
  const failed = writes[result.index]
  const key = failed === undefined ? undefined : keyOf(failed)
  if (key?.sk === 'LOCK') throw new AppError('LOCK_LOST', { workspace: key.pk.slice('W#'.length) })
  throw new AppError('STORE_CONFLICT', { what })
}

/** All or nothing. Throws as `mustHold`. */
export const mustCommit = async (store: Store, changes: Changes, what: string): Promise<void> =>
  mustHold(await commit(store, changes), changes.final, what)

/** Tries again while the answer is `undefined`, which means a conflicting write. Throws STORE_CONFLICT in the end. */
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

/** Repeats the work, from its reads on, after a conflicting write. Throws STORE_CONFLICT in the end. */
export const againOnConflict = async <Result>(work: () => Promise<Result>, attempts = 5): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isAppError(error, 'STORE_CONFLICT') || attempt === attempts) throw error
    }
  }
}

/** All items of a list, page by page. */
export async function* eachOf<One>(
  list: (from: { readonly after?: string }) => Promise<Page<One>>,
): AsyncGenerator<One> {
  let after: string | undefined
  do {
    const page = await list(defined({ after }))
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

/** Every item of a query. */
export const eachItem = (store: Store, query: Query): AsyncGenerator<Item> =>
  eachOf((from) => store.query({ ...query, ...from }))
