import { AppError } from '../../errors/errors.ts'
import { ranAhead } from '../../values/clock-skew.ts'
import { mustHold } from '../store/commit.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Store, Write } from '../store/store.ts'

/** `fence` grows with each holder and is part of its writes, so that a former holder cannot write. */
export interface Lock {
  readonly workspace: string
  readonly holder: string
  readonly fence: number
  /** Changes with each renewal, so that an abandoned lease can be distinguished from a renewed one. */
  readonly beat: number
  /** Milliseconds from the last renewal. */
  readonly leaseMs: number
  /** ISO 8601 by the clock of the holder, for display. It does not decide whether a lock is taken over. */
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

export const isSameBeat = (left: Lock, right: Lock): boolean =>
  left.fence === right.fence && left.beat === right.beat && left.until === right.until

/**
 * A process that waits for a lock may live for less time than a lease lasts, so the time that it has watched is stored
 * for the next one. Each number is a time in which the lease was certainly not renewed, measured by one machine, so
 * both adding to the number and overwriting it are correct.
 */

/** Milliseconds for which other processes have seen this lease unchanged. */
export const loadWatched = async (store: Store, lock: Lock): Promise<number> => {
  const item = await store.get(keys.watch(lock.workspace))
  if (item === undefined) return 0
  const seen = { ...lock, fence: Number(item['fence']), beat: Number(item['beat']), until: String(item['until']) }
  return isSameBeat(seen, lock) ? Number(item['watchedMs']) : 0
}

export const saveWatched = async (
  store: Store,
  { workspace, fence, beat, until }: Lock,
  watchedMs: number,
): Promise<void> => {
  await store.write([{ kind: 'put', item: { ...keys.watch(workspace), fence, beat, until, watchedMs } }])
}

/** Returns expired locks too; `undefined` if the lock is not held. */
export const readLock = async (store: Store, workspace: string): Promise<Lock | undefined> =>
  lockOf(workspace, await store.get(keys.lock(workspace)))

/** A lease that ends too far in the future is over, because the clock of its holder was fast. */
const isOver = ({ until }: Lock, now: Date): boolean => {
  const time = now.toISOString()
  return until <= time || ranAhead(until, time)
}

/**
 * The holder by the clock of this machine, which may be wrong. The result may postpone work but must not be a reason to
 * take the lock over.
 */
export const getLock = async (store: Store, workspace: string, now: Date): Promise<Lock | undefined> => {
  const lock = await readLock(store, workspace)
  return lock === undefined || isOver(lock, now) ? undefined : lock
}

/** Takes a free lock, or the lease `dead` that the caller saw expire. Throws LOCKED, also for the same holder. */
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
  // The lease may have been renewed since it was read, so the write requires that it is unchanged.
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

/** Each attempt needs its own `beat`, because an attempt without an answer may have been written. */
export const withLease = (lock: Lock, beat: number, lease: Lease): Lock => ({
  ...lock,
  beat,
  leaseMs: lease.leaseMs,
  until: untilOf(lease),
})

/** Renews a lock in the transaction of the writes that need it. The write fails if the lock was lost. */
export const renewal = (next: Lock): Write => ({ kind: 'put', item: lockItem(next, true), if: heldBy(next.fence) })

/** Throws LOCK_LOST if another holder took the lock over. */
export const renewLock = async (store: Store, next: Lock): Promise<void> => {
  const writes = [renewal(next)]
  mustHold(await store.write(writes), writes, 'the lock')
}

/** Does nothing if the lock was lost. */
export const releaseLock = async (store: Store, lock: Lock): Promise<void> => {
  await store.write([{ kind: 'put', item: lockItem(lock, false), if: heldBy(lock.fence) }])
}

export const holdsLock = (lock: Lock): Write => ({
  kind: 'check',
  key: keys.lock(lock.workspace),
  if: heldBy(lock.fence),
})
