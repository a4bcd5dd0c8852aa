import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAppError } from '../../core/errors.ts'
import { acquireLock, holdsLock, type Lock, releaseLock, renewLock } from '../../core/state/lock.ts'
import { memoryStore } from '../../core/state/memory.ts'
import type { Store } from '../../core/state/store.ts'
import { testClock } from '../builders/stores.ts'

const leaseMs = 10

/** A worker does one thing a turn; between two turns any time may pass, as in a process that is suspended. */
type Turn = { worker: number; does: 'acquire' | 'write' | 'renew' | 'release'; wait: number }

const turn = (workers: number) =>
  fc.record<Turn>({
    worker: fc.nat(workers - 1),
    does: fc.constantFrom('acquire', 'write', 'write', 'renew', 'release'),
    wait: fc.nat(leaseMs),
  })

const schedules = fc.integer({ min: 2, max: 5 }).chain((workers) => fc.array(turn(workers), { maxLength: 40 }))

const lostIsFine = (error: unknown): undefined => {
  if (isAppError(error, 'LOCK_LOST') || isAppError(error, 'LOCKED')) return undefined
  throw error
}

interface World {
  readonly store: Store
  readonly held: Map<number, Lock>
  readonly written: number[]
  now: number
}

const act = async (world: World, { worker, does, wait }: Turn): Promise<void> => {
  const { store, held, written } = world
  world.now += wait
  const lease = { leaseMs, now: new Date(world.now) }
  const lock = held.get(worker)
  if (does === 'acquire') {
    const got = await acquireLock(store, { workspace: 'a', holder: `${worker}`, ...lease }).catch(lostIsFine)
    if (got !== undefined) held.set(worker, got)
  } else if (lock !== undefined && does === 'renew') {
    await renewLock(store, lock, lease).catch(lostIsFine)
  } else if (lock !== undefined && does === 'release') {
    await releaseLock(store, lock)
    held.delete(worker)
  } else if (lock !== undefined) {
    const item = { pk: 'work', sk: `${written.length}` }
    const result = await store.write([{ kind: 'put', item }, holdsLock(lock)])
    if (result.ok) written.push(lock.fence)
  }
}

it('law: whatever the schedule, writes carry growing fences, and at most one worker can write', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (turns) => {
      const world: World = { store: memoryStore(testClock()), held: new Map(), written: [], now: 0 }
      for (const one of turns) {
        await act(world, one)
        const able = await Promise.all([...world.held.values()].map((lock) => world.store.write([holdsLock(lock)])))
        expect(able.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1)
      }
      expect(world.written).toEqual(world.written.toSorted((left, right) => left - right))
    }),
    { numRuns: 2000 },
  )
})

it('law: workers that act at the same moment never write under one another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(turn(5), { maxLength: 6 }), { minLength: 2, maxLength: 5 }), async (all) => {
      const world: World = { store: memoryStore(testClock()), held: new Map(), written: [], now: 0 }
      const work = async (turns: readonly Turn[], worker: number) => {
        for (const one of turns) await act(world, { ...one, worker })
      }
      await Promise.all(all.map(work))
      expect(world.written).toEqual(world.written.toSorted((left, right) => left - right))
    }),
    { numRuns: 2000 },
  )
})

it('is refused where the holder renews an ended lease between the look and the take-over', async () => {
  const inner = memoryStore(testClock())
  const held = await acquireLock(inner, { workspace: 'a', holder: 'slow', leaseMs, now: new Date(0) })
  let looked = false
  const store: Store = {
    ...inner,
    get: async (key) => {
      const item = await inner.get(key)
      if (!looked) await renewLock(inner, held, { leaseMs, now: new Date(50) })
      looked = true
      return item
    },
  }
  const late = acquireLock(store, { workspace: 'a', holder: 'quick', leaseMs, now: new Date(50) })
  await expect(late).rejects.toMatchObject({ code: 'LOCKED', payload: { holder: 'slow' } })
})
