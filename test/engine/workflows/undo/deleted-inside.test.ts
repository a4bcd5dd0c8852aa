import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* What was deleted with its container comes back with it, as long as its former request names nothing that only the server gives. */

const documentOf = (serverId: string, parent: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_bucket:
    operations:
      list: { method: GET, path: /buckets }
      retrieve: { method: GET, path: "/buckets/{${serverId === '' ? 'name' : 'id'}}" }
      create: ${serverId === '' ? '{ method: PUT, path: "/buckets/{name}" }' : '{ method: POST, path: /buckets, produces: { id: id } }'}
      delete: { method: DELETE, path: "/buckets/{${serverId === '' ? 'name' : 'id'}}" }
    identity: { keys: [name] }
    lookup: ${serverId === '' ? '{ retrieve: true }' : '{ list: {}, match: [name] }'}${serverId}
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true }, made: { computed: true } } }]
  api_record:
    operations:
      list: { method: GET, path: "/buckets/${parent}/records" }
      create: { method: POST, path: "/buckets/${parent}/records", produces: { id: id } }
      delete: { method: DELETE, path: "/buckets/${parent}/records/{id}" }
    identity: { keys: [bucket, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts:
      - name: main
        read: list
        attributes: { bucket: { in: path, ref: { type: api_bucket, emit: name } }, name: { immutable: true }, made: { computed: true } }
`

const links = `
  api_link:
    operations:
      list: { method: GET, path: /links }
      create: { method: POST, path: /links, produces: { id: id } }
      update: { method: PATCH, path: "/links/{id}" }
      delete: { method: DELETE, path: "/links/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: list, write: { op: update }, attributes: { name: {}, to: { ref: { type: api_bucket, emit: id } } } }]
`

const resources: readonly JsonObject[] = [
  { type: 'api_bucket', name: 'b', spec: { name: 'shop' } },
  { type: 'api_record', name: 'r', spec: { bucket: 'shop', name: 'one' } },
]

const start = async (
  document: string,
  before: readonly JsonObject[] = resources,
  after: readonly JsonObject[] = [],
) => {
  let made = 100
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const below = [...state].filter(([key]) => key.slice(0, key.lastIndexOf('/')) === url)
      if (method === 'GET' && /^\/buckets$|^\/links$|records$/.test(url))
        return { status: 200, body: `[${below.map(([, text]) => text).join(',')}]` }
      if (method !== 'POST' && method !== 'PUT') return undefined
      made += 1
      const key = method === 'PUT' ? url : `${url}/${made}`
      const object = { ...(JSON.parse(body) as JsonObject), id: String(made), made: `at-${made}` }
      state.set(key, JSON.stringify(object))
      return { status: 201, body: JSON.stringify(object) }
    },
  })
  const drive = driveDocument(server, document, before)
  await drive.apply((await drive.check()).digest)
  drive.want(after)
  const { id } = await drive.apply((await drive.check()).digest)
  return { ...drive, server, id, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('an undo of the deletes of a container and of what was in it', () => {
  it('brings back both, where a name leads to the container', long, async () => {
    await using world = await start(documentOf('', '{bucket}'))
    const { plan } = await world.undo(world.id)
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.detail])).toEqual([
      ['api_bucket.b', undefined],
      ['api_record.r', undefined],
    ])
    expect([...world.server.state.keys()]).toEqual(['/buckets/shop', '/buckets/shop/records/104'])
  })

  it('leaves out a former request with the id that the container had', long, async () => {
    const serverId = '\n    serverId: { id: id }'
    const link = (to: string): JsonObject => ({ type: 'api_link', name: 'l', spec: { name: 'l', to } })
    const other: JsonObject = { type: 'api_bucket', name: 'c', spec: { name: 'other' } }
    const document = documentOf(serverId, '{refs.bucket.id}') + links
    const [first = other] = resources
    await using world = await start(document, [first, other, link('shop')], [other, link('other')])
    const { plan } = await world.planUndo(world.id)
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.detail])).toEqual([
      ['api_bucket.b', undefined],
      ['api_link.l', expect.stringContaining('may name api_bucket.b by an id')],
    ])
  })

  it('leaves out what is found by the former id of the container alone', async () => {
    await using world = await start(documentOf('\n    serverId: { id: id }', '{refs.bucket.id}'))
    const { plan } = await world.planUndo(world.id)
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.detail])).toEqual([
      ['api_bucket.b', undefined],
      ['api_record.r', expect.stringContaining('nothing is found by that id')],
    ])
  })
})
