import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import {
  acquireLock,
  holdsLock,
  isSameBeat,
  type Lock,
  loadWatched,
  readLock,
  releaseLock,
  renewLock,
  saveWatched,
  withLease,
} from '../../../core/engine/state/applies/lock.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { lawRuns } from '../../builders/laws.ts'
import { testClock } from '../../builders/time/stores.ts'

const leaseMs = 10

/** A worker does one thing a turn; between two turns any time may pass, as in a process that is suspended. */
type Turn = { worker: number; does: 'acquire' | 'write' | 'renew' | 'release'; wait: number }

const turn = (workers: number) =>
  fc.record<Turn>({
    worker: fc.nat(workers - 1),
    does: fc.constantFrom('acquire', 'acquire', 'write', 'write', 'renew', 'release'),
    wait: fc.nat(leaseMs),
  })

const schedules = fc.integer({ min: 2, max: 5 }).chain((workers) => fc.array(turn(workers), { maxLength: 40 }))
/** By how much each machine's clock is wrong, in milliseconds. */
const skews = fc.array(fc.integer({ min: -9_000, max: 9_000 }), { minLength: 5, maxLength: 5 })

const lostIsFine = (error: unknown): undefined => {
  if (isAppError(error, 'LOCK_LOST') || isAppError(error, 'LOCKED')) return undefined
  throw error
}

interface World {
  readonly store: Store
  readonly skews: readonly number[]
  readonly held: Map<number, { readonly lock: Lock; readonly beat: number; readonly since: number }>
  /** What each worker has seen, and since when it stands still. */
  readonly seen: Map<number, { readonly lock: Lock; readonly since: number }>
  readonly written: number[]
  now: number
}

const newWorld = (of: readonly number[] = []): World => ({
  store: memoryStore(testClock()),
  skews: of,
  held: new Map(),
  seen: new Map(),
  written: [],
  now: 0,
})

const acquire = async (world: World, worker: number, now: Date): Promise<void> => {
  const { store, seen } = world
  const found = await readLock(store, 'a')
  const before = seen.get(worker)
  if (found === undefined) seen.delete(worker)
  else if (before === undefined || !isSameBeat(before.lock, found)) seen.set(worker, { lock: found, since: world.now })
  const watch = seen.get(worker)
  const dead = watch !== undefined && world.now - watch.since >= watch.lock.leaseMs ? { dead: watch.lock } : {}
  const since = world.now
  const wish = { workspace: 'a', holder: `${worker}`, leaseMs, now, ...dead }
  const lock = await acquireLock(store, wish).catch(lostIsFine)
  if (lock !== undefined) world.held.set(worker, { lock, beat: 0, since })
}

const act = async (world: World, { worker, does, wait }: Turn): Promise<void> => {
  const { store, held, written } = world
  world.now += wait
  const now = new Date(world.now + (world.skews[worker] ?? 0))
  const own = held.get(worker)
  if (does === 'acquire') return acquire(world, worker, now)
  if (own === undefined) return
  if (does === 'renew') {
    const [beat, since] = [own.beat + 1, world.now]
    held.set(worker, { ...own, beat })
    const next = withLease(own.lock, beat, { leaseMs, now })
    const renewed = await renewLock(store, next).then(() => true, lostIsFine)
    if (renewed === true) held.set(worker, { lock: next, beat, since })
  } else if (does === 'release') {
    await releaseLock(store, own.lock)
    held.delete(worker)
  } else {
    const item = { pk: 'work', sk: `${written.length}` }
    const result = await store.write([{ kind: 'put', item }, holdsLock(own.lock)])
    if (result.ok) written.push(own.lock.fence)
  }
}

it('law: whatever the schedule, fences of writes only grow, and at most one worker can write', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, skews, async (turns, wrong) => {
      const world = newWorld(wrong)
      for (const one of turns) {
        await act(world, one)
        const all = [...world.held.values()]
        const able = await Promise.all(all.map(({ lock }) => world.store.write([holdsLock(lock)])))
        expect(able.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1)
      }
      expect(world.written).toEqual(world.written.toSorted((left, right) => left - right))
    }),
    lawRuns(2000),
  )
})

it('law: however wrong the clocks are, no lock is lost within its lease, and a dead lock is free after two leases', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, skews, async (turns, wrong) => {
      const world = newWorld(wrong)
      for (const one of turns) {
        await act(world, one)
        for (const { lock, since } of world.held.values()) {
          if (world.now - since < leaseMs) expect((await world.store.write([holdsLock(lock)])).ok).toBe(true)
        }
      }
      // Whoever is left is dead: one look begins the watch, a second one after the lease ends it.
      for (let looks = 0; looks < 2; looks += 1) await act(world, { worker: 4, does: 'acquire', wait: leaseMs })
      expect(await readLock(world.store, 'a')).toMatchObject({ holder: '4' })
    }),
    lawRuns(2000),
  )
})

it('law: workers that act at the same moment never write over one another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(turn(5), { maxLength: 6 }), { minLength: 2, maxLength: 5 }), async (all) => {
      const world = newWorld()
      const work = async (turns: readonly Turn[], worker: number) => {
        for (const one of turns) await act(world, { ...one, worker })
      }
      await Promise.all(all.map(work))
      expect(world.written).toEqual(world.written.toSorted((left, right) => left - right))
    }),
    lawRuns(2000),
  )
})

it('a take-over is refused where the holder renews an ended lease just before it', async () => {
  const inner = memoryStore(testClock())
  const held = await acquireLock(inner, { workspace: 'a', holder: 'slow', leaseMs, now: new Date(0) })
  let looked = false
  const store: Store = {
    ...inner,
    get: async (key) => {
      const item = await inner.get(key)
      if (!looked) await renewLock(inner, withLease(held, 1, { leaseMs, now: new Date(50) }))
      looked = true
      return item
    },
  }
  const late = acquireLock(store, { workspace: 'a', holder: 'quick', leaseMs, now: new Date(50), dead: held })
  await expect(late).rejects.toMatchObject({ code: 'LOCKED', payload: { holder: 'slow' } })
})

it('the observation of a lease is handed on to the next challenger of the same lease only', async () => {
  const store = memoryStore(testClock())
  const lock = await acquireLock(store, { workspace: 'a', holder: 'slow', leaseMs, now: new Date(0) })
  expect(await loadWatched(store, lock)).toBe(0)
  await saveWatched(store, lock, 7)
  expect(await loadWatched(store, lock)).toBe(7)
  const renewed = withLease(lock, 1, { leaseMs, now: new Date(0) })
  expect(await loadWatched(store, renewed)).toBe(0)
  expect(await loadWatched(store, { ...lock, fence: 2 })).toBe(0)
})
