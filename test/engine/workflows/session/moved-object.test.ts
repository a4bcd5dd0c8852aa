import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* An id that is never given again proves an object wherever it is, and one object has one record. */

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
    identity: { keys: [room, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [room, name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { room: { immutable: true }, name: {} } }]
`

const host = (name: string, spec: JsonObject): JsonObject => ({ type: 'api_host', name, spec })

const start = async () => {
  const server = await startThings({
    route: ({ method, url }, state) =>
      method === 'GET' && url === '/hosts' ? { status: 200, body: `[${[...state.values()].join(',')}]` } : undefined,
  })
  const drive = driveDocument(server, document, [host('a', { room: 'r1', name: 'one' })])
  await drive.apply((await drive.check()).digest)
  const look = async () => {
    const { plan } = await drive.check()
    const changes = plan.changes.map(({ action, address }) => `${action} ${address}`)
    const unchecked = plan.unchecked.map(({ reason, address }) => `${reason} ${address}`)
    return { changes, unchecked, told: plan.unchecked.map(({ detail }) => detail).join(), plan }
  }
  const recorded = async () => {
    const { resources } = await loadRecorded(drive.deps.store, 'things')
    return resources.map(({ address, ids }) => `${address} ${ids?.['id']}`)
  }
  const put = (id: string, room: string, name: string) =>
    server.state.set(`/hosts/${id}`, JSON.stringify({ id, room, name }))
  return { ...drive, look, recorded, put, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('an object that somebody put into another container', () => {
  it('is told as moved, and not made a second time', async () => {
    await using world = await start()
    world.put('1', 'r2', 'one')
    for (const _time of [1, 2]) {
      const { changes, unchecked, told } = await world.look()
      expect([changes, unchecked]).toEqual([[], ['other_parent api_host.a']])
      expect(told).toMatch(/another room now, .* somebody has moved it.*under `gone`.*under `removed`/)
    }
    world.put('1', 'r1', 'one')
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('has ways out that work', async () => {
    await using world = await start()
    world.put('1', 'r2', 'one')
    const here = [host('a', { room: 'r1', name: 'one' })]
    world.want(here, { gone: [{ address: 'api_host.a', reason: 'another one here' }] })
    expect((await world.look()).changes).toEqual(['create api_host.a'])
    world.want([])
    expect(await world.look()).toMatchObject({ changes: [], unchecked: ['other_parent api_host.a'] })
    world.want([host('a', { room: 'r2', name: 'one' })])
    expect((await world.look()).plan.inSync).toBe(true)
    world.put('1', 'r1', 'one')
    await world.look()
    world.want([], { removed: [{ address: 'api_host.a', reason: 'not ours' }] })
    expect((await world.look()).plan.inSync).toBe(true)
    expect(world.server.state.size).toBe(1)
  })
})

describe('a record that moves to another address', () => {
  it('is one record, also while another object has the name that is declared there', async () => {
    await using world = await start()
    world.put('7', 'r1', 'two')
    const moved = { moved: [{ from: 'api_host.a', to: 'api_host.b' }] }
    world.want([host('b', { room: 'r1', name: 'two' })], moved)
    for (const more of [moved, {}]) {
      world.want([host('b', { room: 'r1', name: 'two' })], more)
      expect(await world.look()).toMatchObject({ changes: [], unchecked: ['ambiguous api_host.b'] })
      expect(await world.recorded()).toEqual(['api_host.b 1'])
    }
    world.want([host('b', { room: 'r1', name: 'one' })])
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
