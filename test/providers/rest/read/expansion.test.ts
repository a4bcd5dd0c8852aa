import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* `expansion`: texts in which the target replaces variables of its own. */

const document = (baseUrl: string, expansion: Json, element: Json = {}): string => `
provider: { id: api, baseUrl: "${baseUrl}" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
      variables: { method: GET, path: "/variables/{name}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    expansion: ${JSON.stringify(expansion)}
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, path: {}, tags: { type: set, element: ${JSON.stringify(element)} }, note: {} } }]
`

const reads = {
  attributes: ['path', 'tags'],
  values: { projectKey: '{name}', months: '1' },
  read: { op: 'variables', at: ['standard', 'local'] },
}

const open = async (
  observed: JsonObject,
  variables: Json | number = { standard: { dir: '/data', months: 6 }, local: { dir: '/mnt' } },
  expansion: Json = reads,
  element: Json = {},
) => {
  const server = await startThings({
    route: ({ method, url }, state) => {
      if (method === 'GET' && url === '/things') return { status: 200, body: `[${[...state.values()].join(',')}]` }
      if (method !== 'GET' || !url.startsWith('/variables/')) return undefined
      return typeof variables === 'number'
        ? { status: variables, body: '{}' }
        : { status: 200, body: JSON.stringify(variables) }
    },
  })
  server.state.set('/things/1', JSON.stringify({ id: '1', name: 'CHURN', path: null, tags: [], note: '', ...observed }))
  const world = testDeps()
  const check = async (spec: JsonObject) => {
    const text = JSON.stringify({
      workspace: 'things',
      providers: { api: { source: 'rest', definition: './api.yaml' } },
      resources: [{ type: 'api_thing', name: 'a', spec: { name: 'CHURN', ...spec } }],
    })
    world.current.bundle = yaml(text, { 'api.yaml': document(server.url, expansion, element) })
    const { plan, run } = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, world.deps)
    return plan ?? expect.unreachable(run.error?.message)
  }
  const apply = async (spec: JsonObject) => {
    const { digests } = await check(spec)
    const asked = { workspace: 'things', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, world.deps)
    return runApply({ workspace: 'things', applyId: id }, world.deps)
  }
  return { server, check, apply, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('a text that the target expands', () => {
  it.each<[declared: string, observed: string, isEqual: boolean]>([
    ['$${projectKey}/in', 'CHURN/in', true],
    ['$${projectKey}/in', '${projectKey}/in', true],
    ['$${dir}/$${projectKey}_$${months}', '/mnt/CHURN_6', true],
    ['$${dir}/in', '/data/in', false],
    ['$${projectKey}/in', 'OTHER/in', false],
    ['$${unknown}/in', '${unknown}/in', true],
    ['$${unknown}/in', '/in', false],
    ['CHURN/in', '${projectKey}/in', false],
    ['CHURN/in', 'CHURN/in', true],
  ])('is equal or not, as %s and %s: %s', async (path, observed, isEqual) => {
    await using site = await open({ path: observed })
    const plan = await site.check({ path })
    expect(plan).toMatchObject({ inSync: isEqual, unchecked: [] })
    const raw = path.replaceAll('$$', '$')
    if (isEqual) return
    expect(plan.changes).toMatchObject([{ action: 'update', after: { path: raw } }])
    expect(plan.commands.map(({ request }) => request.body)).toEqual([{ path: raw }])
  })

  it('is found in a set in any order', async () => {
    await using site = await open({ tags: ['6', 'CHURN', 'x'] })
    expect(await site.check({ tags: ['x', '$${projectKey}', '$${months}'] })).toMatchObject({ inSync: true })
    expect((await site.check({ tags: ['$${projectKey}', '$${months}'] })).changes).toHaveLength(1)
  })

  it('is found in a set of objects whatever the server adds to them', async () => {
    const tags = [
      { path: 'CHURN/a', size: 3, at: 9 },
      { path: 'CHURN/a', size: 1, at: 8 },
      { path: '/mnt/b', size: 2, at: 7 },
    ]
    const members = { path: {}, size: { type: 'number' }, at: { type: 'number', computed: true } }
    await using site = await open({ tags }, undefined, reads, { type: 'object', attributes: members })
    const spec = (size: number) => ({
      tags: [
        { path: '$${projectKey}/a', size },
        { path: '$${projectKey}/a', size: 1 },
        { path: '$${dir}/b', size: 2 },
      ],
    })
    expect(await site.check(spec(3))).toMatchObject({ inSync: true })
    const { changes } = await site.check(spec(4))
    expect(JSON.stringify(changes)).not.toContain('CHURN/a')
    expect(changes).toHaveLength(1)
  })

  it('is compared literally in other attributes', async () => {
    await using site = await open({ note: 'CHURN' })
    expect(await site.check({ note: '$${projectKey}' })).toMatchObject({ changes: [{ action: 'update' }] })
  })

  it('is equal to nothing else while the variables cannot be read', async () => {
    await using site = await open({ path: '/mnt/in' }, 403)
    const plan = await site.check({ path: '$${dir}/in' })
    expect(plan).toMatchObject({
      inSync: false,
      commands: [],
      unchecked: [{ address: 'api_thing.a', reason: 'forbidden' }],
    })
    expect(plan.unchecked[0]?.detail).toContain('it uses variables of the target')
    // What needs no variable is compared.
    expect(await site.check({ path: '/mnt/in' })).toMatchObject({ inSync: true })
  })

  it('uses the values of the document where the target has none', async () => {
    await using site = await open({ path: 'CHURN/1' }, 404)
    expect(await site.check({ path: '$${projectKey}/$${months}' })).toMatchObject({ inSync: true })
  })

  it('is written as it is declared, and then nothing differs', async () => {
    await using site = await open({ path: '/old' })
    expect(await site.apply({ path: '$${dir}/in' })).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(site.server.state.get('/things/1') ?? '')).toMatchObject({ path: '${dir}/in' })
    expect(await site.check({ path: '$${dir}/in' })).toMatchObject({ inSync: true, drift: [] })
    // The target shows it expanded from now on.
    site.server.state.set('/things/1', JSON.stringify({ id: '1', name: 'CHURN', path: '/mnt/in', tags: [], note: '' }))
    expect(await site.check({ path: '$${dir}/in' })).toMatchObject({ inSync: true, drift: [] })
  })

  it('law: equals the observed text exactly if the substitution says so', async () => {
    const piece = fc.constantFrom('${projectKey}', '${dir}', '${none}', 'CHURN', '/mnt', 'x', '$', '{', '}')
    const text = fc
      .array(piece, { maxLength: 4 })
      .map((pieces) => pieces.join(''))
      .filter((each) => each !== '')
    const values: Record<string, string> = { projectKey: 'CHURN', dir: '/mnt', months: '6' }
    const expanded = (raw: string): string =>
      raw.replaceAll(/\$\{([^{}]+)\}/g, (whole, name: string) => values[name] ?? whole)
    await using site = await open({})
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (raw, other, isExpanded) => {
        const observed = isExpanded ? expanded(raw) : other
        site.server.state.set(
          '/things/1',
          JSON.stringify({ id: '1', name: 'CHURN', path: observed, tags: [], note: '' }),
        )
        const { changes } = await site.check({ path: raw.replaceAll('${', () => '$${') })
        expect(changes.length === 0).toBe(observed === raw || observed === expanded(raw))
      }),
      lawRuns(60),
    )
  })

  it.each<[JsonObject, string]>([
    [{ attributes: ['nothing'] }, '"nothing" is no attribute'],
    [{ attributes: ['name'] }, '"name" cannot be expanded'],
    [{ attributes: ['path'], read: { op: 'none', at: ['x'] } }, 'there is no operation "none"'],
    [{ attributes: ['path'], read: { op: 'update', at: ['x'] } }, 'update'],
    [{ attributes: [] }, 'attributes'],
  ])('is refused as %j', async (expansion, message) => {
    await using site = await open({}, {}, expansion)
    const error = await site.check({}).catch((thrown: unknown) => thrown)
    expect(JSON.stringify((error as { payload?: object }).payload ?? String(error))).toContain(
      JSON.stringify(message).slice(1, -1),
    )
  })
})
