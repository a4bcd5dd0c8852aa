import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { type CrashPoint, untilDeath } from '../../../builders/time/crash-point.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/*
 * What an apply wrote is what was agreed: another value is a change by others, and the same value is none. What the target shows
 * right after a write may be its own form of it.
 */

const workspace = 'things'

describe('another value than the written one', () => {
  const box = { in: 0, out: 0 }
  it.each<[string, JsonObject, JsonObject, string]>([
    ['', { size: 2 }, { size: 9, box }, 'size'],
    [', if it is a part of an attribute', { box: { in: 2, out: 2 } }, { size: 0, box: { in: 2, out: 9 } }, 'box,out'],
    [', beside what is as before', { box: { in: 2, out: 2 } }, { size: 0, box: { in: 0, out: 9 } }, 'box,out'],
  ])(
    'is pending where it was shown right after the write, and drift where it comes later%s',
    async (_, wanted, theirs, path) => {
      let isWritten = false
      await using world = await aWorld({
        attributes: `size: { type: number }
box: { type: object, attributes: { in: { type: number }, out: { type: number } } }`,
        resources: [aThing('a', { size: 0, box })],
        live: { a: { name: 'a', size: 0, box } },
        server: {
          before: ({ method }, objects) => {
            if (isWritten) objects.set('/things/a', JSON.stringify({ name: 'a', ...theirs }))
            isWritten = method === 'PUT'
          },
        },
      })
      await world.check()
      world.want([aThing('a', { size: 0, box, ...wanted })])
      await world.checkAndApply()
      for (const _time of [1, 2]) {
        const { plan } = await world.check()
        const causes = plan.changes.flatMap((each) => each.causes.map(({ path: at, cause }) => [String(at), cause]))
        expect(causes).toContainEqual([path, 'pending'])
        expect(plan.drift).toEqual([])
      }
      world.put('a', { name: 'a', size: 77, box: { in: 77, out: 77 } })
      expect((await world.check()).plan.drift).toHaveLength(1)
    },
  )
})

describe('what a worker that died has written', () => {
  it.each<[CrashPoint['at'], CrashPoint['when']]>([
    ['send', 'before'],
    ['send', 'after'],
    ['result', 'before'],
    ['result', 'after'],
  ])('is no drift: it died at a %s, %s it', async (at, when) => {
    await using world = await aWorld({ resources: [aThing('a', { size: 0 })], live: { a: { name: 'a', size: 0 } } })
    await world.check()
    world.want([aThing('a', { size: 1 })])
    await world.checkAndApply()
    world.want([aThing('a', { size: 2 })])
    world.clock.forward(60_000)
    const { digest } = await world.check()
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, world.deps)
    await untilDeath(world.deps, { at, n: 1, when }, (dying) => runApply({ workspace, applyId: id }, dying))
    for (const _time of [1, 2]) expect((await world.check()).plan.drift).toEqual([])
    world.put('a', { name: 'a', size: 7 })
    expect((await world.check()).plan.drift).toHaveLength(1)
  })
})
