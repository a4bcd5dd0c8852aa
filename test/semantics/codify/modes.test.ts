import { expect } from 'vitest'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aWorld, judge, lists, taggedType } from '../world.ts'
import { modes } from './modes.ts'

const keyed = 'a: { type: set, key: [id], element: { type: object, attributes: { id: {} } } }'
const of = (...ids: readonly string[]) => ({ a: ids.map((id) => ({ id })) })

prove(modes, {
  'without state': async () => {
    const manage = (how: string) => ({ lifecycle: { manage: { a: how } } })
    const values = { attributes: keyed, live: of('p', 'q') }
    expect((await judge({ ...values, desired: of('p'), ...manage('declared') })).action).toBe('none')
    expect((await judge({ ...values, desired: of(), ...manage('exclusive') })).stored).toEqual(of())
  },
  'with state and with a configuration': async () => {
    await using world = await aWorld({
      attributes: 'a: {}\nb: {}\nc: {}',
      resources: [aThing('x', { a: '1', b: '1', c: '1' })],
    })
    await world.checkAndApply()
    world.put('x', { a: '2', b: '1', c: '2' })
    world.want([aThing('x', { a: '1', b: '3', c: '3' })])
    const { plan } = await world.check()
    expect(plan.changes[0]?.causes).toEqual([
      { path: ['a'], cause: 'drift' },
      { path: ['b'], cause: 'pending' },
      { path: ['c'], cause: 'conflict' },
    ])
  },
  'with state and without a configuration': async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 1 })], live: { other: { size: 1 } } })
    await world.checkAndApply()
    world.want([])
    const { plan } = await world.checkAndApply()
    expect([plan.orphans, world.sent(), world.bodyOf('other')]).toMatchObject([
      [{ address: 'api_thing.a', fate: 'delete' }],
      ['PUT /things/a', 'DELETE /things/a'],
      { size: 1 },
    ])
  },
  'input of a refresh': async () => {
    const live = { 1: { id: '1', name: 'a', size: 1 }, 2: { id: '2', name: 'a', size: 1 } }
    const document = aDocument({ thing: aListedType('size: { type: number }') })
    await using world = await aWorld({
      document,
      resources: [aThing('a', { size: 2 })],
      live,
      server: { route: lists },
    })
    const { plan } = await world.checkAndApply()
    expect([plan.unchecked, plan.inSync, world.sent()]).toMatchObject([[{ reason: 'ambiguous' }], false, []])
  },
  'short circuit': async () => {
    const resources = [aThing('a', { size: 1, tags: [{ id: 'x' }] })]
    await using world = await aWorld({
      document: aDocument({ thing: taggedType }),
      resources,
      server: { route: lists },
    })
    await world.check()
    expect(world.server.received.map(({ url }) => url)).toEqual(['/things/a'])
  },
  'refresh of parameters apart': async () => {
    const resources = [aThing('a', { size: 1, color: 'red', tags: [] })]
    const live = { a: { size: 1, color: 'red' } }
    await using world = await aWorld({
      document: aDocument({ thing: taggedType }),
      resources,
      live,
      server: { route: lists },
    })
    expect((await world.check()).plan.inSync).toBe(true)
    expect(world.server.received.map(({ url }) => url)).toEqual(['/things/a', '/things/a/tags'])
  },
  absence: async () => {
    for (const status of [401, 403, 408, 429, 500, 503]) {
      const server = { route: () => ({ status, body: '{}' }) }
      await using world = await aWorld({ resources: [aThing('a', { size: 1 })], server })
      const { plan } = await world.check()
      expect([plan.unchecked.length, plan.changes, plan.commands, plan.inSync], String(status)).toEqual([
        1,
        [],
        [],
        false,
      ])
    }
    expect((await judge({ attributes: 'a: {}', desired: { a: 'x' } })).action).toBe('create')
  },
})
