import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import type { Item, Store } from '../../../../core/engine/state/store/store.ts'
import { describeWorkspace, listWorkspaces } from '../../../../core/engine/state/workspaces/list-workspaces.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { aBundle, aWorkspace } from '../../../builders/values/records.ts'
import { testDeps } from '../../../builders/workspaces/workspace.ts'

const now = '2026-11-21T06:00:00.000Z'
const minute = 60_000

const start = async () => {
  const given = testDeps()
  const { store } = given.deps
  for (const id of ['bad', 'good']) await saveWorkspace(store, aWorkspace({ id, nextCheckAt: now }), aBundle())
  const meta = async () => (await store.get(keys.workspace('bad'))) as Item & { body: object }
  const write = (item: Item) => store.write([{ kind: 'put', item }])
  const breakBody = async (body: object) => write({ ...(await meta()), body: { ...(await meta()).body, ...body } })
  const tick = async (deps = given.deps) => {
    given.queued.check.length = 0
    return enqueueDue({}, deps)
  }
  const queued = () => given.queued.check.map(({ workspace }) => workspace).sort()
  return { ...given, store, meta, write, breakBody, tick, queuedNow: queued }
}
type World = Awaited<ReturnType<typeof start>>

/** Whatever can be wrong with one entry of the due list, or with what it leads to. */
const broken: readonly (readonly [string, string, (world: World) => Promise<unknown>])[] = [
  [
    'a workspace that is gone',
    'WORKSPACE_NOT_FOUND',
    ({ store }) => store.write([{ kind: 'delete', key: keys.workspace('bad') }]),
  ],
  ['a schedule without meaning', 'SCHEDULE_INVALID', ({ breakBody }) => breakBody({ schedule: 'rate(0 minutes)' })],
  ['a schedule that is no text', 'STORE_CORRUPT', ({ breakBody }) => breakBody({ schedule: 7 })],
  [
    'a zone that does not exist',
    'SCHEDULE_INVALID',
    ({ breakBody }) => breakBody({ schedule: 'cron(0 6 * * ? *)', timezone: 'Mars/Base' }),
  ],
  [
    'a blackout in a zone that does not exist',
    'SCHEDULE_INVALID',
    ({ breakBody }) =>
      breakBody({ timezone: 'Mars/Base', blackout: [{ cron: 'cron(0 6 * * ? *)', durationMs: minute }] }),
  ],
  [
    'a record without its body',
    'STORE_CORRUPT',
    async ({ meta, write }) => {
      const { body: _, ...rest } = await meta()
      return write({ ...rest, pk: keys.workspace('bad').pk, sk: keys.workspace('bad').sk })
    },
  ],
  ['a time that is none', 'STORE_CORRUPT', ({ breakBody }) => breakBody({ nextCheckAt: 'yesterday' })],
]

describe.each(broken)('%s', (_, code, breakIt) => {
  it('delays no other workspace, is put into quarantine with its reason, and is tried again each hour', async () => {
    const world = await start()
    await breakIt(world)
    const { failures, quarantined, enqueued } = await world.tick()
    expect(world.queuedNow()).toEqual(['good'])
    expect(enqueued).toEqual(['good'])
    expect(failures).toMatchObject([{ workspace: 'bad', error: { code } }])
    expect(quarantined).toMatchObject([{ workspace: 'bad', since: now, error: { code } }])
    world.clock.forward(minute)
    expect(await world.tick()).toMatchObject({ failures: [], quarantined: [{ workspace: 'bad', since: now }] })
    world.clock.forward(60 * minute)
    expect(await world.tick()).toMatchObject({ failures: [{ error: { code } }], quarantined: [{ since: now }] })
  })
  it('leaves quarantine by itself when it is well again, and at once when its configuration is stored again', async () => {
    const world = await start()
    const before = await world.meta()
    await breakIt(world)
    await world.tick()
    await world.write(before)
    world.clock.forward(60 * minute)
    expect(await world.tick()).toMatchObject({ failures: [], quarantined: [] })
    expect(world.queuedNow()).toContain('bad')
    expect((await getWorkspace(world.store, 'bad')).nextCheckAt).toBe('2026-11-21T07:15:00.000Z')

    await world.store.write([{ kind: 'delete', key: keys.workspace('bad') }])
    await saveWorkspace(world.store, aWorkspace({ id: 'bad', nextCheckAt: now }), aBundle())
    await breakIt(world)
    await world.tick()
    await world.store.write([{ kind: 'delete', key: keys.workspace('bad') }])
    await saveWorkspace(world.store, aWorkspace({ id: 'bad', nextCheckAt: now }), aBundle())
    expect(await world.tick()).toMatchObject({ failures: [], quarantined: [] })
    expect(world.queuedNow()).toEqual(['bad'])
  })
})

