import { describe, expect, it } from 'vitest'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aWorld, taggedType } from '../../../semantics/world.ts'

const workspace = 'things'

describe('the undo of an apply of which a part was done', () => {
  const tags = [
    { id: 'bad', color: 'x' },
    { id: 'good', color: 'x' },
  ]

  it('undoes what was done, names what was not, and takes nothing for the work of an earlier apply', async () => {
    await using world = await aWorld({
      document: aDocument({ thing: taggedType }),
      resources: [aThing('a', { size: 1, color: 'red', tags: [] })],
      live: { a: { name: 'a', size: 0, color: 'red' } },
      server: {
        route: ({ method, url }) => {
          if (method === 'GET' && url.endsWith('/tags')) return { status: 200, body: '{"tags":[]}' }
          return url.includes('/tags/bad') ? { status: 422, body: '{}' } : undefined
        },
      },
    })
    const first = await world.checkAndApply()
    world.clock.forward(60_000)
    world.want([aThing('a', { size: 2, color: 'red', tags })])
    const second = await world.checkAndApply()
    expect(second.apply.status).toBe('failed')
    world.clock.forward(60_000)
    const undo = async ({ apply }: typeof first) =>
      (await planUndoOf({ workspace, applyId: apply.id, trigger: 'cli', actor }, world.deps)).plan
    expect((await undo(first)).changes).toMatchObject([
      { blocked: { detail: expect.stringContaining(second.apply.id) as string } },
    ])
    const plan = await undo(second)
    expect(plan.changes.map(({ blocked }) => blocked)).toEqual([undefined])
    expect(plan.notes?.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('api_thing.a#2 (failed), api_thing.a#3 (never sent)'),
    )
    world.clock.forward(60_000)
    expect((await world.apply(plan.digests.commands)).status).toBe('succeeded')
    expect(world.bodyOf('a')).toEqual({ name: 'a', size: 1, color: 'red' })
  })
})
