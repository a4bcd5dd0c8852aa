import { AppError } from '../../errors/errors.ts'
import { type Item, type Key, maxWrites, type Query, type Write } from './store.ts'
import { refusals } from './words.ts'

/** DynamoDB allows 400 KB for an item and 4 MB for a transaction. */
const itemLimit = 400 * 1024
const transactionLimit = 4 * 1024 * 1024
/** DynamoDB's limits in bytes. */
const keyLimits = { pk: 2048, sk: 1024 } as const
/** Largest number of bytes that a map around a JSON text, or a number at full precision, adds. */
const overhead = 32

type StoredValue = Item[string]

const valueBytes = (value: StoredValue): number => {
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value === 'string') return Buffer.byteLength(value.isWellFormed() ? value : JSON.stringify(value))
  if (typeof value === 'object' && value !== null) return Buffer.byteLength(JSON.stringify(value)) + overhead
  return overhead
}

/** Upper bound of the size that DynamoDB counts: names and values as UTF-8. */
export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + Buffer.byteLength(name) + valueBytes(value)),
    100,
  )

export const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key)

export const writeBytes = (write: Write): number => (write.kind === 'put' ? itemBytes(write.item) : 200)

/** A key with half of a surrogate pair would be changed on the way. */
const keyProblem = ({ pk, sk }: Key): string | undefined => {
  if (pk === '' || sk === '') return refusals.emptyKey
  if (!pk.isWellFormed() || !sk.isWellFormed()) return refusals.malformedKey
  const [long] = [Buffer.byteLength(pk) - keyLimits.pk, Buffer.byteLength(sk) - keyLimits.sk].filter((over) => over > 0)
  return long === undefined ? undefined : refusals.longKey(long)
}

const problem = (writes: readonly Write[]): string | undefined => {
  const keys = new Set(writes.map((write) => JSON.stringify([keyOf(write).pk, keyOf(write).sk])))
  const bytes = writes.map(writeBytes)
  const largest = bytes.reduce((most, one) => Math.max(most, one), 0)
  if (writes.length < 1 || writes.length > maxWrites) return refusals.count(writes.length)
  if (keys.size !== writes.length) return refusals.sameKey
  const wrongKey = writes.map((write) => keyProblem(keyOf(write))).find((one) => one !== undefined)
  if (wrongKey !== undefined) return wrongKey
  if (largest > itemLimit) return refusals.largeItem(largest)
  return bytes.reduce((sum, one) => sum + one, 0) > transactionLimit ? refusals.tooLarge : undefined
}

/** Makes every store refuse the same writes. Throws INTERNAL. */
export const checkWrites = (writes: readonly Write[]): void => {
  const detail = problem(writes)
  if (detail !== undefined) throw new AppError('INTERNAL', { detail })
}

/** Sort keys have the order of their UTF-8 bytes, which differs from that of JavaScript beyond U+D7FF. */
export const compareKeys = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

export const inQuery = (query: Query, sk: string): boolean =>
  (query.prefix === undefined || sk.startsWith(query.prefix)) &&
  (query.from === undefined || compareKeys(sk, query.from) >= 0) &&
  (query.to === undefined || compareKeys(sk, query.to) <= 0) &&
  (query.after === undefined || compareKeys(sk, query.after) * (query.reverse === true ? -1 : 1) > 0)

/** Expired items may stay in the table for days, so reads skip them. */
export const isLive = (item: Item | undefined, now: Date): item is Item =>
  item !== undefined && (typeof item.ttl !== 'number' || item.ttl > Math.floor(now.getTime() / 1000))
