import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/** An apply that creates a thing in a target which keeps something else than what it was sent. */
const start = async (attributes: string, wanted: JsonObject, kept: JsonObject) => {
  const world = await aWorld({
    attributes,
    resources: [aThing('a', wanted)],
    server: {
      route: ({ method, url }, state) => {
        if (method !== 'PUT') return undefined
        state.set(url, JSON.stringify({ name: 'a', ...kept }))
        return { status: 200, body: '{}' }
      },
    },
  })
  const { apply } = await world.checkAndApply()
  expect(world.bodyOf('a')).toEqual({ name: 'a', ...kept })
  world.clock.forward(60_000)
  const planned = async () => {
    const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    return plan
  }
  return { ...world, planned }
}

const perms = 'perms: { type: map, manage: declared, element: { type: set } }'

describe('the undo of a create of which the target', () => {
  it.each<[string, string, JsonObject, JsonObject, JsonObject]>([
    ['changed a value', 'size: { type: number }', { size: 2 }, { size: 3 }, { size: 4 }],
    [
      'added an element',
      perms,
      { perms: { w: ['us'] } },
      { perms: { w: ['us', 'it'] } },
      { perms: { w: ['us', 'x'] } },
    ],
    ['left out a value', 'size: { type: number }\ncolor: {}', { size: 2, color: 'red' }, { size: 2 }, { size: 5 }],
  ])('%s deletes it, unless others have changed it since', async (_, attributes, wanted, kept, other) => {
    await using site = await start(attributes, wanted, kept)
    site.put('a', { name: 'a', ...other })
    const refused = await site.planned()
    expect(refused.commands).toEqual([])
    expect(refused.changes[0]?.blocked?.detail).toContain('it has moved since the apply')
    site.put('a', { name: 'a', ...kept })
    const plan = await site.planned()
    expect(plan.changes.map(({ action, blocked }) => [action, blocked])).toEqual([['delete', undefined]])
    const { commands } = plan.digests
    expect(await site.apply(commands)).toMatchObject({ status: 'succeeded', resources: [{ verdict: 'as_before' }] })
    expect(site.bodyOf('a')).toBeNull()
  })
})
