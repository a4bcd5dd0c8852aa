import { AppError } from '../errors.ts'
import { ranAhead } from '../schema/ran-ahead.ts'
import { mustHold } from './commit.ts'
import { keys } from './keys.ts'
import type { Condition, Item, Store, Write } from './store.ts'

/**
 * A lease on a workspace. `fence` grows with every holder and is never used again; every write of an apply carries it,
 * so that a holder who slept past `until` cannot write once somebody else took over.
 */
export interface Lock {
  readonly workspace: string
  readonly holder: string
  readonly fence: number
  /** ISO 8601. */
  readonly until: string
}

interface Lease {
  readonly leaseMs: number
  readonly now: Date
}

const untilOf = ({ leaseMs, now }: Lease): string => new Date(now.getTime() + leaseMs).toISOString()

/** The item stays after a release, because it holds the last fence. */
const lockItem = (lock: Lock, held: boolean): Item => ({
  ...keys.lock(lock.workspace),
  holder: lock.holder,
  fence: lock.fence,
  until: lock.until,
  held,
})

const heldBy = (fence: number): readonly Condition[] => [
  { kind: 'equals', attribute: 'fence', value: fence },
  { kind: 'equals', attribute: 'held', value: true },
]

const lockOf = (workspace: string, item: Item | undefined): Lock | undefined =>
  item?.['held'] === true
    ? { workspace, holder: String(item['holder']), fence: Number(item['fence']), until: String(item['until']) }
    : undefined

const locked = ({ workspace, holder, until }: Lock): AppError => new AppError('LOCKED', { workspace, holder, until })

/** A lease that ends hours from now was taken by a clock that ran ahead; should its holder live, the fence stops it. */
const isOver = ({ until }: Lock, now: Date): boolean => until <= now.toISOString() || ranAhead(until, now.toISOString())

/** Who holds the workspace now; `undefined` where nobody does, or the lease has ended. */
export const getLock = async (store: Store, workspace: string, now: Date): Promise<Lock | undefined> => {
  const lock = lockOf(workspace, await store.get(keys.lock(workspace)))
  return lock === undefined || isOver(lock, now) ? undefined : lock
}

/** Throws LOCKED, also to the same holder: two deliveries of one message must not both work. */
export const acquireLock = async (
  store: Store,
  { workspace, holder, ...lease }: Lease & { readonly workspace: string; readonly holder: string },
): Promise<Lock> => {
  const item = await store.get(keys.lock(workspace))
  const current = lockOf(workspace, item)
  if (current !== undefined && !isOver(current, lease.now)) throw locked(current)
  const last = item === undefined ? 0 : Number(item['fence'])
  const lock = { workspace, holder, fence: last + 1, until: untilOf(lease) }
  // An expired lease may be renewed at any moment before this, so `until` must still be what was seen.
  const unchanged: readonly Condition[] =
    item === undefined
      ? [{ kind: 'absent' }]
      : [
          { kind: 'equals', attribute: 'fence', value: last },
          { kind: 'equals', attribute: 'until', value: String(item['until']) },
        ]
  const result = await store.write([{ kind: 'put', item: lockItem(lock, true), if: unchanged }])
  if (result.ok) return lock
  throw locked(lockOf(workspace, result.found) ?? lock)
}

/** Throws LOCK_LOST where somebody else took over. A lease that ended may be renewed as long as nobody did. */
export const renewLock = async (store: Store, lock: Lock, lease: Lease): Promise<Lock> => {
  const renewed = { ...lock, until: untilOf(lease) }
  const writes: readonly Write[] = [{ kind: 'put', item: lockItem(renewed, true), if: heldBy(lock.fence) }]
  mustHold(await store.write(writes), writes, 'the lock')
  return renewed
}

/** Does nothing where the lock was lost. */
export const releaseLock = async (store: Store, lock: Lock): Promise<void> => {
  await store.write([{ kind: 'put', item: lockItem(lock, false), if: heldBy(lock.fence) }])
}

/** Goes into every transaction of the holder. */
export const holdsLock = (lock: Lock): Write => ({
  kind: 'check',
  key: keys.lock(lock.workspace),
  if: heldBy(lock.fence),
})
