import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { eachOf } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* A create brings back what a delete took, as far as one request can; a server gives what it leaves out its own default. */

const flag = 'flag: { type: boolean FACTS }\nsize: { type: number }'

eachOf(
  it,
  1,
)<[string, string, JsonObject, JsonObject, boolean]>([
  ['has a null that was read', '', { size: 1, flag: null }, { size: 1, flag: null }, true],
  ['has a null that means the default', ', default: false', { size: 1, flag: null }, { size: 1, flag: null }, true],
  ['has no null where nothing was read', '', { size: 1 }, { size: 1 }, false],
  ['has no null where the body leaves it out', ', clearAs: omit', { size: 1, flag: null }, { size: 1 }, false],
  ['has no null where a create does not take it', ', sendOn: update', { size: 1, flag: null }, { size: 1 }, false],
])(
  'the undo of a delete %s, and says as the delete did that it may not be all',
  async (_, facts, live, expected, isAll) => {
    await using site = await aWorld({
      document: aDocument({ thing: aType(flag.replace(' FACTS', facts)) }),
      resources: [aThing('a', { size: 1 })],
      live: { a: { name: 'a', ...live } },
      server: {
        route: ({ method, url, body }, state) => {
          if (method !== 'PUT') return undefined
          state.set(url, JSON.stringify({ name: 'a', flag: false, ...(JSON.parse(body) as JsonObject) }))
          return { status: 200, body: '{}' }
        },
      },
    })
    await site.checkAndApply()
    site.want([])
    const { plan, apply } = await site.checkAndApply()
    expect([apply.status, plan.commands.map(({ grade }) => grade)]).toEqual(['succeeded', ['lossy']])
    site.clock.forward(60_000)
    const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
    expect(undo.plan.commands).toMatchObject([{ grade: 'lossy', request: { body: expected } }])
    site.clock.forward(1_000)
    // What the server sets by itself is seen after it.
    const { status } = await site.apply(undo.plan.digests.commands)
    expect(status).toBe(isAll ? 'succeeded' : 'not_converged')
    expect(site.server.lines().at(-1)).toEqual(['PUT /things/a', expected])
  },
)
