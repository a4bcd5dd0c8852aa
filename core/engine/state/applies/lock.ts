import { AppError } from '../../errors/errors.ts'
import { ranAhead } from '../../values/clock-skew.ts'
import { mustHold } from '../store/commit.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Store, Write } from '../store/store.ts'

/** A lease on a workspace. `fence` grows with each holder and is in its writes, so that a former holder cannot write. */
export interface Lock {
  readonly workspace: string
  readonly holder: string
  readonly fence: number
  /** It changes with each renewal, so that an abandoned lease can be distinguished from one that is renewed. */
  readonly beat: number
  /** How long it lasts from its last renewal, in milliseconds. */
  readonly leaseMs: number
  /** ISO 8601, by the holder's own clock: for people. It does not decide whether a lock is taken over. */
  readonly until: string
}

interface Lease {
  readonly leaseMs: number
  readonly now: Date
}

const untilOf = ({ leaseMs, now }: Lease): string => new Date(now.getTime() + leaseMs).toISOString()

/** The item stays after a release, because it holds the last fence. */
const lockItem = ({ workspace, ...lock }: Lock, held: boolean): Item => ({ ...keys.lock(workspace), ...lock, held })

const heldBy = (fence: number): readonly Condition[] => [
  { kind: 'equals', attribute: 'fence', value: fence },
  { kind: 'equals', attribute: 'held', value: true },
]

const lockOf = (workspace: string, item: Item | undefined): Lock | undefined =>
  item?.['held'] === true
    ? {
        workspace,
        holder: String(item['holder']),
        fence: Number(item['fence']),
        beat: Number(item['beat']),
        leaseMs: Number(item['leaseMs']),
        until: String(item['until']),
      }
    : undefined

const locked = ({ workspace, holder, until }: Lock): AppError => new AppError('LOCKED', { workspace, holder, until })

/** Whether two reads found the same renewal of the same holder. */
export const isSameBeat = (left: Lock, right: Lock): boolean =>
  left.fence === right.fence && left.beat === right.beat && left.until === right.until

/**
 * A challenger may live for less time than a lease lasts. The time that it has watched so far is stored for the next one:
 * each number is a time during which the lease was certainly not renewed, measured by one machine, so that adding to it and
 * overwriting it are both correct.
 */

/** Milliseconds for which this very lease has been seen unchanged by challengers before. */
export const loadWatched = async (store: Store, lock: Lock): Promise<number> => {
  const item = await store.get(keys.watch(lock.workspace))
  if (item === undefined) return 0
  const seen = { ...lock, fence: Number(item['fence']), beat: Number(item['beat']), until: String(item['until']) }
  return isSameBeat(seen, lock) ? Number(item['watchedMs']) : 0
}

/** Keeps how long a lease has been seen unchanged. */
export const saveWatched = async (
  store: Store,
  { workspace, fence, beat, until }: Lock,
  watchedMs: number,
): Promise<void> => {
  await store.write([{ kind: 'put', item: { ...keys.watch(workspace), fence, beat, until, watchedMs } }])
}

/** The stored lock, expired or not; `undefined` if it is not held. */
export const readLock = async (store: Store, workspace: string): Promise<Lock | undefined> =>
  lockOf(workspace, await store.get(keys.lock(workspace)))

/** No lease lasts longer: if one seems to, the clock of its holder was fast. */
const isOver = ({ until }: Lock, now: Date): boolean => {
  const time = now.toISOString()
  return until <= time || ranAhead(until, time)
}

/** The holder by this machine's clock, which may be wrong: it is a reason to postpone work, but not to take a lock over. */
export const getLock = async (store: Store, workspace: string, now: Date): Promise<Lock | undefined> => {
  const lock = await readLock(store, workspace)
  return lock === undefined || isOver(lock, now) ? undefined : lock
}

/** Takes a free lock, or the lease `dead` that the caller saw expire. Throws LOCKED, to the same holder too. */
export const acquireLock = async (
  store: Store,
  { dead, ...lease }: Lease & Pick<Lock, 'workspace' | 'holder'> & { readonly dead?: Lock },
): Promise<Lock> => {
  const { workspace, holder } = lease
  const item = await store.get(keys.lock(workspace))
  const current = lockOf(workspace, item)
  if (current !== undefined && (dead === undefined || !isSameBeat(current, dead))) throw locked(current)
  const last = item === undefined ? 0 : Number(item['fence'])
  const lock = { workspace, holder, fence: last + 1, beat: 0, leaseMs: lease.leaseMs, until: untilOf(lease) }
  // A lease may be renewed at any moment before this, so it must still be the one that was seen.
  const unchanged = item === undefined ? [{ kind: 'absent' } as const] : asSeen(item)
  const result = await store.write([{ kind: 'put', item: lockItem(lock, true), if: unchanged }])
  if (result.ok) return lock
  throw locked(lockOf(workspace, result.found) ?? lock)
}

const asSeen = (item: Item): readonly Condition[] =>
  ['fence', 'beat', 'until', 'held'].flatMap((attribute) => {
    const value = item[attribute]
    return typeof value === 'object' || value === undefined ? [] : [{ kind: 'equals', attribute, value } as const]
  })

/** The lock with a new lease. Each try has its own beat: one whose answer was lost may have been written. */
export const withLease = (lock: Lock, beat: number, lease: Lease): Lock => ({
  ...lock,
  beat,
  leaseMs: lease.leaseMs,
  until: untilOf(lease),
})

/** Renews a lock to `next`, in a transaction with what must not happen without it. Does not hold where it was lost. */
export const renewal = (next: Lock): Write => ({ kind: 'put', item: lockItem(next, true), if: heldBy(next.fence) })

/** Throws LOCK_LOST if another holder took the lock over. */
export const renewLock = async (store: Store, next: Lock): Promise<void> => {
  const writes = [renewal(next)]
  mustHold(await store.write(writes), writes, 'the lock')
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