describe('a workspace in quarantine', () => {
  it('is seen in the list and in the workspace', async () => {
    const { breakBody, tick, store } = await start()
    await breakBody({ schedule: 'rate(0 minutes)' })
    await tick()
    const quarantined = { since: now, error: { code: 'SCHEDULE_INVALID' } }
    expect(await describeWorkspace(store, 'bad')).toMatchObject({ quarantined })
    expect((await listWorkspaces(store, { limit: 10 })).items).toMatchObject([
      { id: 'bad', quarantined },
      { id: 'good' },
    ])
  })
})

describe('a workspace that is stored again in the moment in which it would be put into quarantine', () => {
  /** Stores it right before the write that puts it aside. */
  const racing = (store: Store, push: () => Promise<unknown>): Store => {
    let raced = false
    return {
      ...store,
      write: async (writes) => {
        const isAside = writes.some((write) => write.kind === 'put' && write.item.pk === keys.quarantine('bad').pk)
        if (isAside && !raced) {
          raced = true
          await push()
        }
        return store.write(writes)
      },
    }
  }
  it.each([0, 60])('is due, and not in quarantine (broken for %i minutes)', async (minutes) => {
    const { breakBody, tick, deps, store, clock, queuedNow } = await start()
    await breakBody({ schedule: 'rate(0 minutes)' })
    if (minutes > 0) await tick()
    clock.forward(minutes * minute)
    const push = async () => {
      await saveWorkspace(store, aWorkspace({ id: 'bad', nextCheckAt: deps.clock.now().toISOString() }), aBundle())
    }
    expect(await tick({ ...deps, store: racing(store, push) })).toMatchObject({ quarantined: [] })
    await tick()
    expect(queuedNow()).toContain('bad')
  })
})

describe('a failure that can pass by itself', () => {
  const failing = (store: Store, when: (sk: string) => boolean): Store => ({
    ...store,
    get: async (key) => {
      if (when(`${key.pk}/${key.sk}`)) throw new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
      return store.get(key)
    },
    query: async (query) => {
      if (when(query.pk)) throw new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
      return store.query(query)
    },
  })
  it('stays due for the next tick, and is no reason for quarantine', async () => {
    const { tick, deps, store, queuedNow } = await start()
    const down = { ...deps, store: failing(store, (place) => place === 'W#bad/META') }
    expect(await tick(down)).toMatchObject({ failures: [{ workspace: 'bad' }], quarantined: [], enqueued: ['good'] })
    await tick()
    expect(queuedNow()).toEqual(['bad'])
  })
  it('in one partition delays no other partition', async () => {
    const { tick, deps, store } = await start()
    const { pk } = keys.due('bad', now)
    expect(keys.due('good', now).pk).not.toBe(pk)
    const report = await tick({ ...deps, store: failing(store, (place) => place === pk) })
    expect(report).toMatchObject({ failures: [{ error: { code: 'STORE_UNAVAILABLE' } }], enqueued: ['good'] })
  })
})

describe('an entry that leads nowhere', () => {
  it.each([
    ['a time that the workspace no longer has', `2026-11-21T05:00:00.000Z#good`],
    ['no time', '0000'],
    ['no name of a workspace', '2026-11-21T05:00:00.000Z#../x'],
  ])('is dropped: %s', async (_, sk) => {
    const { tick, store, write } = await start()
    const { pk } = keys.due('good', now)
    await write({ pk, sk })
    const unreadable = sk.endsWith('#good') ? [] : [{ pk, sk }]
    expect(await tick()).toMatchObject({ failures: [], quarantined: [], dropped: unreadable })
    expect(await store.get({ pk, sk })).toBeUndefined()
  })
})
