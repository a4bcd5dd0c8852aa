import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

const tags = (...all: readonly string[]): JsonObject => ({ tags: all })
const any = (...all: readonly JsonObject[]): JsonObject => ({ val: Object.assign({ x: 1 }, ...all) as JsonObject })

const declared = 'tags: { type: set, manage: declared }'
const rows: readonly (readonly [string, string, JsonObject, JsonObject, JsonObject, string])[] = [
  // What is said, attributes, as agreed, as others leave it, as configured then, the side that has moved.
  ['others replace our element', declared, tags('a'), tags('b'), tags('a'), 'drift'],
  ['others replace one of ours', declared, tags('a', 'c'), tags('b', 'c'), tags('a', 'c'), 'drift'],
  ['we add one', declared, tags('a'), tags('a'), tags('a', 'c'), 'pending'],
  ['we add one, and others one of theirs', declared, tags('a'), tags('a', 'b'), tags('a', 'c'), 'pending'],
  ['others replace ours, and we ours', declared, tags('a'), tags('b'), tags('c', 'd'), 'pending'],
  ['others remove ours, and we add one', declared, tags('a'), tags('b'), tags('a', 'c'), 'conflict'],
  ['others replace one of all', 'tags: { type: set }', tags('a'), tags('b'), tags('a'), 'drift'],
  ['others add a null', 'val: { type: any }', any(), any({ w: null }), any(), 'drift'],
  ['we remove a null', 'val: { type: any }', any({ w: null }), any({ w: null }), any(), 'pending'],
  ['we add a null', 'val: { type: any }', any(), any(), any({ w: null }), 'pending'],
  ['others remove a null', 'val: { type: any }', any({ w: null }), any(), any({ w: null }), 'drift'],
  ['others set ours', 'val: { type: any }', any({ w: null }), any({ w: 2 }), any({ w: null }), 'drift'],
  ['both set it', 'val: { type: any }', any({ w: null }), any({ w: 2 }), any({ w: 3 }), 'conflict'],
  ['both remove or set a null', 'val: { type: any }', any({ w: null }), any({ w: 2 }), any(), 'conflict'],
]

describe('the side that has moved', () => {
  eachOf(it, 8)(rows)('is told where %s', async (_, attributes, agreed, now, wanted, cause) => {
    await using world = await aWorld({ attributes, resources: [aThing('a', agreed)] })
    expect((await world.checkAndApply()).apply.status).toBe('succeeded')
    world.put('a', { name: 'a', ...now })
    world.want([aThing('a', wanted)])
    const { plan } = await world.check()
    expect([...new Set(plan.changes.flatMap(({ causes }) => causes.map((each) => each.cause)))]).toEqual([cause])
  })
})

it('a run names the first resources that differ, those to destroy before others, and counts all', async () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  await using world = await aWorld({ attributes: declared, resources: all.map((name) => aThing(name, tags('x'))) })
  const { run: first } = await world.check()
  expect(first.differing).toEqual({ count: 5, first: expect.objectContaining({ length: 3 }) })
  await world.checkAndApply()
  expect((await world.check()).run.differing).toBeUndefined()
  world.want([...['a', 'b', 'c'].map((name) => aThing(name, tags('y'))), aThing('d', tags('x'))])
  const { run } = await world.check()
  expect(run.differing?.count).toBe(4)
  expect(run.differing?.first[0]).toMatch(/\.e$/)
})
