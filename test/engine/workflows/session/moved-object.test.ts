import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'

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
    const { changes, plan } = await world.look()
    expect(changes).toEqual(['create api_host.a'])
    expect(plan.drift).toMatchObject([{ kind: 'deleted', stillIn: { attribute: 'room', value: 'r2' } }])
    expect(renderPlan(plan, { format: 'text', width: 200 })).toContain(
      'its former object is still there, in room r2, where somebody has moved it',
    )
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

const within = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_room:
    operations:
      list: { method: GET, path: /rooms }
      retrieve: { method: GET, path: "/rooms/{id}" }
      create: { method: POST, path: /rooms, produces: { id: id } }
      delete: { method: DELETE, path: "/rooms/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: create }, attributes: { name: {} } }]
  api_host:
    operations:
      list: { method: GET, path: "/rooms/{refs.room.id}/hosts" }
      retrieve: { method: GET, path: "/rooms/{refs.room.id}/hosts/{id}" }
      create: { method: POST, path: "/rooms/{refs.room.id}/hosts", produces: { id: id } }
      delete: { method: DELETE, path: "/rooms/{refs.room.id}/hosts/{id}" }
    identity: { keys: [room, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    discover: { op: list }
    parts:
      - name: main
        read: retrieve
        write: { op: create }
        attributes: { room: { in: path, ref: { type: api_room, emit: name } }, name: {} }
`

describe('an object of a container in the path, that somebody put into another one', () => {
  const room = (name: string): JsonObject => ({ type: 'api_room', name, spec: { name } })
  const hosts = [room('r1'), room('r2'), host('a', { room: 'r1', name: 'one' }), host('b', { room: 'r2', name: 'two' })]

  const startWithin = async ({
    prefix,
    isCounted = false,
  }: {
    readonly prefix: string
    readonly isCounted?: boolean
  }) => {
    const server = await startThings({
      route: ({ method, url, body }, state) => {
        const list = /^\/rooms$|^\/rooms\/[\w-]+\/hosts$/.test(url)
        const below = [...state].filter(
          ([key]) => key.startsWith(`${url}/`) && !key.slice(url.length + 1).includes('/'),
        )
        if (list && method === 'GET') return { status: 200, body: `[${below.map(([, text]) => text).join(',')}]` }
        if (!list || method !== 'POST') return undefined
        const id = `${prefix}${isCounted ? below.length + 1 : state.size}`
        const made = JSON.stringify({ id, ...(JSON.parse(body) as JsonObject) })
        state.set(`${url}/${id}`, made)
        return { status: 201, body: made }
      },
    })
    const drive = driveDocument(server, within, hosts)
    await drive.apply((await drive.check()).digest)
    const keyOf = (name: string): string =>
      [...server.state].find(([key, text]) => key.includes('/hosts/') && text.includes(`"${name}"`))?.[0] ?? ''
    const move = (name: string, to: string, change: JsonObject = {}): void => {
      const key = keyOf(name)
      const made = { ...(JSON.parse(server.state.get(key) ?? '{}') as JsonObject), ...change }
      server.state.delete(key)
      server.state.set(`/rooms/${to}/hosts/${String(made['id'])}`, JSON.stringify(made))
    }
    const look = async () => {
      const { plan } = await drive.check()
      return {
        changes: plan.changes.map(({ action, address }) => `${action} ${address}`),
        unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`),
        told: plan.unchecked.map(({ detail }) => detail).join(),
        drift: plan.drift,
      }
    }
    return { ...drive, server, keyOf, move, look, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  }

  it.each([
    ['', {}],
    ['id-', {}],
    ['id-', { name: 'another' }],
  ])('is told as moved, and not made a second time: ids %j, then %j', async (prefix, change) => {
    await using world = await startWithin({ prefix })
    world.move('one', world.keyOf('two').split('/')[2] ?? '', change)
    const { changes, unchecked, told } = await world.look()
    expect([changes, unchecked]).toEqual([[], ['other_parent api_host.a']])
    expect(told).toContain('another room now')
  })

  it('has ways out that work', async () => {
    await using world = await startWithin({ prefix: 'id-' })
    const there = world.server.state.size
    world.move('one', world.keyOf('two').split('/')[2] ?? '')
    world.want(hosts, { gone: [{ address: 'api_host.a', reason: 'another one here' }] })
    const { changes, drift } = await world.look()
    expect(changes).toEqual(['create api_host.a'])
    expect(drift).toMatchObject([{ kind: 'deleted', stillIn: { attribute: 'room', value: 'r2' } }])
    world.want(hosts.filter(({ name }) => name !== 'a'))
    expect(await world.look()).toMatchObject({ changes: [], unchecked: ['other_parent api_host.a'] })
    world.want(hosts.map((each) => (each['name'] === 'a' ? host('a', { room: 'r2', name: 'one' }) : each)))
    expect((await world.check()).plan.inSync).toBe(true)
    expect(world.server.state.size).toBe(there)
  })

  it('is gone, where each container counts its ids by itself', async () => {
    await using world = await startWithin({ prefix: '', isCounted: true })
    world.server.state.delete(world.keyOf('one'))
    expect((await world.look()).changes).toEqual(['create api_host.a'])
  })

  it('is gone, where a number is the id of something else in the other one', async () => {
    await using world = await startWithin({ prefix: '' })
    world.move('one', world.keyOf('two').split('/')[2] ?? '', { name: 'another' })
    expect((await world.look()).changes).toEqual(['create api_host.a'])
  })
})
