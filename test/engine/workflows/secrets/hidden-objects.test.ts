import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/* A sensitive map or object is hidden as a whole, and a configuration declares a secret for each of its members. */

const secrets = { 'env:A': 'alpha', 'env:B': 'bravo', 'env:C': 'charlie' }
const secret = (name: string) => ({ secret: `env:${name}` })

const kinds: readonly [string, string, JsonObject][] = [
  ['a map', '{ type: map, sensitive: true }', {}],
  ['a map in which others are left alone', '{ type: map, sensitive: true, manage: declared }', { other: 'theirs' }],
  ['an object', '{ type: object, sensitive: true, attributes: { a: {}, b: {}, other: {} } }', { other: 'theirs' }],
  [
    'a map whose other keys belong to the server',
    '{ type: map, sensitive: true, ignoreKeys: ["sys*"] }',
    { sys: 'theirs', sys2: 'x' },
  ],
  ['any JSON', '{ type: any, sensitive: true }', {}],
  [
    'any JSON of which only declared members count',
    '{ type: any, partial: true, sensitive: true }',
    { other: 'theirs' },
  ],
]

describe('a member that goes from a map that is sensitive', () => {
  it.each([
    ['in an object', '', { a: 'old', b: 'bravo' }, { a: 'alpha' }],
    [
      'in pairs',
      ', pairs: { key: n, value: t }',
      [
        { n: 'a', t: 'old', more: 1 },
        { n: 'b', t: 'bravo' },
      ],
      [{ n: 'a', t: 'alpha' }],
    ],
  ])('is removed by the write, %s', async (_, more, there, expected) => {
    await using world = await aWorld({
      attributes: `v: { type: map, sensitive: true${more} }`,
      resources: [aThing('core', { v: { a: secret('A') } })],
      live: { core: { name: 'core', v: there } },
      secrets,
    })
    expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(world.bodyOf('core')).toEqual({ name: 'core', v: expected })
    expect((await world.check()).plan.inSync).toBe(true)
  })
})

it('keeps what others have in the pairs of a map that is sensitive', async () => {
  await using world = await aWorld({
    attributes: 'v: { type: map, sensitive: true, manage: declared, pairs: { key: n, value: t } }',
    resources: [aThing('core', { v: { a: secret('A'), c: secret('C') } })],
    live: {
      core: {
        name: 'core',
        v: [
          { n: 'b', t: 'theirs' },
          { n: 'a', t: 'old', more: 1 },
        ],
      },
    },
    secrets,
  })
  expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
  expect(world.bodyOf('core')).toEqual({
    name: 'core',
    v: [
      { n: 'b', t: 'theirs' },
      { n: 'a', t: 'alpha', more: 1 },
      { n: 'c', t: 'charlie' },
    ],
  })
  expect((await world.check()).plan.inSync).toBe(true)
})

describe.each(kinds)('%s that is sensitive and declared member by member', (_, facts, others) => {
  const start = (there: JsonObject) =>
    aWorld({
      attributes: `v: ${facts}\nnote: {}`,
      resources: [aThing('core', { v: { a: secret('A'), b: secret('B') } })],
      live: { core: { name: 'core', note: 'old', v: { ...there, ...others } } },
      secrets,
    })

  it('is written once, and then is in sync', async () => {
    await using world = await start({ a: 'old', b: 'bravo' })
    const { plan, digest } = await world.check()
    expect(plan.changes).toHaveLength(1)
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.bodyOf('core')).toEqual({ name: 'core', note: 'old', v: { a: 'alpha', b: 'bravo', ...others } })
    const { plan: next } = await world.check()
    expect([next.changes, next.drift]).toEqual([[], []])
  })

  it('is adopted without a write if it is as declared, and stays so when another attribute is written', async () => {
    await using world = await start({ b: 'bravo', a: 'alpha' })
    expect((await world.check()).plan.inSync).toBe(true)
    world.want([aThing('core', { note: 'new', v: { a: secret('A'), b: secret('B') } })])
    expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(world.bodyOf('core')).toEqual({ name: 'core', note: 'new', v: { a: 'alpha', b: 'bravo', ...others } })
    expect((await world.check()).plan.inSync).toBe(true)
  })

  it('has drifted only if somebody changed it, and no plan shows a value', async () => {
    await using world = await start({ a: 'alpha', b: 'bravo' })
    await world.apply((await world.check()).digest)
    world.want([aThing('core', { v: { a: secret('A'), b: secret('C') } })])
    const pending = (await world.check()).plan
    expect([pending.changes.length, pending.drift]).toEqual([1, []])
    world.put('core', { name: 'core', note: 'old', v: { a: 'hacked', b: 'bravo', ...others } })
    const { plan, digest } = await world.check()
    expect([plan.changes.length, plan.drift.length]).toEqual([1, 1])
    expect(JSON.stringify(plan)).not.toMatch(/alpha|bravo|charlie|hacked|theirs/)
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.bodyOf('core')).toEqual({ name: 'core', note: 'old', v: { a: 'alpha', b: 'charlie', ...others } })
    expect((await world.check()).plan.inSync).toBe(true)
  })
})

it('sees no drift where a key changes that belongs to the server', async () => {
  await using world = await aWorld({
    attributes: 'v: { type: map, sensitive: true, ignoreKeys: ["sys*"] }',
    resources: [aThing('core', { v: { a: secret('A') } })],
    live: { core: { name: 'core', v: { a: 'alpha', sys1: 'x' } } },
    secrets,
  })
  expect((await world.check()).plan.inSync).toBe(true)
  world.put('core', { name: 'core', v: { sys2: 'y', a: 'alpha' } })
  expect((await world.check()).plan.inSync).toBe(true)
  world.put('core', { name: 'core', v: { sys2: 'y', a: 'alpha', b: 'new' } })
  expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
  expect(world.bodyOf('core')).toEqual({ name: 'core', v: { sys2: 'y', a: 'alpha' } })
})

it('leaves alone what others have in it, where a resource says so', async () => {
  const resource = { ...aThing('core', { v: { a: secret('A') } }), lifecycle: { manage: { v: 'declared' as const } } }
  await using world = await aWorld({
    attributes: 'v: { type: map, sensitive: true }',
    resources: [resource],
    live: { core: { name: 'core', v: { other: 'theirs', a: 'old' } } },
    secrets,
  })
  expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
  expect(world.bodyOf('core')).toEqual({ name: 'core', v: { other: 'theirs', a: 'alpha' } })
  expect((await world.check()).plan.inSync).toBe(true)
})
