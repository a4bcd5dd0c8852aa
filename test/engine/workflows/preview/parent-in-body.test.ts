import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import type { Bundle } from '../../../../core/engine/schema/stored/bundle.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps } from '../../../builders/workspaces/workspace.ts'

/* What an object is in is no matter of its URL: a machine names its project in the body of an order. */

const documentOf = (project: string): string => `
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
      delete: { method: DELETE, path: "/machines/{id}" }
    identity: { keys: [project, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [project, name] }
    parts:
      - name: main
        read: retrieve
        attributes: { name: { immutable: true }, project: { required: true, immutable: true, ${project} } }
`

const workspaceOf = (url: string, machine: string, project: string): string => `workspace: base
providers: { api: { source: rest, definition: ./api.provider.yaml, with: { baseUrl: "${url}" } } }
resources:
  - { type: api_project, name: lab, spec: { name: Lab } }
  - { type: api_machine, name: m, spec: { project: "${project}", name: "${machine}" } }
`

const overlay = 'rename: [{ address: "api_project.*", attribute: name, to: "${value}-${slug}" }]\n'

/** A base whose project and machine exist, and a branch that adds another machine. */
const start = async (project: string, inBase: string) => {
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
    files: { 'plumbline.yaml': text, 'api.provider.yaml': documentOf(project), 'plumbline.preview.yaml': overlay },
    ...more,
  })
  await putWorkspace({ bundle: bundleOf(workspaceOf(server.url, 'one', inBase)), actor }, deps)
  const apply = async (workspace: string): Promise<void> => {
    const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, deps)
    await runApply({ workspace, applyId: id }, deps)
  }
  await apply('base')
  const preview = { branch: 'b', overlay: 'plumbline.preview.yaml' }
  const store = (machine: string, to: string) =>
    putWorkspace({ bundle: bundleOf(workspaceOf(server.url, machine, to), { preview }), actor }, deps)
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
  it.each([
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

  it('is made in the project of the preview where the reference is an address', async () => {
    await using world = await start('ref: { type: api_project, emit: id }', 'Lab')
    await world.store('two', '${resource.api_project.lab.id}')
    expect(await world.check()).toEqual({ changes: ['create api_project.lab', 'create api_machine.m'], unchecked: [] })
    await world.apply('base--b')
    expect(JSON.parse(world.server.state.get('/machines/m2') ?? '')).toMatchObject({ project: 'p2', name: 'two' })
  })
})
