import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

const secrets = { 'env:S': 'a-secret', 'env:T': 'neighbour' }
const s = { secret: 'env:S' }
const t = { secret: 'env:T' }

const cases: readonly [string, string, JsonObject, Json][] = [
  ['in a free value', 'v: { type: any }', { v: { l: ['a', s] } }, { l: ['a', 'a-secret'] }],
  ['in a list', 'v: { type: list }', { v: ['a', s, 'b'] }, ['a', 'a-secret', 'b']],
  ['in a set', 'v: { type: set }', { v: ['z', s, 'b'] }, ['b', 'z', 'a-secret']],
  [
    'beside objects and lists',
    'v: { type: any }',
    { v: { l: [{ k: 'neighbour' }, { k: t }, ['x', [s, 1]], t, 'neighbour'] } },
    { l: [{ k: 'neighbour' }, { k: 'neighbour' }, ['x', ['a-secret', 1]], 'neighbour', 'neighbour'] },
  ],
]

eachOf(it, 1)(cases)(
  'a secret %s is agreed once it is sent, and so are its neighbours in clear',
  async (_, attributes, spec, stored) => {
    await using world = await aWorld({ attributes, secrets, resources: [aThing('a', spec)] })
    const { apply } = await world.checkAndApply()
    expect(apply).toMatchObject({ status: 'succeeded', resources: [{ verdict: 'in_sync' }] })
    expect(world.bodyOf('a')).toMatchObject({ v: stored })
    expect((await world.check()).plan).toMatchObject({ inSync: true, drift: [] })
  },
)

it('a neighbour that somebody changed is not shown, because it may be a former secret, and is repaired', async () => {
  const resources = [aThing('a', { v: { l: ['a', s] } })]
  await using world = await aWorld({ attributes: 'v: { type: any }', secrets, resources })
  await world.checkAndApply()
  world.put('a', { name: 'a', v: { l: ['who-knows', 'a-secret'] } })
  const { plan, apply } = await world.checkAndApply()
  for (const format of ['text', 'json'] as const) expect(renderPlan(plan, { format })).not.toMatch(/who-knows|a-secret/)
  expect(renderPlan(plan, { format: 'text' })).toContain('+ [0]  "a"')
  expect(apply).toMatchObject({ status: 'succeeded', resources: [{ verdict: 'in_sync' }] })
  expect(world.bodyOf('a')).toMatchObject({ v: { l: ['a', 'a-secret'] } })
})
