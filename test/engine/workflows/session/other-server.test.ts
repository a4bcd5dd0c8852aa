import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* The base URL stays, and what answers there is another server: its ids are others, and a name alone proves nothing. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_host:
    operations:
      list: { method: GET, path: /hosts }
      retrieve: { method: GET, path: "/hosts/{id}" }
      create: { method: POST, path: /hosts, produces: { id: id } }
      update: { method: PATCH, path: "/hosts/{id}" }
      delete: { method: DELETE, path: "/hosts/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {} } }]
  api_label:
    operations:
      retrieve: { method: GET, path: "/labels/{name}" }
      create: { method: PUT, path: "/labels/{name}" }
      delete: { method: DELETE, path: "/labels/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: create }, attributes: { name: { immutable: true }, note: {} } }]
`

const hosts = ['a', 'b', 'c'].map((name): JsonObject => ({ type: 'api_host', name, spec: { name } }))
const labels = ['x', 'y'].map((name): JsonObject => ({ type: 'api_label', name, spec: { name, note: 'ours' } }))

/** `others`: as many of the hosts get other ids. Then the labels leave the configuration. */
const start = async (others: number) => {
  const server = await startThings({
    route: ({ method, url }, state) => {
      const shown = [...state].filter(([path]) => path.startsWith('/hosts/')).map(([, text]) => text)
      return method === 'GET' && url === '/hosts' ? { status: 200, body: `[${shown.join(',')}]` } : undefined
    },
  })
  const drive = driveDocument(server, document, [...hosts, ...labels])
  await drive.apply((await drive.check()).digest)
  for (const [path, text] of [...server.state].filter(([each]) => each.startsWith('/hosts/')).slice(0, others)) {
    server.state.delete(path)
    server.state.set(`${path}9`, JSON.stringify({ ...JSON.parse(text), id: `${path.slice(7)}9` }))
  }
  const look = async () => {
    const { plan } = await drive.check()
    const sent = plan.commands.map(({ id }) => id)
    return { sent, unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`), plan }
  }
  return { ...drive, look, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const deletes = ['api_label.y#1', 'api_label.x#1']
const held = ['out_of_sight api_label.x', 'out_of_sight api_label.y']

describe('what has only its name', () => {
  it('is unchecked where most of what has an id is another one now, and never deleted', async () => {
    await using world = await start(2)
    world.want(hosts)
    const { sent, unchecked, plan } = await world.look()
    expect([sent, unchecked]).toEqual([[], held])
    expect(plan.unchecked[0]?.detail).toMatch(/^2 of 3 recorded objects of api that have ids.*plumbline state rm/)
  })

  it('is unchecked also where all that has an id leaves together with it', async () => {
    await using world = await start(3)
    world.want([])
    for (const _time of [1, 2]) {
      const { sent, unchecked } = await world.look()
      expect([sent, unchecked]).toEqual([[], [...hosts.map(({ name }) => `out_of_sight api_host.${name}`), ...held]])
    }
  })

  it(
    'is known as before once what was made again is taken over, and where one of several was made again',
    long,
    async () => {
      await using world = await start(2)
      world.want(hosts, { gone: ['a', 'b'].map((name) => ({ address: `api_host.${name}`, reason: 'made again' })) })
      expect((await world.look()).sent).toEqual(deletes)
      await using other = await start(1)
      other.want(hosts)
      expect((await other.look()).sent).toEqual(deletes)
    },
  )
})
