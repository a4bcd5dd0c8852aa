import type { Clock } from '../../schema/ports.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import { holds } from './conditions.ts'
import { checkWrites, compareKeys, inQuery, isLive, keyOf } from './limits.ts'
import { takePage } from './page.ts'
import type { Item, Key, Query, Store, Write, WriteResult } from './store.ts'
import { verified } from './verified.ts'

type Partition = Map<string, Item>

const copyValue = (value: Item[string]): Item[string] =>
  value instanceof Uint8Array ? new Uint8Array(value) : JSON.parse(JSON.stringify(value))

/** Values are returned as JSON keeps them: without `undefined`, and not shared with the caller. */
const copy = (item: Item): Item =>
  mapMembers(item, (value) => (value === undefined ? undefined : copyValue(value))) as unknown as Item

/** The reference for the conformance tests of all stores. It lives in one process and writes nothing to disk. */
export const memoryStore = (clock: Pick<Clock, 'now'>): Store => {
  const partitions = new Map<string, Partition>()
  const sorted = new Map<string, readonly string[]>()

  const live = (key: Key): Item | undefined => {
    const item = partitions.get(key.pk)?.get(key.sk)
    return isLive(item, clock.now()) ? item : undefined
  }

  const sortedKeys = (pk: string): readonly string[] => {
    const keys = sorted.get(pk) ?? [...(partitions.get(pk)?.keys() ?? [])].sort(compareKeys)
    sorted.set(pk, keys)
    return keys
  }

  const set = (write: Write): void => {
    if (write.kind === 'check') return
    const { pk, sk } = keyOf(write)
    const partition = partitions.get(pk) ?? new Map<string, Item>()
    if (write.kind === 'delete' || !partition.has(sk)) sorted.delete(pk)
    if (write.kind === 'delete') partition.delete(sk)
    else partition.set(sk, copy(write.item))
    partitions.set(pk, partition)
  }

  return verified<Store>({
    get: async (key) => {
      const item = live(key)
      return item === undefined ? undefined : copy(item)
    },
    query: async (query: Query) => {
      const keys = sortedKeys(query.pk).filter((sk) => inQuery(query, sk))
      const found = (query.reverse === true ? keys.reverse() : keys).flatMap((sk) => live({ pk: query.pk, sk }) ?? [])
      const { items, ...page } = takePage(found, query.limit)
      return { ...page, items: items.map(copy) }
    },
    write: async (writes): Promise<WriteResult> => {
      checkWrites(writes)
      const index = writes.findIndex((write) => !(write.if ?? []).every((one) => holds(one, live(keyOf(write)))))
      const failed = writes[index]
      if (failed !== undefined) {
        const found = live(keyOf(failed))
        return { ok: false, index, ...defined({ found: found && copy(found) }) }
      }
      for (const write of writes) set(write)
      return { ok: true }
    },
  })
}
