import { beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { unreadable } from '../../../../core/engine/state/store/verified.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { editWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { createOverdueWatch, findOverdue } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { pauseWorkspace, resumeWorkspace } from '../../../../core/engine/workflows/workspace/manage-workspace.ts'
import { long } from '../../../builders/long.ts'
import { meteredStore } from '../../../builders/time/metered-store.ts'
import { aBundle, aRun, aWorkspace } from '../../../builders/values/records.ts'
import { actor, movableClock, testDeps } from '../../../builders/workspaces/workspace.ts'

const minute = 60_000
const marginMs = 30 * minute

/** Workspaces in sync, checked just now and due in an hour, and a watch that has read all of them once. */
const inSync = async (count: number) => {
  const clock = movableClock()
  const metered = meteredStore(memoryStore(clock))
  const { deps } = testDeps({ store: metered.store, clock })
  const now = clock.now().getTime()
  const at = (minutes: number): string => new Date(now + minutes * minute).toISOString()
  const lastRun = { ...aRun(1), status: 'in_sync' as const, finishedAt: at(0) }
  const times = { schedule: 'rate(1 hour)', nextCheckAt: at(60), scheduledSince: at(-600), updatedAt: at(-600) }
  for (let n = 0; n < count; n += 1) {
    const id = `w${n}`
    await saveWorkspace(deps.store, aWorkspace({ id, ...times }), aBundle())
    await editWorkspace(deps.store, id, (one) => ({ ...one, lastRun }))
  }
  const watch = createOverdueWatch()
  const look = async () => (await watch({ marginMs }, deps)).map(({ workspace }) => workspace)
  expect(await look()).toEqual([])
  return { deps, clock, look, take: metered.take, at }
}

let world: Awaited<ReturnType<typeof inSync>>
beforeEach(async () => {
  world = await inSync(3)
})

/** How many calls it takes until the workspace is found; five minutes lie between two calls. */
const callsUntil = async (workspace: string): Promise<number> => {
  for (let calls = 1; calls <= 12; calls += 1) {
    if ((await world.look()).includes(workspace)) return calls
    world.clock.forward(5 * minute)
  }
  return Number.POSITIVE_INFINITY
}

it('reads a small part of what it takes to read every workspace', long, async () => {
  const { look, take, deps } = await inSync(1_000)
  take()
  await findOverdue({ marginMs }, deps)
  const whole = take().read
  let most = 0
  for (let call = 0; call < 12; call += 1) {
    await look()
    most = Math.max(most, take().read)
  }
  expect(whole).toBeGreaterThan(1_000)
  expect(most).toBeLessThan(180)
})

describe('a watch that has read everything once', () => {
  it('finds at once what no tick queues', async () => {
    world.clock.forward(91 * minute)
    expect(await world.look()).toEqual(['w0', 'w1', 'w2'])
    expect(await world.look()).toEqual(['w0', 'w1', 'w2'])
  })
  it('finds at once what is queued again and again and never ends', async () => {
    for (let passed = 0; passed < 200; passed += 5) {
      const found = await world.look()
      expect({ passed, found }).toEqual({ passed, found: passed <= 90 ? [] : ['w0', 'w1', 'w2'] })
      await enqueueDue({}, world.deps)
      world.clock.forward(5 * minute)
    }
  })
  it('finds within twelve calls what is in no list, and then with each', async () => {
    const { deps, clock, look, at } = world
    await deps.store.write([{ kind: 'delete', key: keys.due('w1', at(60)) }])
    for (const id of ['w0', 'w2']) await pauseWorkspace({ workspace: id, actor, reason: 'a test' }, deps)
    clock.forward(91 * minute)
    expect(await callsUntil('w1')).toBeLessThanOrEqual(12)
    for (let call = 0; call < 12; call += 1) expect(await look()).toEqual(['w1'])
  })
  it('goes on after a call that failed, with what it knew', async () => {
    const watch = createOverdueWatch()
    const { deps, clock } = world
    clock.forward(91 * minute)
    const away = { ...deps.store, query: () => Promise.reject(new RangeError('the store is away')) }
    expect(await watch({ marginMs }, deps)).toHaveLength(3)
    await expect(watch({ marginMs }, { ...deps, store: away })).rejects.toThrow('away')
    expect(await watch({ marginMs }, deps)).toHaveLength(3)
  })
  it('never finds a paused one, and a resumed one only from its margin on', async () => {
    const { deps, clock, look } = world
    for (const id of ['w0', 'w1', 'w2']) await pauseWorkspace({ workspace: id, actor, reason: 'a test' }, deps)
    clock.forward(600 * minute)
    for (let call = 0; call < 12; call += 1) expect(await look()).toEqual([])
    await resumeWorkspace({ workspace: 'w1', actor, reason: 'done' }, deps)
    clock.forward(30 * minute)
    expect(await look()).toEqual([])
    clock.forward(minute)
    expect(await look()).toEqual(['w1'])
  })
  it('is not blinded by a damaged workspace, and reads it with each call from then on', async () => {
    const { deps, clock } = world
    await deps.store.write([{ kind: 'put', item: { ...keys.workspace('w1'), [unreadable]: true } }])
    const read: string[] = []
    const get: typeof deps.store.get = (key) => {
      read.push(key.pk)
      return deps.store.get(key)
    }
    const watch = createOverdueWatch()
    for (let call = 0; call < 3; call += 1) {
      read.length = 0
      const found = await watch({ marginMs }, { ...deps, store: { ...deps.store, get } })
      expect(found).toEqual([])
      expect(read).toContain('W#w1')
    }
    clock.forward(91 * minute)
    expect((await watch({ marginMs }, deps)).map(({ workspace }) => workspace)).toEqual(['w0', 'w2'])
  })
})
