import { describe, expect, it } from 'vitest'
import { AppError, isAppError } from '../../../../core/engine/errors/errors.ts'
import type { Clock } from '../../../../core/engine/schema/ports.ts'
import { acquireLock, readLock } from '../../../../core/engine/state/applies/lock.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store, Write } from '../../../../core/engine/state/store/store.ts'
import { holdLock } from '../../../../core/engine/workflows/apply/lock/hold-lock.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import type { Deps, Warning } from '../../../../core/engine/workflows/deps.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { type Shop, startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

const list = '{ type: shop_list, name: main, spec: { name: groceries } }'

/** Somebody else has judged the lease dead, rightly or not. */
const takeOver = async (store: Store): Promise<void> => {
  const dead = await readLock(store, workspace)
  const wish = { workspace, holder: 'another', leaseMs: 30_000, now: new Date(0) }
  await acquireLock(store, { ...wish, ...(dead === undefined ? {} : { dead }) })
}

const start = (shop: Shop, changes: Parameters<typeof driveShop>[2] = {}) => {
  const clock = movableClock()
  const store = memoryStore(clock)
  const drive = driveShop(shop, [list], { clock, store, ...changes })
  const attempts = async () =>
    (await drive.entries()).flatMap(({ kind, attempt }) => (kind === 'attempt' ? [attempt] : []))
  const begin = async (deps: Deps = drive.deps) => {
    const { id } = await drive.request(digestOf(await drive.check()))
    return { id, end: () => runApply({ workspace, applyId: id, patient: true }, deps).catch((error: unknown) => error) }
  }
  return { ...drive, clock, store, attempts, begin }
}

/** Refuses the first write, so that it is sent again. */
const busyOnce = (shop: Shop, answer: { status: number; headers?: Record<string, string> }): void => {
  let isBusy = true
  shop.behaviour.fault = ({ method }) => {
    if (method !== 'POST' || !isBusy) return undefined
    isBusy = false
    return { kind: 'answer', ...answer }
  }
}

describe('each attempt of a write', () => {
  it('has its own ledger entry before it is sent, in the order in which the server received them', async () => {
    await using shop = await startShop()
    const drive = start(shop)
    busyOnce(shop, { status: 429, headers: { 'retry-after': '2' } })
    const { end } = await drive.begin()
    expect(await end()).toMatchObject({ status: 'succeeded' })
    expect(shop.writes()).toHaveLength(2)
    expect((await drive.entries()).map(({ kind }) => kind)).toEqual([
      'started',
      'intent',
      'attempt',
      'attempt',
      'result',
      'finished',
    ])
    expect(await drive.attempts()).toEqual([1, 2])
    expect(await verifyLedger({ workspace }, drive.deps)).toMatchObject({ ok: true })
  })

  const label = '{ type: shop_label, name: sale, spec: { name: sale, text: all } }'

  it('is repeated where its answer asks for that, and an object that is gone then counts as deleted by it', async () => {
    await using shop = await startShop()
    const drive = start(shop)
    drive.configure([label])
    await drive.apply(digestOf(await drive.check()))
    drive.configure([])
    shop.behaviour.fault = ({ method }) => {
      if (method !== 'DELETE') return undefined
      const isDone = shop.state.labels.delete('sale')
      return { kind: 'answer', status: isDone ? 503 : 204, headers: isDone ? { 'retry-after': '2' } : {} }
    }
    const { end } = await drive.begin()
    expect(await end()).toMatchObject({ status: 'succeeded' })
    expect(shop.writes().map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'DELETE'])
  })

  it.each([
    ['at once', 0, 1],
    ['after a slow store', 6_000, 2],
  ])('reads the object once, and again where that was long ago: %s', async (_, late, reads) => {
    await using shop = await startShop()
    const drive = start(shop)
    drive.configure([label])
    const store: Store = {
      ...drive.store,
      write: async (writes) => {
        if (writes.some((write) => isEntry(write, 'attempt'))) drive.clock.forward(late)
        return drive.store.write(writes)
      },
    }
    const { end } = await drive.begin({ ...drive.deps, store })
    const from = shop.received.length
    expect(await end()).toMatchObject({ status: 'succeeded' })
    const sent = shop.received.slice(from).map(({ method }) => method)
    // The plan is made again first, which reads it too.
    expect(sent.slice(0, sent.indexOf('PUT'))).toEqual(['GET', ...Array.from({ length: reads }, () => 'GET')])
  })

  it('is not sent after a wait in which the lock was lost', async () => {
    await using shop = await startShop()
    const drive = start(shop)
    busyOnce(shop, { status: 429, headers: { 'retry-after': '2' } })
    const clock: Clock = {
      ...drive.clock,
      sleep: async (ms, signal) => {
        if (shop.writes().length === 1 && ms === 2_000) await takeOver(drive.store)
        await drive.clock.sleep(ms, signal)
      },
    }
    const { end } = await drive.begin({ ...drive.deps, clock })
    expect(await end()).toMatchObject({ code: 'LOCK_LOST' })
    expect(shop.writes()).toHaveLength(1)
    expect(shop.state.lists.size).toBe(0)
  })

  it('is not sent where the store cannot be asked', async () => {
    await using shop = await startShop()
    const drive = start(shop)
    let isDead = false
    const store: Store = {
      ...drive.store,
      write: async (writes) => {
        if (isDead) throw aDeadStore()
        isDead = writes.some((write) => isEntry(write, 'intent'))
        return drive.store.write(writes)
      },
    }
    const { id, end } = await drive.begin({ ...drive.deps, store })
    expect(await end()).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(shop.writes()).toEqual([])
    expect(await drive.runAgain(id)).toMatchObject({ status: 'succeeded' })
    expect(shop.writes()).toHaveLength(1)
  })

  it('is not sent where its store answers later than the lease lasts', async () => {
    await using shop = await startShop()
    const drive = start(shop)
    const store: Store = {
      ...drive.store,
      write: async (writes) => {
        const result = await drive.store.write(writes)
        if (writes.some((write) => isEntry(write, 'attempt'))) drive.clock.forward(45_000)
        return result
      },
    }
    const { end } = await drive.begin({ ...drive.deps, store })
    expect(await end()).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(shop.writes()).toEqual([])
  })
})

