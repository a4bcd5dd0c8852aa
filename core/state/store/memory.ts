import type { Clock } from '../../schema/ports.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import { checkWrites, compareKeys, inQuery, isLive, itemBytes, keyOf } from './limits.ts'
import type { Condition, Item, Key, Page, Query, Store, Write, WriteResult } from './store.ts'

type Partition = Map<string, Item>

/** A page of DynamoDB ends after 1 MB; a caller that ignores further pages must fail here too. */
const pageBytes = 1024 * 1024

const copyValue = (value: Item[string]): Item[string] =>
  value instanceof Uint8Array ? new Uint8Array(value) : JSON.parse(JSON.stringify(value))

/** A store returns values as JSON keeps them: no `undefined`, nothing shared with the caller. */
const copy = (item: Item): Item =>
  mapMembers(item, (value) => (value === undefined ? undefined : copyValue(value))) as unknown as Item

const holds = (condition: Condition, item: Item | undefined): boolean => {
  if (condition.kind === 'absent') return item === undefined
  if (condition.kind === 'exists') return item !== undefined
  const value = item?.[condition.attribute]
  if (condition.kind === 'equals') return value === condition.value
  if (value === undefined) return true
  if (typeof value === 'number' && typeof condition.value === 'number') return value <= condition.value
  return typeof value === 'string' && typeof condition.value === 'string' && compareKeys(value, condition.value) <= 0
}

const firstMegabyte = (items: readonly Item[]): readonly Item[] => {
  let bytes = 0
  return items.filter((item, index) => {
    bytes += itemBytes(item)
    return index === 0 || bytes <= pageBytes
  })
}

const cutPage = (items: readonly Item[], limit: number | undefined): Page => {
  const page = limit === undefined ? firstMegabyte(items) : items.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(copy),
    ...defined({ next: last !== undefined && page.length < items.length ? last.sk : undefined }),
  }
}

/** The reference for the conformance tests of all stores. One process, nothing on disk. */
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

  return {
    get: async (key) => {
      const item = live(key)
      return item === undefined ? undefined : copy(item)
    },
    query: async (query: Query) => {
      const keys = sortedKeys(query.pk).filter((sk) => inQuery(query, sk))
      const found = (query.reverse === true ? keys.reverse() : keys).flatMap((sk) => live({ pk: query.pk, sk }) ?? [])
      return cutPage(found, query.limit)
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
  }
}
