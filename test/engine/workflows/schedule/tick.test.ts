import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { duePartitions, keys } from '../../../../core/engine/state/store/keys.ts'
import { endPending } from '../../../../core/engine/state/workspaces/pending-check.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const configuration = (lines = 'schedule: rate(15 minutes)', name = 'acme') =>
  yaml(`workspace: ${name}\n${lines}\nproviders: {}\nresources: []\n`)

const minute = 60_000

/** Starts at 2026-11-21T06:00:00.000Z, a Saturday. */
const start = async (lines?: string) => {
  const given = testDeps()
  const put = (bundle = configuration(lines)) => putWorkspace({ bundle, actor }, given.deps)
  const stored = await put()
  const tick = async () => {
    given.queued.check.length = 0
    await enqueueDue({}, given.deps)
    // Checked at once.
    for (const { scheduledFor = '' } of given.queued.check) await endPending(given.deps.store, 'acme', scheduledFor)
    return given.queued.check.map(({ scheduledFor }) => scheduledFor)
  }
  const next = async () => (await getWorkspace(given.deps.store, 'acme')).nextCheckAt
  return { ...given, put, stored, tick, next }
}

describe('a due check', () => {
  it('is queued once for its time, and gets its next time from its schedule', async () => {
    const { tick, clock, next } = await start()
    expect(await tick()).toEqual(['2026-11-21T06:00:00.000Z'])
    expect(await next()).toBe('2026-11-21T06:15:00.000Z')
    expect(await tick()).toEqual([])
    clock.forward(15 * minute)
    expect(await tick()).toEqual(['2026-11-21T06:15:00.000Z'])
  })
  it('is not repeated for times that were missed', async () => {
    const { tick, clock, next } = await start()
    await tick()
    clock.forward(100 * minute)
    expect(await tick()).toEqual(['2026-11-21T06:15:00.000Z'])
    expect(await next()).toBe('2026-11-21T07:55:00.000Z')
  })
  it('follows a calendar in its own time zone', async () => {
    const { tick, next } = await start('schedule: cron(30 8 ? * * *)\ntimezone: Europe/Berlin')
    await tick()
    expect(await next()).toBe('2026-11-21T07:30:00.000Z')
  })
  it('is skipped in a blackout, and comes after it', async () => {
    const blackout = 'blackout: [{ cron: "cron(0 6 ? * SAT *)", duration: 1h }]'
    const { tick, clock, next } = await start(`schedule: rate(15 minutes)\n${blackout}`)
    expect(await tick()).toEqual([])
    expect(await next()).toBe('2026-11-21T06:15:00.000Z')
    clock.forward(60 * minute)
    expect(await tick()).toEqual(['2026-11-21T06:15:00.000Z'])
  })
  it('does not exist without a schedule', async () => {
    const { stored, tick } = await start('timezone: UTC')
    expect(stored.nextCheckAt).toBeUndefined()
    expect(await tick()).toEqual([])
  })
  it('is queued once and rescheduled once, however many ticks run at the same time', async () => {
    const { deps, queued, next } = await start()
    await Promise.all(Array.from({ length: 5 }, () => enqueueDue({}, deps)))
    expect(queued.check.map(({ scheduledFor }) => scheduledFor)).toEqual(['2026-11-21T06:00:00.000Z'])
    expect(await next()).toBe('2026-11-21T06:15:00.000Z')
  })
  it('is queued again when the queue failed, and keeps its time until then', async () => {
    const { deps, queued, next } = await start()
    const down = async () => Promise.reject(new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: 'full' }))
    const { refused } = await enqueueDue({}, { ...deps, queue: { ...deps.queue, checks: down } })
    expect(refused).toBe(1)
    expect(await next()).toBe('2026-11-21T06:00:00.000Z')
    await enqueueDue({}, deps)
    expect(queued.check).toHaveLength(1)
  })
  it('is counted as left when the time is over, and nothing of it is begun', async () => {
    const { deps, queued, clock } = await start()
    const report = await enqueueDue({ deadline: clock.now() }, deps)
    expect(report).toMatchObject({ left: 1, enqueued: [], failures: [] })
    expect(queued.check).toEqual([])
  })
  it('is found in one of sixteen partitions, and changes no other shared one', () => {
    const used = Map.groupBy(
      Array.from({ length: 10_000 }, (_, n) => keys.due(`w${n}`, '2026-11-21T06:00:00.000Z').pk),
      (pk) => pk,
    )
    expect([...used.keys()].sort()).toEqual(duePartitions.toSorted())
    for (const some of used.values()) expect(some.length).toBeLessThan(10_000 / 12)
  })
})

describe('a stored configuration', () => {
  it('is due at once when it is new or changed, and keeps its time when it is neither', async () => {
    const { put, tick, clock } = await start()
    await tick()
    clock.forward(minute)
    expect((await put()).nextCheckAt).toBe('2026-11-21T06:15:00.000Z')
    expect((await put(configuration('schedule: rate(1 hour)'))).nextCheckAt).toBe('2026-11-21T06:01:00.000Z')
  })
  it('has no due time any more when its schedule is removed', async () => {
    const { put, tick } = await start()
    expect((await put(configuration('timezone: UTC'))).nextCheckAt).toBeUndefined()
    expect(await tick()).toEqual([])
  })
  it('must have the name that the caller expects', async () => {
    const { deps } = await start()
    await expect(putWorkspace({ bundle: configuration(), actor, workspace: 'other' }, deps)).rejects.toMatchObject({
      code: 'WORKSPACE_MISMATCH',
    })
  })
  it('is not stored when it is not valid', async () => {
    const { put, stored, deps } = await start()
    await expect(put(yaml('workspace: acme\nressources: []\n'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(await getWorkspace(deps.store, 'acme')).toEqual(stored)
  })
})
