import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#core'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { acquireLock, releaseLock } from '../../../../core/engine/state/applies/lock.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { requestCheck } from '../../../../core/engine/workflows/check/request-check.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const minute = 60_000
const configuration = (schedule: string) => yaml(`workspace: acme\n${schedule}\nproviders: {}\nresources: []\n`)

let world: ReturnType<typeof testDeps>
let deps: Deps
const put = (schedule = 'schedule: rate(15 minutes)') => putWorkspace({ bundle: configuration(schedule), actor }, deps)
const tick = async () => {
  await enqueueDue({}, deps)
}
const ask = () => requestCheck({ workspace: 'acme', actor }, deps)
/** Does what was queued, from the first message on. */
const work = async () => {
  const taken = []
  for (const message of world.queued.check.splice(0)) taken.push(await takeCheck(message, deps))
  return taken
}
const acme = () => getWorkspace(deps.store, 'acme')
const runTimes = async () =>
  (await listRuns(deps.store, 'acme', { limit: 50 })).items.map(({ scheduledFor }) => scheduledFor)

beforeEach(async () => {
  const bundle = configuration('schedule: rate(15 minutes)')
  world = testDeps({ bundle })
  deps = world.deps
  await put()
})

describe('the pending check of a workspace', () => {
  it('is the only one: a second due time is passed over until it is done', async () => {
    await tick()
    world.clock.forward(15 * minute)
    await tick()
    expect(world.queued.check).toHaveLength(1)
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-21T06:30:00.000Z' })
    await work()
    expect((await acme()).pendingCheck).toBeUndefined()
    world.clock.forward(15 * minute)
    await tick()
    expect(world.queued.check).toMatchObject([{ scheduledFor: '2026-11-21T06:30:00.000Z' }])
  })
  it('is the only one: whoever requests another gets this one', async () => {
    world.clock.forward(minute)
    const first = await ask()
    expect(first).toEqual({ scheduledFor: '2026-11-21T06:01:00.000Z', queued: true })
    expect(await acme()).toMatchObject({ pendingCheck: { scheduledFor: first.scheduledFor, actor } })
    world.clock.forward(minute)
    expect(await ask()).toEqual({ scheduledFor: first.scheduledFor, queued: false })
    await tick()
    expect(world.queued.check).toHaveLength(1)
    expect(await work()).toMatchObject([{ kind: 'checked', run: { trigger: 'api', actor } }])
    expect(await ask()).toMatchObject({ queued: true })
  })
  it('is the same for many requests at once', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, ask))
    expect(asked.filter(({ queued }) => queued)).toHaveLength(1)
    expect(new Set(asked.map(({ scheduledFor }) => scheduledFor)).size).toBe(1)
    expect(world.queued.check).toHaveLength(1)
  })
  it('blocks the workspace only for a limited time if its message is lost', async () => {
    await tick()
    world.queued.check.length = 0
    world.clock.forward(31 * minute)
    expect(await ask()).toMatchObject({ queued: true })
    world.queued.check.length = 0
    world.clock.forward(31 * minute)
    await tick()
    expect(world.queued.check).toHaveLength(1)
  })
  it('leaves nothing behind if its message is refused', async () => {
    const refusals: readonly Deps['queue']['checks'][] = [
      async () => [0],
      async () => Promise.reject(new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: 'time-out' })),
    ]
    for (const checks of refusals) {
      const before = await acme()
      await expect(
        requestCheck({ workspace: 'acme', actor }, { ...deps, queue: { ...deps.queue, checks } }),
      ).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE', status: 503 })
      expect(await acme()).toEqual(before)
    }
    expect(await ask()).toMatchObject({ queued: true })
  })
  it('is followed by another check if a configuration is stored while it runs', async () => {
    await tick()
    const [message] = world.queued.check.splice(0)
    const config: Deps['config'] = {
      load: async () => {
        world.clock.forward(minute)
        await put('schedule: rate(1 day)')
        world.clock.forward(minute)
        // The tick finds the new one due, and the running check covers nothing of it.
        await tick()
        return configuration('schedule: rate(15 minutes)')
      },
    }
    await takeCheck(message ?? { workspace: 'acme' }, { ...deps, config })
    expect(world.queued.check).toEqual([])
    await tick()
    expect(world.queued.check).toMatchObject([{ scheduledFor: '2026-11-21T06:02:00.000Z' }])
  })
  it('is one run if its message comes twice, and leaves nothing pending', async () => {
    await tick()
    const [message] = world.queued.check
    if (message !== undefined) world.queued.check.push(message)
    await work()
    expect(await runTimes()).toEqual(['2026-11-21T06:00:00.000Z'])
    expect((await acme()).pendingCheck).toBeUndefined()
  })
})

