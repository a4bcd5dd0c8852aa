import { AppError } from '../errors.ts'
import { keyOf, writeBytes } from './limits.ts'
import type { Item, Query, Store, Write, WriteResult } from './store.ts'
import { maxWrites } from './store.ts'

/** Under DynamoDB's 4 MB, with room for what it adds. */
const transactionBytes = 3_500_000

const fits = (writes: readonly Write[], share = 1): boolean =>
  writes.length <= maxWrites * share &&
  writes.reduce((sum, write) => sum + writeBytes(write), 0) <= transactionBytes * share

/** Writes in as few transactions as they need. `guard` goes along with each one. */
export const inBatches = (writes: readonly Write[], guard: readonly Write[] = []): readonly (readonly Write[])[] =>
  writes.reduce<Write[][]>((batches, write) => {
    const last = batches.at(-1)
    if (last !== undefined && fits([...last, write])) last.push(write)
    else batches.push([...guard, write])
    return batches
  }, [])

/**
 * Something large and what makes it count. `ahead` does no harm when it is left behind without `final`; `behind` is
 * no longer needed after it. Where all of it fits, it is one transaction.
 */
export interface Changes {
  readonly ahead: readonly Write[]
  readonly final: readonly Write[]
  readonly behind: readonly Write[]
}

export const joinChanges = (all: readonly Changes[]): Changes => ({
  ahead: all.flatMap((one) => one.ahead),
  final: all.flatMap((one) => one.final),
  behind: all.flatMap((one) => one.behind),
})

/** `share`: how much of a transaction it may take. */
export const fitsOnce = ({ ahead, final, behind }: Changes, share = 1): boolean =>
  fits([...final, ...ahead, ...behind], share)

/** The result is that of `final`, and so are its indexes. */
export const commit = async (store: Store, changes: Changes): Promise<WriteResult> => {
  const { ahead, final, behind } = changes
  if (fitsOnce(changes)) return store.write([...final, ...ahead, ...behind])
  for (const batch of inBatches(ahead)) await store.write(batch)
  const result = await store.write(final)
  if (result.ok) for (const batch of inBatches(behind)) await store.write(batch)
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

/** Tries again while the answer is `undefined`: somebody else was faster. Throws STORE_CONFLICT in the end. */
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

/** Every item of a query, page by page. */
export async function* eachItem(store: Store, query: Query): AsyncGenerator<Item> {
  let after = query.after
  do {
    const page = await store.query({ ...query, ...(after === undefined ? {} : { after }) })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
