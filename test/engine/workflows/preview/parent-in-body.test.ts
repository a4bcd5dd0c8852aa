import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import type { Bundle } from '../../../../core/engine/schema/stored/bundle.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps } from '../../../builders/workspaces/workspace.ts'

/* What an object is in is no matter of its URL: a machine names its project in the body of an order. */

/** How a machine names its project. */
interface Naming {
  readonly keys: string
  readonly attribute: string
  readonly spec: (project: string) => string
  /** More of the resource that is the project. */
  readonly project?: string
}

const asKey = (facts: string): Naming => ({
  keys: '[project, name]',
  attribute: `project: { required: true, immutable: true, ${facts} }`,
  spec: (project) => `project: "${project}"`,
})

const byName = (attribute: string, spec: Naming['spec']): Naming => ({ keys: '[name]', attribute, spec })

const documentOf = ({ keys, attribute }: Naming): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_project:
    operations:
      list: { method: GET, path: /projects }
      retrieve: { method: GET, path: "/projects/{id}" }
      create: { method: POST, path: /projects, produces: { id: id } }
      delete: { method: DELETE, path: "/projects/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  api_machine:
    operations:
      list: { method: GET, path: /machines }
      retrieve: { method: GET, path: "/machines/{id}" }
      create: { method: POST, path: /machines, produces: { id: id } }
      update: { method: PATCH, path: "/machines/{id}" }
      delete: { method: DELETE, path: "/machines/{id}" }
    identity: { keys: ${keys} }
    serverId: { id: id }
    lookup: { list: {}, match: ${keys} }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: { immutable: true }, ${attribute} }
`

const workspaceOf = (
  url: string,
  machine: string,
  named: string,
  { spec, project = '' }: Naming,
): string => `workspace: base
providers: { api: { source: rest, definition: ./api.provider.yaml, with: { baseUrl: "${url}" } } }
resources:
  - { type: api_project, name: lab, ${project}spec: { name: Lab } }
  - { type: api_machine, name: m, spec: { ${spec(named)}, name: "${machine}" } }
