import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* `import`: the existing object that a resource is, where its keys do not find it. */

const document = (lifecycle: string, baseUrl: string): string => `
provider: { id: api, baseUrl: "${baseUrl}" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: ${lifecycle}
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, size: { type: number } } }]
`

/** Two objects have the name \`a\`, one has another. */
const before: Readonly<Record<string, JsonObject>> = {
  '/things/1': { id: '1', name: 'a', size: 1 },
  '/things/2': { id: '2', name: 'a', size: 2 },
  '/things/3': { id: '3', name: 'c', size: 3 },
}

interface Written {
  readonly resources: Readonly<Record<string, JsonObject>>
  readonly import?: readonly JsonObject[]
}

const open = async (lifecycle = '{}') => {
  const server = await startThings({
    route: ({ method, url }, state) => {
      if (method !== 'GET' || url !== '/things') return undefined
      return { status: 200, body: `[${[...state.values()].join(',')}]` }
    },
  })
  for (const [path, thing] of Object.entries(before)) server.state.set(path, JSON.stringify(thing))
  const world = testDeps()
  const write = ({ resources, import: imports }: Written): void => {
    const configuration: Record<string, Json> = {
      workspace: 'things',
      providers: { api: { source: 'rest', definition: './api.yaml' } },
      resources: Object.entries(resources).map(([name, spec]) => ({ type: 'api_thing', name, spec })),
      ...(imports && { import: [...imports] }),
    }
    world.current.bundle = yaml(JSON.stringify(configuration), { 'api.yaml': document(lifecycle, server.url) })
  }
  const check = async (written: Written) => {
    write(written)
    const { plan, run } = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, world.deps)
    if (plan === undefined) throw new Error(run.error?.message)
    return plan
  }
  const apply = async (written: Written) => {
    const { digests } = await check(written)
    const asked = { workspace: 'things', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, world.deps)
    return runApply({ workspace: 'things', applyId: id }, world.deps)
  }
  return {
    check,
    apply,
    state: server.state,
    sent: () => server.writes().map(({ method, url }) => `${method} ${url}`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const a: Written['resources'] = { a: { name: 'a', size: 9 } }
const asTwo: Written['import'] = [{ to: 'api_thing.a', id: { id: '2' } }]

describe('an import entry', () => {
  it('says which of two objects with the same name a resource is', async () => {
    await using site = await open()
    expect(await site.check({ resources: a })).toMatchObject({ commands: [], unchecked: [{ reason: 'ambiguous' }] })
    expect(await site.apply({ resources: a, import: asTwo })).toMatchObject({ status: 'succeeded' })
    expect(site.sent()).toEqual(['PATCH /things/2'])
    expect(await site.check({ resources: a })).toMatchObject({ inSync: true })
  })

  it('renames the object if it has another name', async () => {
    await using site = await open()
    const written = { resources: { b: { name: 'b', size: 3 } }, import: [{ to: 'api_thing.b', id: { name: 'c' } }] }
    expect(await site.apply(written)).toMatchObject({ status: 'succeeded' })
    expect(site.sent()).toEqual(['PATCH /things/3'])
    const { inSync, idleEntries } = await site.check(written)
    expect({ inSync, idleEntries }).toEqual({ inSync: true })
  })

  it('takes over an object of a type that adopts nothing', async () => {
    await using site = await open('{ adopt: false }')
    const resources = { c: { name: 'c', size: 4 } }
    expect(await site.check({ resources })).toMatchObject({ changes: [{ blocked: { reason: 'not_adopted' } }] })
    await site.apply({ resources, import: [{ to: 'api_thing.c', id: { id: '3' } }] })
    expect(site.sent()).toEqual(['PATCH /things/3'])
    expect(await site.check({ resources })).toMatchObject({ inSync: true })
  })

  it.each([
    ['an id', { id: '7' }],
    ['a key', { name: 'nobody' }],
  ])('creates nothing if %s leads to no object', async (_, id) => {
    await using site = await open()
    const plan = await site.check({ resources: { b: { name: 'b' } }, import: [{ to: 'api_thing.b', id }] })
    expect(plan).toMatchObject({ commands: [], unchecked: [{ address: 'api_thing.b', reason: 'ambiguous' }] })
    expect(plan.unchecked[0]?.detail).toContain('`import` names an object that does not exist')
  })

  it('gives no object to two resources', async () => {
    await using site = await open()
    const resources = { b: { name: 'b', size: 3 }, c: { name: 'c', size: 3 } }
    const plan = await site.check({ resources, import: [{ to: 'api_thing.b', id: { id: '3' } }] })
    expect(plan.commands).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toEqual(['api_thing.b', 'api_thing.c'])
  })

  it('changes nothing where there is a record already, and is told as an entry without effect', async () => {
    await using site = await open()
    const resources = { c: { name: 'c', size: 4 } }
    await site.apply({ resources })
    expect(await site.check({ resources, import: [{ to: 'api_thing.c', id: { id: '1' } }] })).toMatchObject({
      inSync: true,
      idleEntries: [{ kind: 'import', address: 'api_thing.c', why: 'taken' }],
    })
  })

  it('replaces a record whose object is gone', async () => {
    await using site = await open()
    const resources = { c: { name: 'c', size: 4 } }
    const entry = [{ to: 'api_thing.c', id: { id: '5' } }]
    await site.apply({ resources })
    site.state.set('/things/5', JSON.stringify({ id: '5', name: 'd', size: 5 }))
    expect(await site.check({ resources, import: entry })).toMatchObject({ inSync: true })
    site.state.delete('/things/3')
    expect(await site.check({ resources })).toMatchObject({ changes: [{ action: 'create' }] })
    const plan = await site.check({ resources, import: entry })
    expect(plan).toMatchObject({ unchecked: [], changes: [{ address: 'api_thing.c', action: 'update' }] })
    expect(await site.apply({ resources, import: entry })).toMatchObject({ status: 'succeeded' })
    expect(site.sent()).toEqual(['PATCH /things/3', 'PATCH /things/5'])
    expect(await site.check({ resources })).toMatchObject({ inSync: true })
  })

  it('creates nothing if a record and an import lead to no object', async () => {
    await using site = await open()
    const resources = { c: { name: 'c', size: 4 } }
    await site.apply({ resources })
    site.state.delete('/things/3')
    const plan = await site.check({ resources, import: [{ to: 'api_thing.c', id: { id: '7' } }] })
    expect(plan).toMatchObject({ commands: [], unchecked: [{ address: 'api_thing.c', reason: 'ambiguous' }] })
  })

  it('creates an object again that was imported, recorded and deleted, if the entry stayed', async () => {
    await using site = await open()
    const written = { resources: { c: { name: 'c', size: 4 } }, import: [{ to: 'api_thing.c', id: { id: '3' } }] }
    await site.apply(written)
    site.state.delete('/things/3')
    expect(await site.check(written)).toMatchObject({ unchecked: [], changes: [{ action: 'create' }] })
  })

  it.each([
    [{ to: 'api_thing.x', id: { id: '1' } }, 'there is no resource api_thing.x'],
    [{ to: 'api_thing.a', id: {} }, 'import names no object for api_thing.a'],
    [{ to: 'api_thing.a', id: { size: 1 } }, 'size does not identify objects of api_thing'],
  ])('%j is refused', async (entry, message) => {
    await using site = await open()
    await expect(site.check({ resources: a, import: [entry] })).rejects.toThrow(message)
  })
})
