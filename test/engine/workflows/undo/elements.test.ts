import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aWorld, lists, taggedType } from '../../../semantics/world.ts'

/* Elements that are written one by one, and that the server gives an id which no resource declares. */

const type = taggedType
  .replace('  setTag:', '  addTag: { method: POST, path: "/things/{name}/tags" }\n  setTag:')
  .replace('key: [id]', 'key: [name, zone]')
  .replace('element: { id: {}, color: {} }', 'element: { name: {}, zone: {}, color: {}, id: { computed: true } }')
  .replace('create: setTag', 'create: addTag')

const start = (tags: readonly Json[]) =>
  aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', { size: 1, tags: [...tags] })],
    server: { route: lists },
    live: {
      a: { size: 1 },
      'a/tags/1': { id: '1', name: 'x/y', zone: '~', color: 'red' },
      'a/tags/8': { id: '8', name: 'of', zone: 'gone', color: 'red' },
    },
  })

describe('the undo of an element that was added', () => {
  const kept = { name: 'x/y', zone: '~', color: 'red' }
  const gone = { name: 'of', zone: 'gone', color: 'red' }

  it.each<[string, Json]>([
    ['plain texts', { name: 'new', zone: 'z', color: 'blue' }],
    ['what a pointer escapes', { name: '{"a/b"}', zone: '~1/0', color: 'blue' }],
  ])('removes it by the id that it has got, whatever its key has in it: %s', async (_, fresh) => {
    await using site = await start([kept, gone, fresh])
    const before = [...site.server.state].toSorted()
    const { plan, apply } = await site.checkAndApply()
    expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
    expect(site.bodyOf('a/tags/3')).toMatchObject({ id: '3', ...(fresh as object) })
    site.clock.forward(60_000)
    const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
    expect(undo.plan.changes.map(({ blocked }) => blocked)).toEqual([undefined])
    site.clock.forward(1_000)
    expect(await site.apply(undo.plan.digests.commands)).toMatchObject({ status: 'succeeded' })
    expect(site.sent()).toEqual(['POST /things/a/tags', 'DELETE /things/a/tags/3'])
    expect([...site.server.state].toSorted()).toEqual(before)
  })

  it('sends nothing if it is gone by then', async () => {
    await using site = await start([kept, gone, { name: 'new', zone: 'z', color: 'blue' }])
    const { apply } = await site.checkAndApply()
    site.clock.forward(60_000)
    site.server.state.delete('/things/a/tags/3')
    const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
    expect(undo.plan).toMatchObject({ commands: [], changes: [] })
  })
})
