import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startThings } from '../../builders/servers/things-api.ts'
import { configurationOf, issuesOf, lines } from '../../builders/workspaces/config.ts'
import { aFolder } from '../folder.ts'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, lists } from '../world.ts'
import { configuration } from './configuration.ts'
import { aDataset, aProject, inProject } from './project.ts'

const thing = aDocument({ thing: aType('size: { type: number }') })

prove(configuration, {
  file: async () =>
    expect(lines(issuesOf('workspace: w\nresources:\nzones: []\n'))).toEqual([
      expect.stringMatching(/^plumbline\.yaml:2:\d+ resources must be a list, not null/),
      expect.stringMatching(/^plumbline\.yaml:3:\d+ unknown key "zones"/),
    ]),
  provider: async () => {
    await using server = await startThings()
    using folder = aFolder(server, thing, [aThing('a', { size: '${var.size}' })], { PLUMBLINE_VAR_size: '7' })
    folder.write('.env', 'PLUMBLINE_VAR_size=9\n')
    folder.want([aThing('a', { size: '${var.size}' })], { variables: { size: { type: 'number', default: 5 } } })
    expect((await folder.run('apply', '--yes')).code).toBe(0)
    expect(server.state.get('/things/a')).toBe('{"size":7}')
  },
  'path of the state': async () => {
    await using server = await startThings()
    using folder = aFolder(server, thing, [aThing('a', { size: 1 })])
    const elsewhere = join(folder.path, 'elsewhere')
    mkdirSync(elsewhere)
    expect((await folder.runIn(elsewhere, 'check', folder.path)).code).toBe(2)
    expect([existsSync(join(folder.path, '.plumbline')), readdirSync(elsewhere)]).toEqual([true, []])
  },
  sections: async () => {
    await using world = await aProject(aDataset('d'), inProject('zone', 'z', { color: '#112233' }))
    expect((await world.checkAndApply()).apply.status).toBe('succeeded')
    world.want([{ ...aDataset('d'), type: 'filesystem' }])
    expect(await world.check().then(String, String)).toContain('CONFIG_INVALID')
  },
  names: async () => {
    const text = 'workspace: w\nresources:\n  - &a { type: x_y, name: a, spec: {} }\n  - *a\n'
    expect(lines(issuesOf(text))).toEqual([expect.stringMatching(/^plumbline\.yaml:\d+:\d+ .*x_y\.a/)])
  },
  address: async () => {
    const type = aType('size: { type: number }')
    const document = aDocument({ thing: type, gadget: type })
    await using world = await aWorld({ document, resources: [aThing('a', { size: 1 })] })
    await world.checkAndApply()
    const gadget = { ...aThing('a', { size: 1 }), type: 'api_gadget' }
    world.want([gadget])
    const { plan } = await world.checkAndApply()
    expect(plan.unchecked).toMatchObject([{ address: 'api_thing.a', detail: expect.stringContaining('api_gadget.a') }])
    world.want([gadget], { removed: [{ address: 'api_thing.a', reason: 'it is a gadget' }] })
    expect((await world.checkAndApply()).plan.inSync).toBe(true)
    expect(world.sent()).toEqual(['PUT /things/a'])
  },
  'common attributes': async () => {
    await using world = await aProject(aDataset('d', { tags: ['a', 'b'], description: 'D' }))
    await world.checkAndApply()
    await world.send('PUT', '/datasets/d/metadata', {
      ...world.project().datasets.get('d')?.metadata,
      tags: ['b', 'a'],
    })
    expect((await world.check()).plan.inSync).toBe(true)
  },
  code: async () => {
    const of = (more: string) => `workspace: w
providers: { host: { source: host, with: { root: . } } }
resources: [{ type: host_file, name: a, spec: { path: a${more} } }]
`
    await using server = await startThings()
    using folder = aFolder(server, thing, [])
    const digestOf = async (file: string, content: string) => {
      folder.write(file, content)
      folder.write('plumbline.yaml', of(`, source: ./${file}`))
      const { stdout } = await folder.run('check', '--out', 'p.json', '--json')
      expect(stdout).not.toBe('')
      return JSON.parse(folder.read('p.json')).commandsDigest as string
    }
    const first = await digestOf('one.txt', 'x')
    expect([await digestOf('two.txt', 'x'), (await digestOf('two.txt', 'y')) === first]).toEqual([first, false])
    folder.write('plumbline.yaml', of(', source: ./two.txt, content: z'))
    expect((await folder.run('validate')).code).toBe(1)
  },
  'kind: variables': async () => {
    const variables = (spec: object, more = {}) => ({
      type: 'dss_variables',
      name: 'v',
      spec: { project: 'P', ...spec },
      ...more,
    })
    await using world = await aProject(variables({ standard: { a: 1 } }))
    await world.send('PUT', '/variables', { standard: { a: 0, b: 2 }, local: {} })
    await world.checkAndApply()
    expect(world.project().variables).toEqual({ standard: { a: 1, b: 2 }, local: {} })
    world.want([variables({ standard: { a: 1 } }, { lifecycle: { manage: { standard: 'exclusive' } } })])
    await world.checkAndApply()
    expect(world.project().variables).toEqual({ standard: { a: 1 }, local: {} })
    world.want([])
    expect((await world.checkAndApply()).plan.commands).toEqual([])
    expect(world.project().variables).toEqual({ standard: { a: 1 }, local: {} })
  },
  'kind: code environment': async () => {
    const type = `
operations: { retrieve: { method: GET, path: /settings }, update: { method: PUT, path: /settings } }
lookup: { retrieve: true }
lifecycle: { single: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object }
    attributes: { python: { path: codeEnvs.python.envName, send: codeEnvs.python.envName } }
`
    const env = { type: 'api_thing', name: 'env', spec: { python: 'py311' } }
    await using world = await aWorld({ document: aDocument({ thing: type }), resources: [env] })
    world.server.state.set('/settings', '{"codeEnvs":{"python":{"mode":"EXPLICIT_ENV","envName":"py39"}},"kept":1}')
    await world.checkAndApply()
    const after = '{"codeEnvs":{"python":{"mode":"EXPLICIT_ENV","envName":"py311"}},"kept":1}'
    expect(world.server.state.get('/settings')).toBe(after)
    world.want([])
    await world.checkAndApply()
    expect([world.sent(), world.server.state.get('/settings')]).toEqual([['PUT /settings'], after])
  },
  'kind: git library': async () => {
    const library = (addToPythonPath: boolean) => ({
      type: 'dss_git_library',
      name: 'l',
      spec: { project: 'P', path: 'l', repository: 'https://git.example.com/l.git', checkout: 'main', addToPythonPath },
    })
    await using world = await aProject(library(true))
    expect((await world.checkAndApply()).apply.status).toBe('succeeded')
    world.want([library(false)])
    const { plan } = await world.check()
    expect(plan.changes).toMatchObject([{ action: 'replace', replacePaths: [['addToPythonPath']] }])
  },
  'kind: foreign objects': async () => {
    const more = 'lifecycle: { mode: reference }'
    const document = aDocument({
      thing: aType('size: { type: number, computed: true }', more)
        .replace(/ {2}(create|update|delete): .*\n/g, '')
        .replace(/ {4}write: .*\n/, ''),
      user: aType('size: { type: number }', '', 'users'),
    })
    const user = { type: 'api_user', name: 'u', spec: { name: 'u', size: '${resource.api_thing.shared.size}' } }
    await using world = await aWorld({ document, resources: [aThing('shared'), user], live: { shared: { size: 4 } } })
    await world.checkAndApply()
    expect([world.sent(), world.server.state.get('/users/u')]).toEqual([['PUT /users/u'], '{"size":4}'])
    world.server.state.delete('/things/shared')
    const { plan } = await world.check()
    expect([plan.commands, plan.inSync]).toEqual([[], false])
  },
  'kind: zone': async () => {
    await using world = await aProject(inProject('zone', 'z', { color: '#112233' }))
    world.dss.behaviour.guard = ({ path }) =>
      path.endsWith('/flow/zones') ? { status: 403, body: { message: 'zones need another licence' } } : undefined
    const { plan } = await world.check()
    expect(plan).toMatchObject({
      changes: [],
      inSync: false,
      unchecked: [{ address: 'dss_zone.z', reason: 'forbidden' }],
    })
    expect(plan.unchecked[0]?.detail).toContain('zones need another licence')
  },
  'kinds: datasets': async () => {
    const format = { formatType: 'csv', formatParams: { separator: ',' } }
    await using world = await aProject(aDataset('d', { ...format, description: 'D' }))
    await world.checkAndApply()
    const { definition = {} } = world.project().datasets.get('d') ?? {}
    await world.send('PUT', '/datasets/d', { ...definition, formatParams: { separator: ',', charset: 'utf8' } })
    expect((await world.check()).plan.inSync).toBe(true)
    world.want([aDataset('d', { ...format, description: 'E' })])
    await world.checkAndApply()
    expect(world.dss.written().map(([line]) => line)).toEqual(['PUT /projects/P/datasets/d/metadata'])
  },
  'kinds: managed folders': async () => {
    const document = aDocument({
      thing: aListedType('connection: { path: params.connection, send: params.connection }'),
    })
    await using world = await aWorld({
      document,
      resources: [aThing('folder', { connection: 'fs' })],
      server: { route: lists },
    })
    await world.checkAndApply()
    expect(world.bodyOf('1')).toEqual({ id: '1', name: 'folder', params: { connection: 'fs' } })
    expect((await world.check()).plan.inSync).toBe(true)
  },
  'kinds: recipes': async () => {
    const ref = (name: string) => [{ ref: `\${resource.dss_dataset.${name}.name}` }]
    const recipe = inProject('recipe', 'r', {
      type: 'python',
      inputs: ref('orders'),
      outputs: ref('monthly'),
      code: 'x = 1',
    })
    await using world = await aProject(recipe, aDataset('orders'), aDataset('monthly'))
    const { plan, apply } = await world.checkAndApply()
    const first = plan.commands.find(({ address }) => address === 'dss_recipe.r')
    expect(first?.dependsOn.map((id) => id.split('#')[0])).toEqual(
      expect.arrayContaining(['dss_dataset.monthly', 'dss_dataset.orders']),
    )
    expect([apply.status, (await world.check()).plan.inSync]).toEqual(['succeeded', true])
  },
  'kinds: exposed objects': async () => {
    const object = (localName: string, ...to: string[]) => ({
      type: 'DATASET',
      localName,
      rules: to.map((targetProject) => ({ targetProject })),
    })
    const exposed = { type: 'dss_exposed_objects', name: 'x', spec: { project: 'P', objects: [object('d', 'A', 'B')] } }
    await using world = await aProject(exposed)
    const { settings } = world.project()
    await world.send('PUT', '/settings', {
      ...settings,
      exposedObjects: { objects: [object('other', 'Z'), object('d', 'B', 'A')] },
    })
    expect((await world.check()).plan).toMatchObject({ inSync: true, commands: [] })
  },
  'kinds: scenarios': async () => {
    const steps = [{ type: 'build_flowitem', params: { builds: [] } }]
    await using world = await aProject(inProject('scenario', 'n', { type: 'step_based', active: true, steps }))
    await world.checkAndApply()
    expect((await world.check()).plan.inSync).toBe(true)
    const [id = ''] = world.project().scenarios.keys()
    const { definition = {} } = world.project().scenarios.get(id) ?? {}
    await world.send('PUT', `/scenarios/${id}`, { ...definition, params: { steps: [{ type: 'run_sql' }] } })
    expect((await world.check()).plan.drift).toMatchObject([{ address: 'dss_scenario.n', kind: 'changed' }])
  },
  'markers of attributes': async () => {
    const document = aDocument({
      thing: aListedType('size: { type: number }'),
      user: aType(
        'thing: { ref: { type: api_thing, emit: id }, path: spec.thing, send: spec.thing }\nmail: { compareAs: [lower] }',
        '',
        'users',
      ),
    })
    const user = { type: 'api_user', name: 'u', spec: { name: 'u', thing: 'a', mail: 'A@b' } }
    await using world = await aWorld({ document, resources: [user, aThing('a')], server: { route: lists } })
    await world.checkAndApply()
    expect(world.sent()).toEqual(['POST /things', 'PUT /users/u'])
    expect(world.server.state.get('/users/u')).toBe('{"spec":{"thing":"1"},"mail":"A@b"}')
    world.server.state.set('/users/u', '{"spec":{"thing":"1"},"mail":"a@B"}')
    expect((await world.check()).plan.inSync).toBe(true)
  },
  modules: async () => {
    const root = `workspace: w
modules:
  - { name: m, source: ./m, forEach: { eu: 60, us: 300 }, with: { ttl: "\${each.value}" } }
`
    const module = (max: number) => `parameters: { ttl: { type: number, validation: { range: { max: ${max} } } } }
resources: [{ type: x_y, name: main, spec: { ttl: "\${var.ttl}" } }]
`
    const files = (max: number) => ({ 'plumbline.yaml': root, 'm/module.yaml': module(max) })
    expect(configurationOf(files(300)).resources).toMatchObject([
      { address: 'module.m["eu"].x_y.main', attributes: { ttl: 60 } },
      { address: 'module.m["us"].x_y.main', attributes: { ttl: 300 } },
    ])
    expect(lines(issuesOf(files(100)))).toEqual([expect.stringMatching(/^plumbline\.yaml:3:\d+ .*ttl.*out of range/)])
  },
})
