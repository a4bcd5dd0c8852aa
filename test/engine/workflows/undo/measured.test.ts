import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/* What an undo has done is measured by what its plan shows, and what it says of that is true, whatever the configuration asks for. */

const things = (size: number) => ['a', 'b', 'new'].map((name) => aThing(name, { size }))

/** An apply that changed two things and made one, and what its undo says of itself. */
const start = async () => {
  const live = Object.fromEntries(['a', 'b', 'other'].map((name) => [name, { name, size: 1 }]))
  const world = await aWorld({ resources: things(2), live })
  const { apply } = await world.checkAndApply()
  expect(apply.status).toBe('succeeded')
  world.clock.forward(60_000)
  const planned = async () => {
    const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    return plan.digests.commands
  }
  const undo = async (digest?: string) => {
    const undone = await world.apply(digest ?? (await planned()))
    return { undone, said: renderApply(undone).split('\n').slice(2).join('\n').trim() }
  }
  return { ...world, planned, undo }
}

const verdicts = (resources: readonly JsonObject[] | undefined = []) =>
  Object.fromEntries(resources.map(({ address, verdict }) => [address, verdict]))

it('says that what it undid is as before the apply, and that the configuration asks for something else', async () => {
  await using site = await start()
  const { undone, said } = await site.undo()
  expect(undone).toMatchObject({ status: 'succeeded' })
  expect(undone.left).toBeUndefined()
  expect(verdicts(undone.resources)).toEqual({
    'api_thing.a': 'as_before',
    'api_thing.b': 'as_before',
    'api_thing.new': 'as_before',
  })
  expect(said).toBe(
    `
  api_thing.new#1  done  HTTP 204
  api_thing.b#1    done  HTTP 200
  api_thing.a#1    done  HTTP 200

verified: 3 commands done, and what was undone is as before the apply; the configuration still asks for something else, and the next check plans it again

Resources: 3 applied, 0 failed, 0 skipped, 0 remaining
  api_thing.new  applied  as before the apply
  api_thing.b    applied  as before the apply
  api_thing.a    applied  as before the apply
`.trim(),
  )
  expect((await site.check()).plan.changes).toHaveLength(3)
})

it('says that it is in sync, where the configuration asks for the same again', async () => {
  await using site = await start()
  const digest = await site.planned()
  site.want([aThing('a', { size: 1 }), aThing('b', { size: 2 }), aThing('other', { size: 7 })])
  const { undone, said } = await site.undo(digest)
  expect(verdicts(undone.resources)).toEqual({
    'api_thing.a': 'in_sync',
    'api_thing.b': 'as_before',
    'api_thing.new': 'in_sync',
  })
  expect(undone.left).toEqual([{ address: 'api_thing.other', kind: 'differs', touched: false, paths: ['size'] }])
  expect(said).toMatch(/as before the apply; the configuration .* plans it again; but 1 other resource differs\n/)
  expect(said).toMatch(/Other resources that are not as configured:\n {2}~ {2}api_thing\.other {2}size$/)
})

it('is not converged where the target has not what its plan shows, even if that is what is configured', async () => {
  await using site = await start()
  const digest = await site.planned()
  site.want(things(3))
  // The target does something else with each write.
  site.server.behaviour.route = ({ method, url }, state) => {
    if (method === 'GET') return undefined
    state.set(url, JSON.stringify({ name: url.split('/').at(-1), size: 3 }))
    return { status: 200, body: '{}' }
  }
  const { undone, said } = await site.undo(digest)
  expect(undone.status).toBe('not_converged')
  expect(undone.left).toMatchObject([
    { address: 'api_thing.b', kind: 'differs', touched: true, paths: ['size'] },
    { address: 'api_thing.a', kind: 'differs', touched: true, paths: ['size'] },
    // What is there after the delete, and is not as it was, may be another object.
    { address: 'api_thing.new', kind: 'unchecked', touched: true, paths: [] },
  ])
  expect(said).toMatch(/not converged: 3 commands done, but a new read/)
  expect(said).toMatch(/api_thing\.new {2}applied {2}could not be read again {2}.*something was there after it/)
})

it('says that what it undid could not be read, if it could not', async () => {
  await using site = await start()
  let isWritten = false
  const digest = await site.planned()
  site.server.behaviour.route = ({ method, url }) => {
    isWritten ||= method === 'PUT' && url === '/things/a'
    return isWritten && method === 'GET' && url === '/things/a' ? { status: 500, body: '{}' } : undefined
  }
  const { undone, said } = await site.undo(digest)
  expect(undone.status).toBe('not_converged')
  expect(verdicts(undone.resources)).toEqual({
    'api_thing.a': 'unknown',
    'api_thing.b': 'as_before',
    'api_thing.new': 'as_before',
  })
  expect(said).toContain('not converged: 3 commands done, but a new read could not verify everything\n')
})

it('says that what a delete lost for good does not come back', async () => {
  await using site = await aWorld({
    resources: [aThing('a', { size: 1 })],
    live: { a: { name: 'a', size: 1, note: 'n' } },
  })
  await site.checkAndApply()
  site.want([])
  const { apply } = await site.checkAndApply()
  site.clock.forward(60_000)
  const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  site.clock.forward(1_000)
  const undone = await site.apply(plan.digests.commands)
  expect(undone.resources).toMatchObject([{ verdict: 'as_before', lost: ['/note'] }])
  expect(renderApply(undone)).toContain('as before the apply, but for what the undone commands lost for good')
  expect(renderApply(undone)).toContain('does not come back: /note')
})

it.each<[string, JsonObject, JsonObject, string]>([
  ['brings back what the target has not taken', { size: 9, kept: 1 }, { size: 2 }, ''],
  [
    'says where the apply itself left it otherwise',
    { size: 2, kept: 7 },
    { size: 2, kept: 1 },
    'the apply itself left it otherwise than planned, and no request brings that back: kept',
  ],
])('an undo %s', async (_, answered, wanted, detail) => {
  await using site = await aWorld({
    attributes: 'size: { type: number }\nkept: { type: number }',
    resources: [aThing('a', wanted)],
    live: { a: { name: 'a', size: 1, kept: 1 } },
    server: {
      route: ({ method, url }, state) => {
        if (method !== 'PUT' || state.get(`${url}#`) === 'yes') return undefined
        state.set(`${url}#`, 'yes')
        state.set(url, JSON.stringify({ name: 'a', ...answered }))
        return { status: 200, body: '{}' }
      },
    },
  })
  const { apply } = await site.checkAndApply()
  site.clock.forward(60_000)
  const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  expect(plan.changes[0]?.blocked?.detail ?? '').toBe(detail)
  if (detail !== '') return
  site.clock.forward(1_000)
  expect(await site.apply(plan.digests.commands)).toMatchObject({ status: 'succeeded' })
  expect(JSON.parse(site.server.state.get('/things/a') ?? '')).toEqual({ name: 'a', size: 1, kept: 1 })
})
