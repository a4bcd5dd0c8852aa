import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { driveThings, type Received, startThings, type ThingsOptions } from '../../builders/things-api.ts'

/*
 * The worked outcomes D1-D7 of a Dataiku dataset: definition, schema, metadata and flow zone are four endpoints, three of
 * them replaced as a whole, the fourth a list of something else.
 */
const document = `
operations:
  retrieve: { method: GET, path: "/projects/{project}/datasets/{name}" }
  create: { method: POST, path: "/projects/{project}/datasets" }
  update: { method: PUT, path: "/projects/{project}/datasets/{name}" }
  getSchema: { method: GET, path: "/projects/{project}/datasets/{name}/schema" }
  putSchema: { method: PUT, path: "/projects/{project}/datasets/{name}/schema" }
  getMeta: { method: GET, path: "/projects/{project}/datasets/{name}/metadata" }
  putMeta: { method: PUT, path: "/projects/{project}/datasets/{name}/metadata" }
  listZones: { method: GET, path: "/projects/{project}/flow/zones" }
  moveToZone: { method: POST, path: "/projects/{project}/flow/zones/{desired.zone}/items" }
  delete: { method: DELETE, path: "/projects/{project}/datasets/{name}", query: { dropData: false } }
identity: { keys: [project, name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true, onImmutable: report }
parts:
  - name: definition
    read: retrieve
    write: { op: update, send: object, drop: [versionTag] }
    attributes:
      project: { path: projectKey, send: projectKey, immutable: true }
      name: { immutable: true }
      type: { immutable: true }
      managed: { type: boolean, immutable: true, default: false, whenUndeclared: default }
      connection: { path: params.connection, send: params.connection }
      dsPath: { path: params.path, send: params.path }
      formatType: {}
      formatParams: { type: any, partial: true }
  - name: schema
    read: getSchema
    onCreate: after
    write: { op: putSchema, send: template, body: { columns: "{desired.columns}", userModified: true } }
    attributes:
      columns:
        type: list
        element: { type: object, attributes: { name: {}, type: {}, comment: { default: "" }, meaning: {} } }
  - name: metadata
    read: getMeta
    onCreate: after
    write: { op: putMeta, send: object }
    attributes:
      description: {}
      tags: { type: set, element: {} }
  - name: zone
    read:
      op: listZones
      select: { in: "", holds: { in: items, where: { objectId: "{name}", objectType: DATASET } } }
    onCreate: after
    write: { op: moveToZone, send: template, body: { objectId: "{name}", objectType: DATASET } }
    attributes: { zone: { path: id, default: default } }
`
const base = '/projects/P/datasets/d'
const definition: JsonObject = {
  projectKey: 'P',
  name: 'd',
  type: 'Filesystem',
  managed: false,
  params: { connection: 'c', path: '/x', secret: 'never-shown' },
  formatType: 'csv',
  formatParams: { separator: ',', charset: 'utf8', style: 'excel' },
  versionTag: { versionNumber: 3 },
}
const columns = [
  { name: 'a', type: 'string', comment: '' },
  { name: 'b', type: 'int', comment: '' },
]
const zones = (id: string): Json => [
  {
    id: 'z1',
    items: id === 'z1' ? [{ objectId: 'd', objectType: 'DATASET' }] : [{ objectId: 'd', objectType: 'RECIPE' }],
  },
  { id: 'z2', items: id === 'z2' ? [{ objectId: 'd', objectType: 'DATASET' }] : [] },
]
const spec = {
  project: 'P',
  name: 'd',
  type: 'Filesystem',
  connection: 'c',
  formatParams: { separator: ',' },
  columns: columns.map(({ name, type }) => ({ name, type })),
  description: 'D',
  tags: ['t2', 't1'],
  zone: 'z1',
}

/** Creating makes the other endpoints too, and moving is kept in the zones. */
const server: ThingsOptions['route'] = ({ method, url, body }: Received, state) => {
  const zone = /\/flow\/zones\/(\w+)\/items$/.exec(url)?.[1]
  if (zone !== undefined) {
    state.set('/projects/P/flow/zones', JSON.stringify(zones(zone)))
    return { status: 200, body: '{}' }
  }
  if (method !== 'POST' || url !== '/projects/P/datasets') return undefined
  state.set(base, JSON.stringify({ ...JSON.parse(body), versionTag: { versionNumber: 0 } }))
  state.set(`${base}/schema`, '{"columns":[],"userModified":false}')
  state.set(`${base}/metadata`, '{"label":"d","tags":[],"custom":{"kv":{}}}')
  return { status: 200, body: '{}' }
}

