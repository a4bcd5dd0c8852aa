import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { renderImport } from '../../../../core/pages/render/plain/authoring/render-import.ts'
import { importObjects } from '../../../../core/tools/authoring/import/import-objects.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'

/* What exists is told type by type and place by place; where nobody looked, that is told too. */

const type = (path: string, discover: string, attributes: string) => `
    operations:
      list: { method: GET, path: "${path}" }
      retrieve: { method: GET, path: "${path}/{name}" }
      create: { method: PUT, path: "${path}/{name}" }
      delete: { method: DELETE, path: "${path}/{name}" }
    identity: { keys: [${attributes.includes('tenant') ? 'tenant, ' : ''}name] }
    lookup: { retrieve: true }
${discover === '' ? '' : `    discover: ${discover}`}
    parts: [{ name: main, read: retrieve, attributes: { name: { in: path, required: true }${attributes} } }]
`

const document = (types: Readonly<Record<string, string>>) => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
${Object.entries(types)
  .map(([name, text]) => `  ${name}:${text}`)
  .join('')}`

const tenants = type('/tenants', '{ op: list }', '')
const within = type('/tenants/{tenant}/disks', '{ op: list }', ', tenant: { in: path, refersTo: { type: api_tenant } }')
const byReference = type(
  '/of/{refs.tenant.name}/nets',
  '{ op: list }',
  ', tenant: { immutable: true, ref: { type: api_tenant, emit: name } }',
).replace('identity: { keys: [tenant, name] }', 'identity: { keys: [name] }')
const byQuery = type('/keys', '{ op: list, query: { tenant: "{tenant}" } }', ', tenant: { immutable: true }').replace(
  'identity: { keys: [tenant, name] }',
  'identity: { keys: [name] }',
)
const unlisted = type('/secrets', '', '')

/** Tenants, and what is inside of them; a list of `refuses` is a 500. */
const aServer = (refuses: readonly string[] = []) =>
  startThings({
    route: ({ method, url }, state) => {
      const [path = ''] = url.split('?')
      if (method !== 'GET' || state.has(path)) return undefined
      if (refuses.includes(path)) return { status: 500, body: '{"error":"out of order"}' }
      const below = [...state].filter(
        ([key]) => key.startsWith(`${path}/`) && !key.slice(path.length + 1).includes('/'),
      )
      return below.length === 0 && path.split('/').length > 3
        ? undefined
        : { status: 200, body: `[${below.map(([, text]) => text).join(',')}]` }
    },
  })

const estate = {
  '/tenants/a': { name: 'a' },
  '/tenants/b': { name: 'b' },
  '/tenants/a/disks/one': { name: 'one', tenant: 'a' },
  '/tenants/b/disks/two': { name: 'two', tenant: 'b' },
  '/of/a/nets/net': { name: 'net', tenant: 'a' },
  '/keys/k': { name: 'k', tenant: 'a' },
  '/secrets/s': { name: 's' },
}

const open = async (
  types: Readonly<Record<string, string>>,
  declared: readonly JsonObject[] = [],
  refuses: readonly string[] = [],
) => {
  const server = await aServer(refuses)
  for (const [path, object] of Object.entries(estate)) server.state.set(path, JSON.stringify(object))
  const drive = driveDocument(server, document(types), declared, {}, { unmanaged: 'report' })
  const wish = (where: Record<string, string> = {}) => ({ workspace: 'things', types: [], where })
  return {
    ...drive,
    import: (where?: Record<string, string>) => importObjects(wish(where), drive.deps),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const isEmptyPlan = (report: Parameters<typeof renderImport>[0]): boolean =>
  renderImport(report).includes('a plan of them is empty')

describe('an import', () => {
  it('may call a plan empty if it looked everywhere', async () => {
    await using it = await open({ api_tenant: tenants, api_disk: within })
    const report = await it.import()
    expect(report.resources).toHaveLength(4)
    expect(report.unlisted).toEqual([])
    expect(isEmptyPlan(report)).toBe(true)
  })

  it.each<[string, Record<string, string>, readonly string[], string, RegExp]>([
    ['a type without a list', { api_tenant: tenants, api_secret: unlisted }, [], 'api_secret', /has no list of all/],
    ['a list within references', { api_tenant: tenants, api_net: byReference }, [], 'api_net', /needs tenant, but/],
    ['a list that a query narrows', { api_key: byQuery }, [], 'api_key', /without the query parameter tenant/],
    [
      'one place of several that fails',
      { api_tenant: tenants, api_disk: within },
      ['/tenants/b/disks'],
      'api_disk',
      /within tenant=b: .*500/,
    ],
    [
      'what is inside of what was not listed',
      { api_tenant: tenants, api_disk: within },
      ['/tenants'],
      'api_disk',
      /inside api_tenant, which was not listed completely/,
    ],
  ])('says that it did not look into %s', async (_, types, refuses, name, detail) => {
    await using it = await open(types, [], refuses)
    const report = await it.import()
    const told = report.unlisted.filter((each) => each.type === name)
    expect(told.map((each) => each.detail).join('; ')).toMatch(detail)
    expect(isEmptyPlan(report)).toBe(false)
    expect(renderImport(report)).toContain('this is not everything')
  })

  it('writes what the other places hold', async () => {
    await using it = await open({ api_tenant: tenants, api_disk: within }, [], ['/tenants/b/disks'])
    expect((await it.import()).resources.map(({ type }) => type).toSorted()).toEqual([
      'api_disk',
      'api_tenant',
      'api_tenant',
    ])
  })

  it('looks within the reference that it is given', async () => {
    await using it = await open({ api_tenant: tenants, api_net: byReference })
    const report = await it.import({ tenant: 'a' })
    expect(report.resources).toMatchObject([{ type: 'api_net', spec: { name: 'net' } }])
    expect(report.unlisted).toEqual([])
  })
})

describe('a plan that reports what is not declared', () => {
  const tenant = { type: 'api_tenant', name: 'a', spec: { name: 'a' } }
  const disk = { type: 'api_disk', name: 'one', spec: { name: 'one', tenant: 'a' } }

  it.each<[string, Record<string, string>, readonly JsonObject[], string, string]>([
    [
      'a type without a list',
      { api_tenant: tenants, api_secret: unlisted },
      [tenant],
      'api_secret',
      'the provider does not describe how',
    ],
    [
      'a type of which nothing is declared',
      { api_tenant: tenants, api_disk: within },
      [tenant],
      'api_disk',
      'nothing of this type is declared',
    ],
    [
      'places in which nothing is declared',
      { api_tenant: tenants, api_disk: within },
      [tenant, disk],
      'api_disk',
      'within the same tenant',
    ],
    [
      'what a query leaves out',
      { api_key: byQuery },
      [{ type: 'api_key', name: 'k', spec: { name: 'k', tenant: 'a' } }],
      'api_key',
      'within the same tenant',
    ],
  ])('says that it did not look into %s', async (_, types, declared, name, detail) => {
    await using it = await open(types, declared)
    const { plan, run } = await it.check()
    expect(run.status).toBe('in_sync')
    expect(plan.notLookedInto?.find((each) => each.type === name)?.detail).toContain(detail)
    expect(renderPlan(plan, { format: 'text' })).toContain('Not searched for undeclared objects')
    expect(JSON.parse(renderPlan(plan, { format: 'json' }))).toMatchObject({
      plumbline: { notLookedInto: plan.notLookedInto },
    })
  })

  it('reports the places that can be listed, and the one that cannot', async () => {
    const other = { type: 'api_disk', name: 'two', spec: { name: 'two', tenant: 'b' } }
    await using it = await open({ api_tenant: tenants, api_disk: within }, [disk, other], ['/tenants/b/disks'])
    const { plan, run } = await it.check()
    expect(run.status).toBe('incomplete')
    expect(plan.unchecked).toMatchObject([
      { address: 'api_disk.*', detail: expect.stringMatching(/^within tenant=b: .*500/) },
    ])
  })

  it('reports nothing of the kind where nobody asked', async () => {
    await using server = await aServer()
    const it = driveDocument(server, document({ api_secret: unlisted }), [])
    expect((await it.check()).plan.notLookedInto).toBeUndefined()
  })
})
