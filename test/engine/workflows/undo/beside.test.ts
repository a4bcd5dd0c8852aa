import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { eachOf } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* What nobody declares may move during an apply and after it: an undo leaves it as it is, and is not refused for it, unless its request would write over it. */

const ways: readonly (readonly [method: string, write: string])[] = [
  ['PATCH', 'send: changed'],
  ['PATCH', 'send: full'],
  ['PUT', 'send: full'],
  ['PUT', 'send: object'],
  ['PATCH', 'send: mergePatch'],
  ['PATCH', 'send: jsonPatch'],
]

const moments = ['during the apply', 'after it', 'after it, and a check has recorded it'] as const

eachOf(it, 5)(moments.flatMap((when) => ways.map(([method, write]) => [when, method, write] as const)))(
  'what nobody declares moves %s, and an undo with %s, %s leaves it so, or is refused',
  async (when, method, write) => {
    let isMoved = false
    const move = (objects: Map<string, string>): void => {
      isMoved = true
      const now = JSON.parse(objects.get('/things/a') ?? '') as JsonObject
      objects.set('/things/a', JSON.stringify({ ...now, status: 'theirs', seen: 2 }))
    }
    const type = aType('size: { type: number }\nstatus: {}\nseen: { computed: true }')
      .replace('update: { method: PUT', `update: { method: ${method}`)
      .replace('send: object', write)
    let isWritten = false
    await using site = await aWorld({
      document: aDocument({ thing: type }),
      resources: [aThing('a', { size: 2 })],
      live: { a: { name: 'a', size: 1, status: 'ours', seen: 1 } },
      server: {
        before: ({ method: by }, objects) => {
          if (isWritten && !isMoved && when === 'during the apply') move(objects)
          isWritten = by !== 'GET'
        },
      },
    })
    const { apply } = await site.checkAndApply()
    if (when !== 'during the apply') move(site.server.state)
    if (when.endsWith('recorded it')) await site.check()
    site.clock.forward(60_000)
    const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
    // Such a request has all that the document names, as the apply found it.
    const detail = write === 'send: full' ? 'it has moved since the apply: status' : undefined
    expect(plan.changes.map(({ blocked }) => blocked?.detail)).toEqual([detail])
    if (detail !== undefined) return
    expect(JSON.stringify(plan.notes)).toContain('in what nobody declares: status')
    site.clock.forward(1_000)
    const undone = await site.apply(plan.digests.commands)
    expect([undone.status, site.bodyOf('a')]).toEqual(['succeeded', { name: 'a', size: 1, status: 'theirs', seen: 2 }])
  },
)
