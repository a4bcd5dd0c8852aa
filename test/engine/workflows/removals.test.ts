import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { renderPlan } from '../../../core/pages/render/index.ts'
import { aThing, aWorld } from '../../semantics/world.ts'

const attributes = `
members: { type: set }
hosts: { type: list }
labels: { type: map }
rules: { type: set, key: [name], element: { type: object, attributes: { name: {}, users: { type: set } } } }
free: { type: any }
keys: { type: list, sensitive: true }
loose: { type: any, sensitive: true }
values: { type: map, sensitive: true }
tokens: { type: set, sensitive: true }
`

/** What a plan says of a thing that is `observed` and shall be `spec`: the lines at its top, and why it is refused. */
const judge = async (observed: JsonObject, spec: JsonObject, maxRemovals?: unknown) => {
  const settings = maxRemovals === undefined ? {} : { policy: { maxRemovals } as JsonObject }
  await using world = await aWorld({
    attributes,
    resources: [aThing('core', spec)],
    live: { core: { name: 'core', ...observed } },
    settings,
    secrets: { 'env:A': 'a', 'env:B': 'b', 'env:Z': 'z' },
  })
  const { plan, digest } = await world.check()
  const text = await renderPlan(plan, { format: 'text', width: 100 })
  const apply = await world.apply(digest)
  expect(apply.error?.code).toBe(plan.refused === undefined ? undefined : 'POLICY_REFUSED')
  expect(world.sent().length).toBe(plan.refused === undefined ? 1 : 0)
  return { told: /removes .*/.exec(text)?.[0], refused: plan.refused }
}

const six = ['a', 'b', 'c', 'd', 'e', 'f']

describe('elements that a plan removes', () => {
  it.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['all of a set', { members: ['ada', 'bob'] }, { members: [] }, 'removes all 2 members of api_thing.core'],
    ['the last of a list', { hosts: ['a'] }, { hosts: [] }, 'removes the only one of hosts of api_thing.core'],
    ['all of a map', { labels: { a: '1', b: '2' } }, { labels: {} }, 'removes all 2 labels of api_thing.core'],
    ['most of a set', { members: six }, { members: ['a'] }, 'removes 5 of 6 members of api_thing.core'],
    [
      'those inside of an element',
      { rules: [{ name: 'main', users: ['ada', 'bob'] }] },
      { rules: [{ name: 'main', users: [] }] },
      'removes all 2 rules.main.users of api_thing.core',
    ],
    ['all of a free value', { free: ['a', 'b'] }, { free: [] }, 'removes all 2 free of api_thing.core'],
    ['few of a set', { members: six }, { members: ['a', 'b', 'c', 'd'] }, undefined],
    ['what others take the place of', { hosts: ['a'] }, { hosts: ['b'] }, undefined],
  ])('are told at the top: %s', async (_, observed, spec, told) => {
    expect((await judge(observed, spec)).told).toBe(told)
  })

  const three = { members: ['a', 'b', 'c', 'd'], labels: { x: '1', y: '2' } }
  it.each<[string, unknown, JsonObject, string | undefined]>([
    ['as many as are allowed', 2, { members: ['a', 'b'] }, undefined],
    ['more than are allowed', 1, { members: ['a', 'b'] }, '2 objects and elements would go, and maxRemovals is 1'],
    [
      'more in several places',
      2,
      { members: ['a', 'b'], labels: { x: '1' } },
      '3 objects and elements would go, and maxRemovals is 2',
    ],
    ['the share that is allowed', '50%', { members: ['a', 'b'] }, undefined],
    [
      'a larger share',
      '49%',
      { members: ['a', 'b'] },
      '2 of 4 members of api_thing.core would go, and maxRemovals is 49%',
    ],
    [
      'a type with a limit',
      { api_thing: 0 },
      { members: ['a', 'b', 'c'] },
      '1 of api_thing would go, and maxRemovals is 0',
    ],
    ['a type with a limit of its own', { api_thing: 9, '*': 0 }, { members: ['a'] }, undefined],
    [
      'a type like all others',
      { '*': '20%' },
      { members: ['a', 'b', 'c'] },
      '1 of 4 members of api_thing.core would go, and maxRemovals is 20%',
    ],
    ['an element that is only shown as changed', 0, { members: ['a', 'b', 'c', 'dd'] }, expect.any(String) as string],
  ])('are held to the policy: %s', async (_, limit, spec, refused) => {
    expect((await judge(three, { labels: three.labels, ...spec }, limit)).refused).toEqual(refused)
  })
})

const a = { secret: 'env:A' }
const b = { secret: 'env:B' }
const z = { secret: 'env:Z' }

