import { expect, it } from 'vitest'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aWorld } from '../../../semantics/world.ts'

/* Where the server keeps what a body leaves out, no body removes a key: nothing may promise that one does. */

const aKeeper = async (attribute: string, before: object, after: object) => {
  const type = aListedType(attribute).replace('write: { op: update }', 'write: { op: update, keeps: true }')
  return aWorld({
    document: aDocument({ thing: type }),
    server: { route: merging },
    live: { 1: { id: '1', name: 'a', ...before } },
    resources: [aThing('a', { ...after })],
  })
}

const merging: NonNullable<NonNullable<Parameters<typeof aWorld>[0]['server']>['route']> = (request, state) => {
  const { method, url, body } = request
  if (method === 'GET' && url === '/things') return { status: 200, body: `[${[...state.values()].join(',')}]` }
  if (method !== 'PATCH') return undefined
  const merged = merge(JSON.parse(state.get(url) ?? '{}'), JSON.parse(body))
  state.set(url, JSON.stringify(merged))
  return { status: 200, body: JSON.stringify(merged) }
}

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const merge = (there: unknown, sent: unknown): unknown => {
  if (!isPlain(there) || !isPlain(sent)) return sent
  return Object.fromEntries(
    [...new Set([...Object.keys(there), ...Object.keys(sent)])].map((key) => [
      key,
      Object.hasOwn(sent, key) ? merge(there[key], sent[key]) : there[key],
    ]),
  )
}

const map = 'labels: { type: map, element: {} }'

it.each([
  ['a map', map, { labels: { a: '1', b: '2' } }, { labels: { a: '1' } }, '/labels/b'],
  [
    'a map of objects',
    'labels: { type: map, element: { type: any } }',
    { labels: { a: { x: 1, y: 2 } } },
    { labels: { a: { x: 1 } } },
    '/labels/a/y',
  ],
])('blocks the removal of a key of %s', async (_, attribute, before, after, place) => {
  await using site = await aKeeper(attribute, before, after)
  const { plan } = await site.check()
  expect(plan.commands).toEqual([])
  expect(plan.changes[0]?.blocked?.detail).toContain(place)
  expect(plan.changes[0]?.blocked?.detail).toContain('keeps: true')
})

it('says of a key that it adds that no undo removes it', async () => {
  await using site = await aKeeper(map, { labels: { a: '1' } }, { labels: { a: '1', b: '2' } })
  const { plan, apply } = await site.checkAndApply()
  expect(plan.commands[0]).toMatchObject({ grade: 'lossy' })
  expect(apply.status).toBe('succeeded')
  const { plan: back } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  expect(back).toMatchObject({
    commands: [],
    changes: [{ blocked: { detail: expect.stringContaining('no inverse') } }],
  })
})

it('changes a value, and its undo brings it back', async () => {
  await using site = await aKeeper(map, { labels: { a: '1' }, more: { x: 1 } }, { labels: { a: '2' } })
  const { plan, apply } = await site.checkAndApply()
  expect(plan.commands[0]).toMatchObject({ grade: 'reversible' })
  site.clock.forward(60_000)
  const { plan: back } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  site.clock.forward(1_000)
  await site.apply(back.digests.commands)
  expect(JSON.parse(site.server.state.get('/things/1') ?? '')).toEqual({
    id: '1',
    name: 'a',
    labels: { a: '1' },
    more: { x: 1 },
  })
})
