import { expect } from 'vitest'
import { configurationOf, issuesOf, lines } from '../../builders/workspaces/config.ts'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, lists } from '../world.ts'
import { configuration } from './configuration.ts'

const head = 'workspace: w\n'
const addresses = (resources: string) =>
  configurationOf(`${head}resources:\n${resources}`).resources.map((each) => each.address)

prove(configuration, {
  files: async () => {
    const files = {
      'plumbline.yaml': `${head}include: ["more/*.jsonc"]\n`,
      'more/a.jsonc': '// a comment\n{\n "resources": [{ "type": "x_y", "spec": {} }]\n}',
    }
    expect(lines(issuesOf(files))).toEqual([expect.stringMatching(/^more\/a\.jsonc:3:\d+ .*name/)])
    const right = {
      ...files,
      'more/a.jsonc': '{ "resources": [{ "type": "x_y", "name": "a", "spec": {} }] }',
      'more/b.yaml': 'resources: [',
    }
    expect(configurationOf(right).resources).toMatchObject([{ address: 'x_y.a' }])
  },
  'project block': async () => {
    const files = { 'plumbline.yaml': `${head}include: [a.yaml]\n`, 'a.yaml': 'workspace: other\nresources: []\n' }
    expect(lines(issuesOf(files))).toEqual([expect.stringMatching(/^a\.yaml:1:\d+ .*workspace/)])
  },
  'resource block': async () =>
    expect(lines(issuesOf(`${head}resources:\n  - { type: x_y, name: a, os: [linux], spec: {} }\n`))).toEqual([
      expect.stringMatching(/^plumbline\.yaml:3:\d+ .*os/),
    ]),
  identity: async () => {
    const [a, b, new_] = ['a', 'b', 'new'].map((name) => `  - { type: x_y, name: ${name}, spec: {} }\n`)
    expect(addresses(`${a}${b}`)).toEqual(['x_y.a', 'x_y.b'])
    expect(addresses(`${new_}${a}${b}`).toSorted()).toEqual(['x_y.a', 'x_y.b', 'x_y.new'])
    expect(lines(issuesOf(`${head}resources: [{ type: x_y, spec: {} }]\n`))).toEqual([expect.stringContaining('name')])
  },
  'explicit dependency': async () => {
    const of = (on: string) => `${head}resources:
  - { type: x_y, name: a, forEach: [p, q], spec: {} }
  - { type: x_y, name: b, dependsOn: ["${on}"], spec: {} }
`
    expect(configurationOf(of('x_y.a')).resources.at(-1)).toMatchObject({ dependsOn: ['x_y.a["p"]', 'x_y.a["q"]'] })
    expect(lines(issuesOf(of('x_y.nobody')))).toEqual([expect.stringMatching(/^plumbline\.yaml:4:\d+ .*x_y\.nobody/)])
  },
  'parameter reference': async () => {
    const told = (name: string) => aThing(name, { note: '${resource.api_thing.a-b.note}' })
    await using world = await aWorld({
      attributes: 'note: {}',
      resources: [told('z'), told('y'), aThing('a-b', { note: 'hello' })],
    })
    const { plan } = await world.checkAndApply()
    expect(plan.commands.slice(1).map(({ dependsOn }) => dependsOn)).toEqual([['api_thing.a-b#1'], ['api_thing.a-b#1']])
    expect(['a-b', 'y', 'z'].map(world.bodyOf)).toEqual(Array(3).fill({ note: 'hello' }))
  },
  'type dependency': async () => {
    const document = aDocument({
      thing: aListedType('size: { type: number }'),
      user: aType('thing: { ref: { type: api_thing, emit: id } }', '', 'users'),
    })
    const user = { type: 'api_user', name: 'u', spec: { name: 'u', thing: 'b' } }
    await using world = await aWorld({
      document,
      resources: [user, aThing('a'), aThing('b')],
      server: { route: lists },
    })
    const { plan, apply } = await world.checkAndApply()
    expect(plan.commands.find(({ address }) => address === 'api_user.u')?.dependsOn).toEqual(['api_thing.b#1'])
    expect([apply.status, world.server.state.get('/users/u')]).toEqual(['succeeded', '{"thing":"2"}'])
  },
  order: async () => {
    const all = ['c', 'a', 'b'].map((name) => aThing(name, { size: 1 }))
    await using world = await aWorld({ resources: all })
    const first = await world.check()
    world.want(all.toReversed())
    const second = await world.check()
    expect(second.digest).toBe(first.digest)
    expect(second.plan.commands).toEqual(first.plan.commands)
  },
  validation: async () => {
    const attributes = 'size: { type: number, nullMeans: reject }\nkind: { values: [x, y] }'
    await using world = await aWorld({ attributes, resources: [aThing('a', { size: null, kind: 'z', other: 1 })] })
    const refused = await world.check().then(String, String)
    for (const named of ['CONFIG_INVALID', 'size', 'kind', 'other']) expect(refused).toContain(named)
  },
})
