import { beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#core'
import { acquireLock, releaseLock } from '../../core/state/lock.ts'
import { getWorkspace } from '../../core/state/workspaces.ts'
import { enqueueDue } from '../../core/workflows/enqueue-due.ts'
import { putWorkspace } from '../../core/workflows/put-workspace.ts'
import { takeCheck } from '../../core/workflows/take-check.ts'
import { actor, testDeps, yaml } from '../builders/workspace.ts'

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
  it('that met an apply before the tick could move it on comes again within a minute', async () => {
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
  it('that is done comes again at its time, not before', async () => {
    await tick()
    for (const message of world.queued.check.splice(0)) await takeCheck(message, world.deps)
    expect(await acme()).toMatchObject({ nextCheckAt: '2026-11-22T06:00:00.000Z' })
    expect((await acme()).pendingCheck).toBeUndefined()
  })
})
