import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type Clock,
  checkWrites,
  defined,
  holds,
  type Item,
  inQuery,
  isLive,
  type Key,
  keyOf,
  type Query,
  type Store,
  takePage,
  verified,
  type Write,
  type WriteResult,
} from '#core'
import { openDatabase, transaction, whenFree } from './database.ts'
import { fromRow, keyBlobs, toRow } from './rows.ts'

export interface SqliteStore extends Store {
  /** Later requests are refused with STORE_UNAVAILABLE. */
  close(): void
}

interface Options {
  readonly file: string
  readonly clock: Pick<Clock, 'now'>
}

const statements = (database: DatabaseSync) => ({
  get: database.prepare('SELECT * FROM items WHERE pk = ? AND sk = ?'),
  up: database.prepare('SELECT * FROM items WHERE pk = ? AND sk >= ? AND sk <= ? ORDER BY sk'),
  down: database.prepare('SELECT * FROM items WHERE pk = ? AND sk >= ? AND sk <= ? ORDER BY sk DESC'),
  put: database.prepare('INSERT OR REPLACE INTO items (pk, sk, ttl, json, bytes) VALUES (?, ?, ?, ?, ?)'),
  delete: database.prepare('DELETE FROM items WHERE pk = ? AND sk = ?'),
  expire: database.prepare('DELETE FROM items WHERE ttl <= ?'),
})
type Statements = ReturnType<typeof statements>

/** Sorts after every key: no UTF-8 text has this byte. */
const end = Buffer.from([0xff])

const rangeOf = ({ prefix = '', from = '', to, after = '', reverse }: Query): [Buffer, Buffer] => {
  const lows = [prefix, from, reverse === true ? '' : after].map((text) => Buffer.from(text))
  const highs = [to, reverse === true && after !== '' ? after : undefined].map((text) =>
    text === undefined ? end : Buffer.from(text),
  )
  const low = lows.reduce((left, right) => (Buffer.compare(left, right) > 0 ? left : right))
  const high = [...highs, Buffer.concat([Buffer.from(prefix), end])].reduce((left, right) =>
    Buffer.compare(left, right) < 0 ? left : right,
  )
  return [low, high]
}

const putItem = ({ put }: Pick<Statements, 'put'>, item: Item): void => {
  const { ttl, json, bytes } = toRow(item)
  put.run(...keyBlobs(item), ttl, json, bytes)
}

const itemsOf = function* (statement: StatementSync, query: Query, now: Date): Generator<Item> {
  for (const row of statement.iterate(Buffer.from(query.pk), ...rangeOf(query))) {
    const item = fromRow(row)
    if (inQuery(query, item.sk) && isLive(item, now)) yield item
  }
}

/** Expired items are deleted only after this time, so that a clock that is wrong for some hours loses nothing. */
const graceSeconds = 2 * 24 * 3600

const storeOn = (database: DatabaseSync, { file, clock }: Options): SqliteStore => {
  const prepared = statements(database)

  const live = (key: Key): Item | undefined => {
    const row = prepared.get.get(...keyBlobs(key))
    const item = row === undefined ? undefined : fromRow(row)
    return isLive(item, clock.now()) ? item : undefined
  }

  const apply = (write: Write): void => {
    if (write.kind === 'put') putItem(prepared, write.item)
    if (write.kind === 'delete') prepared.delete.run(...keyBlobs(write.key))
  }

  const writeAll = (writes: readonly Write[]): WriteResult => {
    const index = writes.findIndex((write) => !(write.if ?? []).every((one) => holds(one, live(keyOf(write)))))
    const failed = writes[index]
    if (failed !== undefined) return { ok: false, index, ...defined({ found: live(keyOf(failed)) }) }
    for (const write of writes) apply(write)
    return { ok: true }
  }

  return verified<SqliteStore>({
    get: (key, signal) => whenFree(file, () => live(key), signal),
    query: (query, signal) => {
      const statement = query.reverse === true ? prepared.down : prepared.up
      return whenFree(file, () => takePage(itemsOf(statement, query, clock.now()), query.limit), signal)
    },
    write: async (writes, signal) => {
      checkWrites(writes)
      return whenFree(file, () => transaction(database, () => writeAll(writes)), signal)
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  })
}

/**
 * Opens the store of one machine: a file that any number of processes of this machine may have open. Where the file can only be
 * read, a write rejects with FILE_REFUSED. Rejects with
 * FILE_REFUSED if the file is not plumbline's, STATE_NEWER if a newer version made it, STORE_FULL or STORE_UNAVAILABLE.
 */
export const openSqliteStore = async ({ file, clock }: Options): Promise<SqliteStore> => {
  const { database, readOnly } = await openDatabase(file)
  try {
    const expired = Math.floor(clock.now().getTime() / 1000) - graceSeconds
    if (!readOnly) await whenFree(file, () => statements(database).expire.run(expired))
    return storeOn(database, { file, clock })
  } catch (error) {
    database.close()
    throw error
  }
}
