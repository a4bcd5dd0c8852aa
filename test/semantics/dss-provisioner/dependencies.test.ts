import { expect } from 'vitest'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, lists } from '../world.ts'
import { dependencies } from './dependencies.ts'

const after = (name: string, ...on: readonly string[]) =>
  aThing(name, { size: 1 }, { dependsOn: on.map((each) => `api_thing.${each}`) })

const document = (emit: string) =>
  aDocument({
    thing: aListedType('size: { type: number }'),
    user: aType(`thing: { ref: { type: api_thing, emit: ${emit} } }`, '', 'users'),
  })
const user = { type: 'api_user', name: 'u', spec: { name: 'u', thing: 'a' } }

prove(dependencies, {
  explicit: async () => {
    await using world = await aWorld({ resources: [aThing('old', { size: 1 })] })
    await world.checkAndApply()
    world.want([after('new', 'old')])
    expect(await world.check().then(String, String)).toContain('api_thing.old')
    expect(world.sent()).toEqual(['PUT /things/old'])
  },
  inferred: async () => {
    for (const names of [[], ['a', 'a']]) {
      const live = Object.fromEntries(names.map((name, n) => [String(n), { id: String(n), name, size: 1 }]))
      await using world = await aWorld({ document: document('id'), resources: [user], live, server: { route: lists } })
      const { plan } = await world.check()
      expect([plan.unchecked.map(({ address }) => address), plan.changes]).toEqual([['api_user.u'], []])
    }
  },
  'foreign alias': async () => {
    const live = { 1: { id: '1', name: 'a', size: 1, full: 'PROJECT.a' } }
    await using world = await aWorld({ document: document('full'), resources: [user], live, server: { route: lists } })
    await world.checkAndApply()
    expect(world.server.state.get('/users/u')).toBe('{"thing":"PROJECT.a"}')
    expect((await world.check()).plan.inSync).toBe(true)
  },
  order: async () => {
    await using world = await aWorld({ resources: [after('b'), after('a', 'z'), after('z')] })
    await world.checkAndApply()
    expect(world.sent()).toEqual(['PUT /things/b', 'PUT /things/z', 'PUT /things/a'])
    for (const circle of [[after('a', 'b'), after('b', 'a')], [after('a', 'a')]]) {
      world.want(circle)
      const refused = await world.check().then(String, String)
      expect(refused).toMatch(/plumbline\.yaml:\d+:\d+/)
      for (const { name } of circle) expect(refused).toContain(`api_thing.${name}`)
    }
  },
  deletes: async () => {
    await using world = await aWorld({ resources: [after('a'), after('b')] })
    await world.checkAndApply()
    world.want([after('a', 'b'), after('b')])
    expect((await world.check()).plan.commands).toEqual([])
    world.want([])
    await world.checkAndApply()
    expect(world.sent().slice(2)).toEqual(['DELETE /things/a', 'DELETE /things/b'])
  },
  'creates before deletes': async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 1 })] })
    await world.checkAndApply()
    world.want([{ ...aThing('a', { size: 1 }), name: 'renamed' }])
    const { plan } = await world.checkAndApply()
    expect(plan).toMatchObject({
      inSync: true,
      commands: [],
      moved: [{ from: 'api_thing.a', to: 'api_thing.renamed' }],
    })
    expect(world.sent()).toEqual(['PUT /things/a'])
  },
})
