import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

const refused = 'api_thing.a#1 is lossy and has no inverse: the former values stay lost'

it.each<[string, JsonObject, string]>([
  ['what is gone', {}, `${refused}, with /big, /note`],
  ['not what the target has kept', { big: 7, note: 'n' }, `${refused}; the object has /big, /note, perhaps as it was`],
  ['each for itself', { big: 7 }, `${refused}, with /note; the object has /big, perhaps as it was`],
])('an undo names as lost %s', async (_, kept, detail) => {
  await using site = await aWorld({
    document: aDocument({
      thing: aType('size: { type: number }').replace('send: object', 'send: full, body: { size: "{desired.size}" }'),
    }),
    resources: [aThing('a', { size: 2 })],
    live: { a: { name: 'a', size: 1, big: 7, note: 'n' } },
    server: {
      route: ({ method, url }, state) => {
        if (method !== 'PUT') return undefined
        state.set(url, JSON.stringify({ name: 'a', size: 2, ...kept }))
        return { status: 200, body: '{}' }
      },
    },
  })
  const { plan, apply } = await site.checkAndApply()
  expect(plan.commands).toMatchObject([{ grade: 'lossy', loses: ['/big', '/note'] }])
  site.clock.forward(60_000)
  const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  expect(undo.plan.changes.map(({ blocked }) => blocked?.detail)).toEqual([detail])
})