const open = async (wanted: JsonObject = spec, isThere = true) => {
  const things = await startThings({ route: server })
  if (isThere) {
    things.state.set(base, JSON.stringify(definition))
    things.state.set(`${base}/schema`, JSON.stringify({ columns, userModified: true }))
    things.state.set(`${base}/metadata`, '{"description":"D","tags":["t1","t2"],"label":"L","custom":{"kv":{"k":"v"}}}')
  }
  things.state.set('/projects/P/flow/zones', JSON.stringify(zones(isThere ? 'z1' : '')))
  const drive = driveThings(things, document, { d: wanted })
  const stateOf = (path: string) => JSON.parse(things.state.get(path) ?? 'null') as Json
  const lines = () => things.writes().map(({ method, url }) => `${method} ${url}`)
  return { things, drive, stateOf, lines }
}

describe('a dataset', () => {
  it('D1 is in order over four reads, whatever the order of tags and the other keys of its format', async () => {
    const { things, drive } = await open()
    await using _ = things
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(things.received).toHaveLength(4)
  })

  it('D2 four differences are four writes, and what nobody named is kept', async () => {
    const { things, drive, stateOf, lines } = await open({
      ...spec,
      formatParams: { separator: ';' },
      columns: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'double' },
      ],
      description: 'E',
      zone: 'z2',
    })
    await using _ = things
    const { plan, digest } = await drive.check()
    const planned = plan.commands.map(({ request: { method, url } }) => `${method} ${url.replace(things.url, '')}`)
    expect(planned).toEqual([
      `PUT ${base}`,
      `PUT ${base}/schema`,
      `PUT ${base}/metadata`,
      'POST /projects/P/flow/zones/z2/items',
    ])
    expect((await drive.apply(digest)).outcomes.map(({ status, detail }) => [status, detail])).toEqual(
      planned.map(() => ['succeeded', undefined]),
    )
    expect(lines()).toEqual(planned)
    const { versionTag: _v, ...rest } = definition
    expect(stateOf(base)).toEqual({ ...rest, formatParams: { separator: ';', charset: 'utf8', style: 'excel' } })
    expect(stateOf(`${base}/schema`)).toMatchObject({
      columns: [{ type: 'string' }, { type: 'double' }],
      userModified: true,
    })
    expect(stateOf(`${base}/metadata`)).toEqual({
      description: 'E',
      tags: ['t1', 't2'],
      label: 'L',
      custom: { kv: { k: 'v' } },
    })
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(JSON.stringify([plan, await drive.ledger()])).not.toContain('never-shown')
  })

  it('D3 does not care for what is not declared', async () => {
    const { columns: _c, zone: _z, ...less } = spec
    const { things, drive } = await open(less)
    await using _ = things
    things.state.set('/projects/P/flow/zones', JSON.stringify(zones('z2')))
    things.state.set(`${base}/schema`, '{"columns":[{"name":"other","type":"int"}]}')
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('D4 what cannot change blocks', async () => {
    const { things, drive } = await open({ ...spec, managed: true })
    await using _ = things
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ commands: [], changes: [{ blocked: { reason: 'immutable' } }] })
  })

  it('D5 a definition that nobody may read is unknown after one read, and makes nothing', async () => {
    const { things, drive } = await open()
    await using _ = things
    things.behaviour.route = () => ({ status: 401, body: '{}' })
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'unauthorised' }] })
    expect(things.received).toHaveLength(1)
  })

  it('D6 one that is missing is made, its metadata from what the server made of it', async () => {
    const { things, drive, stateOf, lines } = await open(spec, false)
    await using _ = things
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ request: { body } }) => body)).toMatchObject([
      { projectKey: 'P', name: 'd', params: { connection: 'c' } },
      { columns: spec.columns, userModified: true },
      { $live: 'api_thing.d#metadata', with: { '/description': 'D' } },
      { objectId: 'd', objectType: 'DATASET' },
    ])
    expect(plan.commands[2]?.request.body).not.toHaveProperty('digest')
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(lines()).toEqual([
      'POST /projects/P/datasets',
      `PUT ${base}/schema`,
      `PUT ${base}/metadata`,
      'POST /projects/P/flow/zones/z1/items',
    ])
    expect(stateOf(`${base}/metadata`)).toEqual({
      description: 'D',
      tags: ['t1', 't2'],
      label: 'd',
      custom: { kv: {} },
    })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('D7 no columns is an empty list', async () => {
    const { things, drive } = await open({ ...spec, columns: [] })
    await using _ = things
    const { digest } = await drive.check()
    await drive.apply(digest)
    expect(things.lines()).toEqual([[`PUT ${base}/schema`, { columns: [], userModified: true }]])
  })
})