const aDeadStore = () => new AppError('STORE_UNAVAILABLE', { detail: 'nobody answers' })
const isEntry = (write: Write, kind: string): boolean =>
  write.kind === 'put' && (write.item['body'] as { readonly kind?: string } | undefined)?.kind === kind

describe('a lock that is held', () => {
  /** Sleeps until the test lets time pass; nothing depends on how long that takes. */
  const steppingClock = () => {
    let now = 0
    let wall = 0
    const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
    return {
      now: () => new Date(wall),
      monotonic: () => now,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          const sleeper = { at: now + ms, wake: resolve }
          sleepers.add(sleeper)
          signal?.addEventListener('abort', () => {
            sleepers.delete(sleeper)
            reject(new Error('stopped'))
          })
        }),
      after: () => () => {},
      step: async (ms: number, onTheWall = ms) => {
        now += ms
        wall += onTheWall
        for (const sleeper of [...sleepers].filter(({ at }) => at <= now)) {
          sleepers.delete(sleeper)
          sleeper.wake()
        }
        await new Promise((resolve) => setImmediate(resolve))
      },
    }
  }
  const open = async (broken: { write?: Store['write'] } = {}) => {
    const clock = steppingClock()
    const inner = memoryStore(clock)
    const store: Store = { ...inner, write: (writes) => (broken.write ?? inner.write)(writes) }
    const deps = { store, clock, limits: { leaseMs: 9_000, concurrency: 1 }, warn: () => {} } as unknown as Deps
    const lock = await holdLock({ workspace, holder: 'a', patient: false }, deps)
    const pass = (timeoutMs: number) => lock.enter(timeoutMs, async (renewal) => void (await store.write([renewal])))
    return { clock, store, lock, pass }
  }

  it('is renewed for longer than the request under way may take, and for no longer afterwards', async () => {
    const { store, pass, clock } = await open()
    const passage = await pass(20_000)
    expect(await readLock(store, workspace)).toMatchObject({ leaseMs: 29_000 })
    await clock.step(3_000)
    expect(await readLock(store, workspace)).toMatchObject({ leaseMs: 29_000, beat: 2 })
    passage.end()
    await clock.step(3_000)
    expect(await readLock(store, workspace)).toMatchObject({ leaseMs: 9_000, beat: 3 })
  })

  it('permits a write as long as the whole time-out is left', async () => {
    const broken: { write?: Store['write'] } = {}
    const { pass, clock } = await open(broken)
    const passage = await pass(20_000)
    broken.write = () => Promise.reject(aDeadStore())
    await clock.step(9_000)
    expect(passage.mayLeave()).toBe(true)
    await clock.step(1)
    expect(passage.mayLeave()).toBe(false)
    expect(passage.signal.aborted).toBe(false)
  })

  it.each([
    ['stands still, as in a machine that sleeps', 0, 9_001],
    ['on the wall is set back', 9_001, -3_600_000],
  ])('permits a write for no longer where the clock %s', async (_, steady, wall) => {
    const broken: { write?: Store['write'] } = {}
    const { pass, clock } = await open(broken)
    const passage = await pass(20_000)
    broken.write = () => Promise.reject(aDeadStore())
    await clock.step(steady, wall)
    expect(passage.mayLeave()).toBe(false)
  })

  it.each<[string, Store['write']]>([
    ['refuses', () => Promise.reject(aDeadStore())],
    ['never answers', () => new Promise(() => {})],
  ])('aborts the request under way at the end of the lease where the store %s', async (_, write) => {
    const broken: { write?: Store['write'] } = {}
    const { pass, clock } = await open(broken)
    const passage = await pass(1_000)
    broken.write = write
    // A renewal that was asked for and not answered may stand there: the shorter lease counts.
    for (let passed = 0; passed < 10_000; passed += 1_000) {
      expect(passage.signal.aborted).toBe(false)
      await clock.step(1_000)
    }
    expect(passage.signal.aborted).toBe(true)
  })

  it('aborts the request under way as soon as a renewal finds another holder', async () => {
    const { pass, clock, store, lock } = await open()
    const passage = await pass(1_000)
    await takeOver(store)
    expect(passage.signal.aborted).toBe(false)
    await clock.step(3_000)
    expect(passage.signal.aborted).toBe(true)
    expect(() => passage.end()).toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
    expect(() => lock.current()).toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
    await expect(pass(1_000)).rejects.toMatchObject({ code: 'LOCK_LOST' })
  })
})

