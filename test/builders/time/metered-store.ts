import { itemBytes, keyOf, writeBytes } from '../../../core/engine/state/store/limits.ts'
import type { Item, Store } from '../../../core/engine/state/store/store.ts'

/**
 * Counts what DynamoDB would: a write unit for each started kilobyte of an item, twice in a transaction, which every write
 * of ours is but a single put with a condition; a read unit for each started 4 KB, because all reads are strongly consistent.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export const meteredStore = (inner: Store) => {
  const units = { written: 0, read: 0 }
  const put: string[] = []
  const countRead = (items: readonly Item[]): void => {
    const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0)
    units.read += Math.max(1, Math.ceil(bytes / 4096))
  }
  const store: Store = {
    get: async (key, signal) => {
      const item = await inner.get(key, signal)
      countRead(item === undefined ? [] : [item])
      return item
    },
    query: async (query, signal) => {
      const page = await inner.query(query, signal)
      countRead(page.items)
      return page
    },
    write: (writes, signal) => {
      const [first] = writes
      const isAlone = writes.length === 1 && first?.kind === 'put' && (first.if ?? []).length > 0
      for (const write of writes) {
        units.written += (isAlone ? 1 : 2) * Math.max(1, Math.ceil(writeBytes(write) / 1024))
        put.push(keyOf(write).sk.replace(/#.*/, ''))
      }
      return inner.write(writes, signal)
    },
  }
  /** What was counted since the last call. */
  const take = () => ({ ...units, put: put.splice(0) })
  return {
    store,
    take: () => {
      const taken = take()
      Object.assign(units, { written: 0, read: 0 })
      return taken
    },
  }
}