describe('a scheduled check that meets an apply', () => {
  const lock = () =>
    acquireLock(deps.store, { workspace: 'acme', holder: 'apply-1', leaseMs: 30_000, now: deps.clock.now() })
  it('ends without a run, and comes again soon, until the apply has ended', async () => {
    await tick()
    const held = await lock()
    expect(await work()).toEqual([{ kind: 'postponed', holder: 'apply-1' }])
    expect(await runTimes()).toEqual([])
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-21T06:01:00.000Z' })
    expect((await acme()).pendingCheck).toBeUndefined()
    await releaseLock(deps.store, held)
    world.clock.forward(minute)
    await tick()
    expect(await work()).toMatchObject([{ kind: 'checked', run: { status: 'in_sync' } }])
    expect(await runTimes()).toEqual(['2026-11-21T06:01:00.000Z'])
  })
  it('comes again no later than its schedule says', async () => {
    await put('schedule: rate(1 minute)')
    await tick()
    await lock()
    await work()
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-21T06:01:00.000Z' })
  })
  it('comes again also where its schedule has no further time', async () => {
    await put('schedule: at(2026-11-21T06:00:30)')
    await tick()
    await work()
    world.clock.forward(minute)
    await tick()
    // When the pending one counts as lost.
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-21T06:31:00.000Z' })
    expect((await acme()).pendingCheck).not.toHaveProperty('next')
    await lock()
    await work()
    world.clock.forward(minute)
    await tick()
    expect(world.queued.check).toHaveLength(1)
  })
  it('is done if somebody requested it', async () => {
    await ask()
    await lock()
    expect(await work()).toMatchObject([{ kind: 'checked' }])
  })
})

/** The queue may keep any message for any time, and give out any of them in any order. */
type Step = { readonly minutes: number } | { readonly deliver: number }
const someStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ minutes: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ deliver: fc.nat({ max: 5 }) }),
)

/** The second message ends its check at the moment from which the first one counts as lost. */
const checkedJustWhenLost: Step[] = [{ minutes: 15 }, { minutes: 15 }, { deliver: 1 }, { deliver: 0 }]

it('a late message of a check that was replaced is dropped, in any order of deliveries', () =>
  fc.assert(
    fc.asyncProperty(fc.array(someStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      world = testDeps({ bundle: configuration('schedule: rate(15 minutes)') })
      deps = world.deps
      await put()
      await tick()
      const { check: queue } = world.queued
      for (const step of steps) {
        if ('minutes' in step) {
          world.clock.forward(step.minutes * minute)
          await tick()
          continue
        }
        const [message] = queue.splice(step.deliver % Math.max(1, queue.length), 1)
        if (message === undefined) continue
        const { pendingCheck: pending, lastRun } = await acme()
        const taken = await takeCheck(message, deps)
        // Exactly the check that the workspace waits for is made.
        expect(taken.kind).toBe(pending?.scheduledFor === message.scheduledFor ? 'checked' : 'dropped')
        if (taken.kind === 'dropped') expect((await acme()).lastRun).toEqual(lastRun)
      }
      // Nothing is lost: what is due is checked, whatever was dropped.
      world.clock.forward(60 * minute)
      await tick()
      const asked = (await acme()).pendingCheck?.scheduledFor
      for (const message of queue.splice(0)) await takeCheck(message, deps)
      expect(await runTimes()).toContain(asked)
      expect((await acme()).pendingCheck).toBeUndefined()
    }),
    { ...lawRuns(100), examples: [[checkedJustWhenLost]] },
  ))