describe('elements and members whose values are secret', () => {
  it.each<[string, JsonObject, JsonObject, unknown, string | undefined]>([
    ['all', { keys: ['a', 'b'] }, { keys: [] }, 1, '2 objects and elements would go, and maxRemovals is 1'],
    ['some', { keys: six }, { keys: [a] }, '50%', '5 of 6 keys of api_thing.core would go, and maxRemovals is 50%'],
    ['of a set', { tokens: six }, { tokens: [b, a] }, 3, '4 objects and elements would go, and maxRemovals is 3'],
    [
      'replaced',
      { tokens: ['a', 'b'] },
      { tokens: [z, b] },
      0,
      '1 objects and elements would go, and maxRemovals is 0',
    ],
    ['as many as are allowed', { keys: six }, { keys: [a, b] }, 4, undefined],
    ['none', { keys: ['a'] }, { keys: [a, b] }, 0, undefined],
    ['of a free list', { loose: six }, { loose: [a] }, 4, '5 objects and elements would go, and maxRemovals is 4'],
    [
      'all of a map',
      { values: { x: 'a', y: 'b' } },
      { values: {} },
      '50%',
      'all 2 values of api_thing.core would go, and maxRemovals is 50%',
    ],
    ['some of a map', { values: { x: 'a', y: 'b', w: 'c' } }, { values: { x: a } }, 1, expect.any(String) as string],
    ['of a free object', { loose: { x: 'a', y: 'b' } }, { loose: {} }, 1, expect.any(String) as string],
  ])('count when they go: %s', async (_, observed, spec, limit, refused) => {
    expect((await judge(observed, spec, limit)).refused).toEqual(refused)
  })

  it('are told at the top', async () => {
    expect((await judge({ keys: ['a', 'b'] }, { keys: [] })).told).toBe('removes all 2 keys of api_thing.core')
  })

  it('are counted without a name or a value of them', async () => {
    const values = { 'name-of-one': 'a', 'name-of-two': 'b' }
    await using world = await aWorld({
      attributes,
      resources: [aThing('core', { values: {} })],
      live: { core: { name: 'core', values } },
    })
    const { plan } = await world.check()
    expect(await renderPlan(plan, { format: 'text', width: 100 })).toContain('removes all 2 values of api_thing.core')
    expect(JSON.stringify(plan)).not.toMatch(/name-of|"a"|"b"/)
  })

  it.each<[string, JsonObject]>([
    ['a free list', { loose: ['a', 'b'] }],
    ['a list', { keys: ['a', 'b'] }],
    ['a set in another order', { tokens: ['b', 'a'] }],
    ['nothing', { keys: [] }],
  ])('that are as they are wanted are no change: %s', async (_, observed) => {
    const spec = Object.fromEntries(Object.entries(observed).map(([name, was]) => [name, isEmpty(was) ? [] : [a, b]]))
    await using world = await aWorld({
      attributes,
      resources: [aThing('core', spec)],
      live: { core: { name: 'core', ...observed } },
      secrets: { 'env:A': 'a', 'env:B': 'b' },
    })
    const { plan } = await world.check()
    expect(plan).toMatchObject({ changes: [], inSync: true })
    expect(JSON.stringify(await world.check())).not.toContain('"b"')
  })
})

it('a list of secrets of another object is passed on, and shown nowhere', async () => {
  const source = aThing('source', { keys: [a, b] })
  await using world = await aWorld({
    attributes,
    resources: [source, aThing('copy', { keys: '${resource.api_thing.source.keys}' })],
    live: {
      source: { name: 'source', keys: ['first-secret', 'second-secret'] },
      copy: { name: 'copy', keys: ['old'] },
    },
    secrets: { 'env:A': 'first-secret', 'env:B': 'second-secret' },
  })
  const { plan, digest } = await world.check()
  expect(plan.changes.map(({ address }) => address)).toEqual(['api_thing.copy'])
  expect((await world.apply(digest)).status).toBe('succeeded')
  expect(world.bodyOf('copy')).toMatchObject({ keys: ['first-secret', 'second-secret'] })
  expect(JSON.stringify(plan)).not.toMatch(/(first|second)-secret/)
})

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

describe('objects that a plan deletes', () => {
  const names = ['a', 'b', 'c', 'd']
  it.each<[string, number, unknown, string | undefined]>([
    ['within the share', 1, '25%', undefined],
    ['beyond the share', 2, '25%', '2 of 4 api_thing would go, and maxRemovals is 25%'],
    ['beyond the number of the type', 2, { api_thing: 1 }, '2 of api_thing would go, and maxRemovals is 1'],
  ])('are held to the policy: %s', async (_, count, maxRemovals, refused) => {
    await using world = await aWorld({
      resources: names.map((name) => aThing(name, { size: 1 })),
      live: Object.fromEntries(names.map((name) => [name, { name, size: 1 }])),
    })
    await world.check()
    world.want(
      names.slice(count).map((name) => aThing(name, { size: 1 })),
      { policy: { maxRemovals } as JsonObject },
    )
    const { plan } = await world.check()
    expect(plan.refused).toBe(refused)
  })

  it('are told when all go', async () => {
    await using world = await aWorld({
      resources: names.map((name) => aThing(name, { size: 1 })),
      live: Object.fromEntries(names.map((name) => [name, { name, size: 1 }])),
    })
    await world.check()
    world.want([])
    const { plan } = await world.check()
    expect(await renderPlan(plan, { format: 'text', width: 100 })).toContain('removes all 4 api_thing')
  })
})

describe('a limit for a type', () => {
  it('that no provider has is an error with the name that was meant', async () => {
    await using world = await aWorld({
      resources: [aThing('a')],
      settings: { policy: { maxRemovals: { api_thin: 0 } } },
    })
    await expect(world.check()).rejects.toThrow(/maxRemovals: no provider has the type api_thin.*api_thing/)
  })
})
