import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* A delete of a container takes along what is in it: what no resource declares is named before, and keeps an undo from it. */

const documentOf = (list: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_bucket:
    operations:
      list: { method: GET, path: /buckets }
      retrieve: { method: GET, path: "/buckets/{bucket}" }
      create: { method: PUT, path: "/buckets/{bucket}" }
      update: { method: PATCH, path: "/buckets/{bucket}" }
      delete: { method: DELETE, path: "/buckets/{bucket}" }
    identity: { keys: [bucket] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { bucket: { in: path }, zone: { immutable: true, leftOut: true } } }]
  api_group:
    operations:
      list: { method: GET, path: "/buckets/{bucket}/groups" }
      retrieve: { method: GET, path: "/buckets/{bucket}/groups/{name}" }
      create: { method: PUT, path: "/buckets/{bucket}/groups/{name}" }
      update: { method: PATCH, path: "/buckets/{bucket}/groups/{name}" }
      delete: { method: DELETE, path: "/buckets/{bucket}/groups/{name}" }
    identity: { keys: [bucket, name] }
    lookup: { retrieve: true }${list}
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { bucket: { in: path, ref: { type: api_bucket, emit: bucket } }, name: { in: path }, size: { type: number, leftOut: true } }
`

const bucket = (spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'api_bucket', name: 'shop', spec: { bucket: 'shop', ...spec } },
  ...more,
})
const group: JsonObject = { type: 'api_group', name: 'ours', spec: { bucket: 'shop', name: 'ours' } }

const start = async (list = '\n    discover: {}') => {
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const inside = [...state].filter(([key]) => key.startsWith(`${url}/`))
      if (method === 'GET' && url.endsWith('/groups'))
        return { status: 200, body: `[${inside.map(([, text]) => text).join(',')}]` }
      if (method === 'DELETE') for (const [key] of inside) state.delete(key)
      if (method !== 'PUT') return undefined
      const [, , name = '', , inner] = url.split('/')
      const keys = inner === undefined ? { bucket: name } : { bucket: name, name: inner }
      state.set(url, JSON.stringify({ ...keys, ...(JSON.parse(body === '' ? '{}' : body) as JsonObject) }))
      return { status: 200, body: '{}' }
    },
  })
  const drive = driveDocument(server, documentOf(list), [bucket(), group])
  const apply = await drive.apply((await drive.check()).digest)
  const put = () => server.state.set('/buckets/shop/groups/theirs', '{"bucket":"shop","name":"theirs"}')
  return { ...drive, server, put, made: apply.id, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('what others put into an object that goes', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['it leaves the configuration', []],
    ['it shall not exist', [bucket({}, { absent: true })]],
    ['it is replaced', [bucket({ zone: 'b' }, { lifecycle: { onImmutable: 'replace' } })]],
  ])('is named in the command that takes it along: %s', async (_, wanted) => {
    await using world = await start()
    world.want(wanted)
    const taken = async () => {
      const { plan } = await world.check()
      return plan.commands
        .filter(({ request: { method, url } }) => method === 'DELETE' && String(url).endsWith('/shop'))
        .map(({ grade, takes }) => [grade, takes])
    }
    expect((await taken()).flat()[1]).toBeUndefined()
    world.put()
    expect(await taken()).toEqual([['lossy', ['api_group name="theirs"']]])
  })

  it('is named where nothing in it was ever declared', async () => {
    await using world = await start()
    world.want([bucket()])
    await world.apply((await world.check()).digest)
    world.put()
    world.want([])
    const { plan } = await world.check()
    expect(plan.commands.map(({ takes }) => takes)).toEqual([['api_group name="theirs"']])
  })

  it('keeps an undo from deleting what the apply made', async () => {
    await using world = await start()
    world.put()
    const { plan } = await world.planUndo(world.made)
    const told = plan.changes.map(({ address, blocked }) => [address, blocked?.detail])
    expect(told).toContainEqual(['api_bucket.shop', expect.stringContaining('api_group name="theirs"')])
    await world.apply(plan.digests.commands)
    expect(world.server.state.has('/buckets/shop/groups/theirs')).toBe(true)
  })

  it('is not known where no list tells it', async () => {
    await using world = await start('')
    world.put()
    world.want([])
    expect((await world.check()).plan.commands.every(({ takes }) => takes === undefined)).toBe(true)
  })
})
