import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* Where others' elements are left alone, an element that should go and is still there is told all the same. */

const member = '{ type: object, attributes: { role: { required: true }, note: {} } }'
const attributes = `
labels: { type: map, element: {}, manage: declared }
grants: { type: set, key: [role], manage: declared, element: ${member} }
tags: { type: set, element: {}, manage: declared }
deep: { type: object, attributes: { labels: { type: map, element: {}, manage: declared } } }
`

const theirs = { labels: { v: '2' }, grants: [{ role: 'ops' }], tags: ['x'], deep: { labels: { v: '2' } } }
const ours = { labels: { b: '1' }, grants: [{ role: 'dev' }], tags: ['a'], deep: { labels: { b: '1' } } }

const start = async (name: keyof typeof theirs) => {
  const world = await aWorld({
    document: aDocument({ thing: aType(attributes) }),
    live: { a: { name: 'a', ...theirs } },
    resources: [aThing('a', { [name]: ours[name] })],
  })
  const { apply } = await world.checkAndApply()
  expect(apply.status).toBe('succeeded')
  world.clock.forward(60_000)
  /** From now on the server takes each write, and does nothing. */
  const ignoreWrites = (): void => {
    world.server.behaviour.route = ({ method }) => (method === 'GET' ? undefined : { status: 200, body: '{}' })
  }
  return { ...world, first: apply, ignoreWrites }
}

const kinds: readonly (readonly [keyof typeof theirs, string])[] = [
  ['labels', 'labels.b'],
  ['grants', 'grants.dev'],
  ['tags', 'tags'],
  ['deep', 'deep.labels.b'],
]

it.each(kinds)('an undo that left an element of %s is not converged', async (name, path) => {
  await using site = await start(name)
  const { plan } = await planUndoOf({ workspace: 'things', applyId: site.first.id, trigger: 'cli', actor }, site.deps)
  site.clock.forward(1_000)
  site.ignoreWrites()
  const undone = await site.apply(plan.digests.commands)
  expect(undone).toMatchObject({ status: 'not_converged', left: [{ address: 'api_thing.a', paths: [path] }] })
})

it.each(kinds)('an undo that removes it leaves %s as it was', async (name) => {
  await using site = await start(name)
  const { plan } = await planUndoOf({ workspace: 'things', applyId: site.first.id, trigger: 'cli', actor }, site.deps)
  site.clock.forward(1_000)
  const undone = await site.apply(plan.digests.commands)
  expect(undone).toMatchObject({ status: 'succeeded' })
  expect(undone.left).toBeUndefined()
  expect(site.bodyOf('a')).toMatchObject({ [name]: theirs[name] })
})

it.each(kinds)('an undo leaves alone what others have added to %s since: it is refused', async (name) => {
  await using site = await start(name)
  const later = { labels: { c: '3' }, grants: [{ role: 'qa' }], tags: ['z'], deep: { labels: { c: '3' } } }[name]
  const was = site.bodyOf('a') as JsonObject
  const both = (one: Json, other: Json): Json => {
    if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
    const [left, right] = [one as JsonObject, other as JsonObject]
    return Object.hasOwn(left, 'labels')
      ? { labels: { ...(left['labels'] as JsonObject), ...(right['labels'] as JsonObject) } }
      : { ...left, ...right }
  }
  site.put('a', { ...was, [name]: both(was[name] ?? null, later) })
  const { plan } = await planUndoOf({ workspace: 'things', applyId: site.first.id, trigger: 'cli', actor }, site.deps)
  expect(plan.commands).toEqual([])
  expect(plan.changes[0]?.blocked?.detail).toMatch(/since|moved|changed/)
})