describe('a worker that wants a lock of another one', () => {
  const day = 86_400_000
  it.each([9_000, -9_000, day, -day])('waits a whole lease by its own clock, which is %d ms off', async (off) => {
    const clock = movableClock()
    const store = memoryStore(clock)
    const limits = { leaseMs: 30_000, concurrency: 1 }
    await acquireLock(store, { workspace, holder: 'a', leaseMs: 30_000, now: clock.now() })
    const wrong: Clock = { ...clock, now: () => new Date(clock.now().getTime() + off) }
    const deps = { store, clock: wrong, limits, warn: () => {} } as unknown as Deps
    const begun = clock.monotonic()
    const lock = await holdLock({ workspace, holder: 'b', patient: true }, deps)
    expect(clock.monotonic() - begun).toBeGreaterThanOrEqual(30_000)
    expect(lock.current()).toMatchObject({ holder: 'b', fence: 2 })
    await lock.release()
    // What was released is free at once.
    const again = clock.monotonic()
    await holdLock({ workspace, holder: 'c', patient: false }, deps)
    expect(clock.monotonic()).toBe(again)
  })

  describe('and a lock that is renewed in the background', () => {
    const holding = async (slept: () => Promise<void>) => {
      const clock = movableClock()
      const store = memoryStore(clock)
      const state = { isDown: false, turn: () => {} }
      const failing: Store = {
        ...store,
        write: async (writes) => {
          if (state.isDown) throw new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
          return store.write(writes)
        },
      }
      const warnings: Warning[] = []
      const waiting: Clock = {
        ...clock,
        sleep: (_, signal) =>
          new Promise((resolve, reject) => {
            state.turn = () => void slept().then(resolve, reject)
            signal?.addEventListener('abort', () => reject(signal.reason))
          }),
      }
      const limits = { leaseMs: 30_000, concurrency: 1 }
      const deps = { store: failing, clock: waiting, limits, warn: (each: Warning) => warnings.push(each) }
      const lock = await holdLock({ workspace, holder: 'a', patient: false }, deps as unknown as Deps)
      return { lock, state, warnings }
    }
    const settled = () => new Promise((resolve) => setImmediate(resolve))

    it('reports that the store did not answer, and continues', async () => {
      const { lock, state, warnings } = await holding(async () => {})
      state.isDown = true
      state.turn()
      await settled()
      expect(warnings).toMatchObject([{ kind: 'lock_waits', workspace, error: { code: 'STORE_UNAVAILABLE' } }])
      state.isDown = false
      state.turn()
      await settled()
      expect(lock.current()).toMatchObject({ holder: 'a', beat: 2 })
      await lock.release()
      expect(warnings).toHaveLength(1)
    })

    it('loses the lock where its clock fails', async () => {
      const { lock, state } = await holding(() => Promise.reject(new RangeError('no timer')))
      state.turn()
      await settled()
      expect(() => lock.current()).toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
      await lock.release()
    })
  })

  it('never takes a lease that is renewed, however long it watches', async () => {
    const clock = movableClock()
    const store = memoryStore(clock)
    const deps = { store, clock, limits: { leaseMs: 3_000, concurrency: 1 }, warn: () => {} } as unknown as Deps
    const held = await holdLock(
      { workspace, holder: 'a', patient: false },
      { ...deps, limits: { leaseMs: 30_000, concurrency: 1 } },
    )
    let looks = 0
    const watching: Clock = {
      ...clock,
      sleep: async (ms) => {
        clock.forward(ms)
        const passage = await held.enter(0, async (renewal) => void (await store.write([renewal])))
        passage.end()
        looks += 1
      },
    }
    const wish = { workspace, holder: 'b', patient: true, shouldStop: () => looks > 100 }
    await expect(holdLock(wish, { ...deps, clock: watching })).rejects.toMatchObject({ code: 'LOCKED' })
    expect(clock.monotonic()).toBeGreaterThan(90_000)
  })

  it('hands on what it has observed if it lives for less time than a lease', async () => {
    const clock = movableClock()
    const store = memoryStore(clock)
    const deps = { store, clock, limits: { leaseMs: 30_000, concurrency: 1 }, warn: () => {} } as unknown as Deps
    await acquireLock(store, { workspace, holder: 'a', leaseMs: 600_000, now: clock.now() })
    let invocations = 0
    for (; ; invocations += 1) {
      const ends = clock.monotonic() + 60_000
      const wish = { workspace, holder: 'b', patient: true, shouldStop: () => clock.monotonic() >= ends }
      const ended = await holdLock(wish, deps).catch((error: unknown) => error)
      if (!isAppError(ended)) break
      expect(ended.code).toBe('LOCKED')
      // Between two invocations nobody watches, and nothing is counted.
      clock.forward(day)
    }
    expect(invocations).toBe(9)
  })
})
