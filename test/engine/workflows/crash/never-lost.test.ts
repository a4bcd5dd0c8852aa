import { beforeEach, describe, expect, it } from 'vitest'
import type { Apply, Deps } from '#core'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { findApply } from '../../../../core/engine/state/applies/applies.ts'
import { acquireLock, releaseLock } from '../../../../core/engine/state/applies/lock.ts'
import { listUnfinished } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { resendApplies } from '../../../../core/engine/workflows/apply/resend-applies.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { requestCheck } from '../../../../core/engine/workflows/check/request-check.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
const minute = 60_000
const daily = () => yaml('workspace: acme\nschedule: rate(1 day)\nproviders: {}\nresources: []\n')
let world: ReturnType<typeof testDeps>
const tick = () => enqueueDue({}, world.deps)
const acme = () => getWorkspace(world.deps.store, workspace)

beforeEach(async () => {
  world = testDeps({ bundle: daily() })
  await putWorkspace({ bundle: daily(), actor }, world.deps)
})

describe('a due check', () => {
  it('that met an apply before it was rescheduled comes again within a minute', async () => {
    const { deps, clock } = world
    const held = await acquireLock(deps.store, { workspace, holder: 'apply-1', leaseMs: 30_000, now: clock.now() })
    const checks: Deps['queue']['checks'] = async (messages) => {
      for (const message of messages) await takeCheck(message, deps)
      return []
    }
    await enqueueDue({}, { ...deps, queue: { ...deps.queue, checks } })
    await releaseLock(deps.store, held)
    clock.forward(minute)
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
  })
  it('whose message is lost is queued again after half an hour, however rare its schedule', async () => {
    await tick()
    world.queued.check.length = 0
    world.clock.forward(30 * minute)
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
  })
  it('that was covered by another one whose message is lost is queued after half an hour', async () => {
    await tick()
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    world.clock.forward(24 * 60 * minute - minute)
    await requestCheck({ workspace, actor }, world.deps)
    world.queued.check.length = 0
    world.clock.forward(minute)
    expect(await tick()).toMatchObject({ covered: 1, enqueued: [] })
    world.clock.forward(30 * minute)
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
  })
  it('that was lost, whatever became of it since, comes again at the times of its schedule', async () => {
    await tick()
    world.queued.check.length = 0
    world.clock.forward(30 * minute)
    await tick()
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-22T06:00:00.000Z' })
    world.clock.forward(23 * 60 * minute)
    expect(await tick()).toMatchObject({ enqueued: [] })
  })
  it('that is lost each time is queued each half hour', async () => {
    for (let left = 5; left > 0; left -= 1) {
      expect(await tick()).toMatchObject({ enqueued: [workspace] })
      world.clock.forward(30 * minute)
    }
  })
  it('that was lost is queued by the next tick where the queue refuses it again', async () => {
    await tick()
    world.clock.forward(30 * minute)
    const checks: Deps['queue']['checks'] = async (messages) => messages.map((_, place) => place)
    await enqueueDue({}, { ...world.deps, queue: { ...world.deps.queue, checks } })
    world.clock.forward(minute)
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
  })
  it('that somebody requested and that is lost is queued again, and changes no scheduled time', async () => {
    await tick()
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    world.clock.forward(60 * minute)
    const before = await acme()
    await requestCheck({ workspace, actor }, world.deps)
    world.queued.check.length = 0
    world.clock.forward(30 * minute)
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    expect(await acme()).toMatchObject({ nextCheckAt: before.nextCheckAt })
  })
  it('that is done comes again at its time, and not before', async () => {
    await tick()
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-22T06:00:00.000Z' })
    expect((await acme()).pendingCheck).toBeUndefined()
  })
})

describe('an apply that is requested twice with one key', () => {
  const ask = async (queue: Partial<Deps['queue']> = {}) => {
    const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, world.deps)
    const digest = run.digests?.commands ?? ''
    const request = { workspace, mode: 'execute', digest, reason: 'repair', actor, idempotencyKey: 'one' } as const
    return requestApply(request, { ...world.deps, queue: { ...world.deps.queue, ...queue } })
  }
  const refuse = async (): Promise<never> => {
    throw new AppError('QUEUE_UNAVAILABLE', { queue: 'applies', detail: 'time-out' })
  }
  it('stays when the queue refuses the first request after the second was accepted', async () => {
    let second: Apply | undefined
    const first = await ask({
      apply: async () => {
        second = await ask()
        return refuse()
      },
    })
    expect(first.id).toBe(second?.id)
    expect(await findApply(world.deps.store, workspace, first.id)).toMatchObject({ status: 'queued' })
    expect((await listUnfinished(world.deps.store)).items).toMatchObject([{ applyId: first.id }])
    expect(world.queued.apply).toEqual([{ workspace, applyId: first.id }])
  })
  it('is a new one where the first was withdrawn before', async () => {
    await expect(ask({ apply: refuse })).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' })
    const { id } = await ask()
    expect(await findApply(world.deps.store, workspace, id)).toMatchObject({ status: 'queued' })
  })
})

describe('an apply whose worker dies at the same place each time', () => {
  it('ends with its reason, also where each worker was seen at work', async () => {
    const { deps, clock } = world
    const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'repair', actor }, deps)
    let stranded = 0
    for (let looks = 40; looks > 0 && stranded === 0; looks -= 1) {
      clock.forward(64 * minute)
      // A worker that is killed while its lease stands, every second time.
      const lock =
        looks % 2 === 0
          ? await acquireLock(deps.store, { workspace, holder: id, leaseMs: 30_000, now: clock.now() })
          : undefined
      stranded += (await resendApplies(deps)).stranded.length
      if (lock !== undefined) await releaseLock(deps.store, lock)
    }
    expect(stranded).toBe(1)
    expect(await findApply(deps.store, workspace, id)).toMatchObject({ error: { code: 'APPLY_STRANDED' } })
  })
})