`

const overlayOf = (renamed: string): string =>
  `rename: [{ address: "${renamed}.*", attribute: name, to: "\${value}-\${slug}" }]\n`

/** A base whose project and machine exist, and a branch that adds another machine. */
const start = async (facts: string | Naming, inBase: string) => {
  const naming = typeof facts === 'string' ? asKey(facts) : facts
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [, kind = '', id] = url.split('?')[0]?.split('/') ?? []
      if (id !== undefined) return undefined
      const there = [...state].filter(([path]) => path.startsWith(`/${kind}/`))
      if (method === 'GET') return { status: 200, body: `[${there.map(([, text]) => text).join(',')}]` }
      const made = `${kind[0]}${there.length + 1}`
      const text = JSON.stringify({
        id: made,
        url: `https://api.example/${kind}/${made}`,
        ...(JSON.parse(body) as JsonObject),
      })
      state.set(`/${kind}/${made}`, text)
      return { status: 201, body: text }
    },
  })
  const given = testDeps({})
  const deps = { ...given.deps, config: storeSource(given.deps.store) }
  const bundleOf = (text: string, more: JsonObject = {}): Bundle => ({
    entry: 'plumbline.yaml',
    files: {
      'plumbline.yaml': text,
      'api.provider.yaml': documentOf(naming),
      'plumbline.preview.yaml': overlayOf(naming.project === undefined ? 'api_project' : 'api_machine'),
    },
    ...more,
  })
  await putWorkspace({ bundle: bundleOf(workspaceOf(server.url, 'one', inBase, naming)), actor }, deps)
  const apply = async (workspace: string): Promise<void> => {
    const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, deps)
    await runApply({ workspace, applyId: id }, deps)
  }
  await apply('base')
  const preview = { branch: 'b', overlay: 'plumbline.preview.yaml' }
  const store = (machine: string, to: string) =>
    putWorkspace({ bundle: bundleOf(workspaceOf(server.url, machine, to, naming), { preview }), actor }, deps)
  const check = async (workspace = 'base--b') => {
    const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    return {
      changes: plan?.changes.map(({ action, address, blocked }) => `${blocked?.reason ?? action} ${address}`),
      unchecked: plan?.unchecked.map(({ address, detail }) => [address, detail]),
    }
  }
  return { server, store, check, apply, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('a preview whose object would be in one of the base', () => {
  eachOf(
    it,
    1,
  )([
    ['a reference by name that sends an id', 'ref: { type: api_project, emit: id }', 'Lab'],
    ['the same by the id itself', 'ref: { type: api_project, emit: id }', 'p1', 'Lab'],
    ['a reference by name that sends what no attribute has', 'ref: { type: api_project, emit: url }', 'Lab'],
    ['a name', 'refersTo: { type: api_project, attribute: name }', 'Lab'],
    ['an id', 'refersTo: { type: api_project, attribute: id }', 'p1', '${resource.api_project.lab.id}'],
  ])('is unchecked, and nothing is sent for it: %s', async (_, facts, named, inBase = named) => {
    await using world = await start(facts, inBase)
    const before = [...world.server.state.keys()]
    await world.store('two', named)
    const { changes, unchecked } = await world.check()
    expect(changes).toEqual(['create api_project.lab'])
    expect(unchecked).toMatchObject([
      ['api_machine.m', expect.stringContaining('it would be in api_project.lab of base')],
    ])
    await world.apply('base--b')
    expect([...world.server.state.keys()]).toEqual([...before, '/projects/p2'])
  })

  it('is made in the project of the preview where the reference is an address', long, async () => {
    await using world = await start('ref: { type: api_project, emit: id }', 'Lab')
    await world.store('two', '${resource.api_project.lab.id}')
    expect(await world.check()).toEqual({ changes: ['create api_project.lab', 'create api_machine.m'], unchecked: [] })
    await world.apply('base--b')
    expect(JSON.parse(world.server.state.get('/machines/m2') ?? '')).toMatchObject({ project: 'p2', name: 'two' })
  })
})

describe('a preview whose object refers to one of the base where no key and no fixed value does', () => {
  const ref = 'ref: { type: api_project, emit: id }'
  const ways: readonly (readonly [string, Naming])[] = [
    ['a value that may change', byName(`project: { ${ref} }`, (project) => `project: "${project}"`)],
    ['a value of the create', byName(`project: { createOnly: true, ${ref} }`, (project) => `project: "${project}"`)],
    [
      'a fixed object',
      byName(
        `where: { type: object, immutable: true, attributes: { project: { ${ref} } } }`,
        (project) => `where: { project: "${project}" }`,
      ),
    ],
    [
      'a fixed list',
      byName(`in: { type: list, immutable: true, element: { ${ref} } }`, (project) => `in: ["${project}"]`),
    ],
    [
      'names in a set that may change',
      byName(
        'in: { type: set, element: { refersTo: { type: api_project, attribute: name } } }',
        (project) => `in: ["${project}"]`,
      ),
    ],
  ]

  eachOf(it, 1)(ways)('is unchecked, and nothing is sent for it: %s', async (_, naming) => {
    await using world = await start(naming, 'Lab')
    const before = [...world.server.state.keys()]
    await world.store('two', 'Lab')
    const { changes, unchecked } = await world.check()
    expect(changes).toEqual(['create api_project.lab'])
    expect(unchecked).toMatchObject([['api_machine.m', expect.stringContaining('api_project.lab of base')]])
    await world.apply('base--b')
    expect([...world.server.state.keys()]).toEqual([...before, '/projects/p2'])
  })

  eachOf(it, 3)(ways)('is made where it refers to the project of the preview by its address: %s', async (_, naming) => {
    await using world = await start(naming, 'Lab')
    const isNamed = naming.attribute.includes('refersTo')
    await world.store('two', isNamed ? '${resource.api_project.lab.name}' : '${resource.api_project.lab.id}')
    const both = ['create api_project.lab', 'create api_machine.m']
    expect(await world.check()).toEqual({ changes: both, unchecked: [] })
  })

  eachOf(it, 2)(ways)('uses what its base only reads, because that belongs to neither: %s', async (_, naming) => {
    await using world = await start({ ...naming, project: 'lifecycle: { readOnly: true }, ' }, 'Lab')
    world.server.state.set('/projects/p1', JSON.stringify({ id: 'p1', name: 'Lab' }))
    await world.apply('base')
    await world.store('two', 'Lab')
    expect(await world.check()).toEqual({ changes: ['create api_machine.m'], unchecked: [] })
  })
})
