import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { taintRecords } from '../../../../core/engine/workflows/state/taint-records.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { eachOf } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* What is known of an object, and what its undo is not about, is known after it. */

/** A server that shows nobody what it was sent as a pin; each write of an object moves `changed`. */
const hiding: typeof lists = (request, state) => {
  const { method, url } = request
  const there = state.get(url)
  if (there === undefined) return lists(request, state)
  const { pin: _, ...open } = JSON.parse(there) as JsonObject
  if (method !== 'GET') return undefined
  const login = { user: (open['login'] as JsonObject | undefined)?.['user'] ?? null }
  return { status: 200, body: JSON.stringify({ ...open, ...(open['login'] && { login }) }) }
}

const moving: typeof lists = (request, state) => {
  if (request.method === 'PATCH') {
    const { changed, ...rest } = JSON.parse(state.get(request.url) ?? '{}') as JsonObject
    state.set(request.url, JSON.stringify({ ...rest, changed: Number(changed) + 1 }))
  }
  return hiding(request, state)
}

/** A thing whose size was changed by an apply that can be undone. */
const start = async (more: string, spec: JsonObject, live: JsonObject, edit = (type: string) => type) => {
  const resources = (size: number) => [aThing('a', { size, ...spec })]
  const world = await aWorld({
    document: aDocument({ thing: edit(aListedType(`size: { type: number }\n${more}`)) }),
    server: { route: Object.hasOwn(live, 'changed') ? moving : hiding },
    live: { 1: { id: '1', name: 'a', size: 1, ...live } },
    secrets: { 'env:P': 'a-secret' },
    resources: resources(1),
  })
  const applied = async () => {
    world.clock.forward(60_000)
    const { apply } = await world.checkAndApply()
    expect(apply.status).toBe('succeeded')
    world.clock.forward(60_000)
    return apply
  }
  const undo = async (applyId: string) => {
    const { plan } = await planUndoOf({ workspace: 'things', applyId, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    return world.apply(plan.digests.commands)
  }
  return { ...world, applied, undo, resources }
}

const pin = { secret: 'env:P' }

eachOf(
  it,
  2,
)<[string, string, JsonObject, JsonObject]>([
  ['a secret', 'pin: { writeOnly: true, sensitive: true }', { pin }, {}],
  ['a value that is no secret', 'pin: { writeOnly: true }', { pin: 'open' }, {}],
  [
    'a secret inside of an object',
    'login: { type: object, attributes: { user: {}, pin: { writeOnly: true, sensitive: true } } }',
    { login: { user: 'u', pin } },
    { login: { user: 'u' } },
  ],
  [
    'a secret with a witness that each write moves',
    'pin: { writeOnly: true, sensitive: true, witness: changed }\nchanged: { type: number, computed: true }',
    { pin },
    { changed: 1 },
  ],
])('the undo of another attribute does not forget what was sent: %s', async (_, more, spec, live) => {
  const affecting = (type: string) =>
    live['changed'] === undefined ? type : type.replace('{ method: PATCH', '{ affects: [changed], method: PATCH')
  await using site = await start(more, spec, live, affecting)
  await site.applied()
  expect((await site.check()).plan.inSync).toBe(true)
  site.want(site.resources(2))
  const { id } = await site.applied()
  expect(await site.undo(id)).toMatchObject({ status: 'succeeded', outcomes: [{ status: 'succeeded' }] })
  site.want(site.resources(1))
  expect((await site.check()).plan).toMatchObject({ inSync: true, changes: [] as Json[] })
})

it('an undo leaves an object that is to be replaced as one that is to be replaced', async () => {
  await using site = await start('', {}, {})
  await putWorkspace({ bundle: site.current.bundle, actor }, site.deps)
  site.want(site.resources(2))
  const { id } = await site.applied()
  await taintRecords({ workspace: 'things', addresses: ['api_thing.a'], reason: 'broken', actor }, site.deps)
  expect(await site.undo(id)).toMatchObject({ status: 'succeeded', outcomes: [{ status: 'succeeded' }] })
  expect((await site.check()).plan.changes).toMatchObject([{ action: 'replace' }])
})
