import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* Somebody deleted an object and made another one under its name. Realms hold clients, and clients hold roles. */

/** How a client names its realm, and a role its client. */
const ways = {
  refersTo: {
    facts: (type: string) => `refersTo: { type: ${type}, attribute: name }`,
    at: (_: string, name: string) => name,
  },
  ref: { facts: (type: string) => `ref: { type: ${type}, emit: name }`, at: (_: string, name: string) => name },
  '${resource}': {
    facts: (type: string) => `refersTo: { type: ${type}, attribute: name }`,
    at: (type: string, name: string) => `\${resource.${type}.${name}.name}`,
  },
} as const

const typeText = (type: string, path: string, keys: string, parents: string): string => `
  ${type}:
    operations:
      list: { method: GET, path: "${path}" }
      retrieve: { method: GET, path: "${path}/{name}" }
      create: { method: POST, path: "${path}", produces: { id: id } }
      update: { method: PATCH, path: "${path}/{name}" }
      delete: { method: DELETE, path: "${path}/{name}" }
    identity: { keys: [${keys}], container: { op: retrieve, id: id } }
    lookup: { list: { absent: [404] }, match: [name] }
    discover: { op: list, absent: [404] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { ${parents}name: { required: true, immutable: true }, note: {} }`

const documentOf = (way: keyof typeof ways): string => {
  const { facts } = ways[way]
  const realm = `realm: { in: path, required: true, ${facts('api_realm')} }, `
  const client = `client: { in: path, required: true, refersTo: { type: api_client, attribute: name } }, `
  return `provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:${typeText('api_realm', '/realms', 'name', '')}${typeText('api_client', '/realms/{realm}/clients', 'realm, name', realm)}${typeText(
    'api_role',
    '/realms/{realm}/clients/{client}/roles',
    'realm, client, name',
    `${realm}${client}`,
  )}
`
}

const resourcesOf = (way: keyof typeof ways, note = 'ours'): readonly JsonObject[] => {
  const { at } = ways[way]
  const realm = at('api_realm', 'shop')
  const client = way === '${resource}' ? at('api_client', 'web') : 'web'
  return [
    { type: 'api_realm', name: 'shop', spec: { name: 'shop', note } },
    { type: 'api_client', name: 'web', spec: { realm, name: 'web', note } },
    { type: 'api_role', name: 'admin', spec: { realm, client, name: 'admin', note } },
  ]
}

const paths = ['/realms/shop', '/realms/shop/clients/web', '/realms/shop/clients/web/roles/admin']

const start = async (way: keyof typeof ways = 'refersTo') => {
  let made = 0
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (!/(realms|clients|roles)$/.test(url)) return undefined
      const above = url.split('/').slice(0, -1).join('/')
      if (above !== '' && !state.has(above)) return { status: 404, body: '{}' }
      if (method === 'GET') {
        const inside = [...state].filter(
          ([path]) => path.startsWith(`${url}/`) && !path.slice(url.length + 1).includes('/'),
        )
        return { status: 200, body: `[${inside.map(([, text]) => text).join(',')}]` }
      }
      made += 1
      const given = JSON.parse(body) as JsonObject
      const text = JSON.stringify({ ...given, id: `o${made}` })
      state.set(`${url}/${String(given['name'])}`, text)
      return { status: 201, body: text }
    },
  })
  const drive = driveDocument(server, documentOf(way), resourcesOf(way))
  const want = (resources: readonly JsonObject[], more: JsonObject = {}): void => {
    drive.current.bundle = yaml(
      JSON.stringify({
        workspace: 'things',
        providers: { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } },
        resources: resources as Json,
        ...more,
      }),
      { 'api.provider.yaml': documentOf(way) },
    )
  }
  const look = async () => {
    const { plan, digest } = await drive.check()
    return {
      plan,
      digest,
      changes: plan.changes.map(({ action, address, blocked }) => `${blocked?.reason ?? action} ${address}`),
      unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`),
    }
  }
  const settle = async () => drive.apply((await drive.check()).digest)
  /** Somebody makes these again, each with an id of its own. */
  const remake = (...which: readonly string[]): void => {
    for (const path of which)
      server.state.set(
        path,
        JSON.stringify({ name: path.split('/').at(-1), note: 'theirs', id: `their-${path.length}` }),
      )
  }
  expect((await settle()).status).toBe('succeeded')
  expect((await look()).plan.inSync).toBe(true)
  const bodies = (): readonly string[] => paths.flatMap((path) => server.state.get(path) ?? [])
  return {
    ...drive,
    server,
    look,
    settle,
    want,
    remake,
    bodies,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('a container that others made again, with $0', (way) => {
  it('takes nothing along, at any depth, and nothing of others is touched', long, async () => {
    await using world = await start(way)
    world.remake(...paths)
    const theirs = world.bodies()
    const { changes, unchecked, plan } = await world.look()
    expect(changes).toEqual(['made_again api_realm.shop'])
    expect(unchecked).toEqual(['other_parent api_client.web', 'other_parent api_role.admin'])
    expect(plan.drift.map(({ kind, address }) => `${kind} ${address}`)).toEqual(['deleted api_realm.shop'])
    await world.settle()
    world.want([])
    await world.settle()
    expect(world.bodies()).toEqual(theirs)
  })

  it('in the middle: the realm is in sync, the role in it is in another client', async () => {
    await using world = await start(way)
    world.remake(...paths.slice(1))
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked]).toEqual([['made_again api_client.web'], ['other_parent api_role.admin']])
  })
})

describe('an object that others made again', () => {
  it('is told once more at each check, until somebody says what it is', async () => {
    await using world = await start()
    world.remake(paths[2] ?? '')
    for (const _time of [1, 2]) expect((await world.look()).changes).toEqual(['made_again api_role.admin'])
    const [change] = (await world.look()).plan.changes
    expect(change?.blocked?.detail).toContain('import: [{ to: api_role.admin, id: { id: their-36 } }]')
  })

  it('is taken over by an import, and is ours from then on', long, async () => {
    await using world = await start()
    world.remake(paths[2] ?? '')
    world.want(resourcesOf('refersTo'), { import: [{ to: 'api_role.admin', id: { id: 'their-36' } }] })
    expect((await world.look()).changes).toEqual(['update api_role.admin'])
    expect((await world.settle()).status).toBe('succeeded')
    world.want(resourcesOf('refersTo'))
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('is not destroyed when the resource leaves the configuration, and is listed as what nobody declares', async () => {
    await using world = await start()
    world.remake(paths[2] ?? '')
    await world.look()
    world.want(resourcesOf('refersTo').slice(0, 2), { unmanaged: 'report' })
    const { changes, plan } = await world.look()
    expect(changes).toEqual([])
    expect(plan.drift).toMatchObject([{ address: 'api_role.admin', kind: 'deleted', madeAgain: true }])
    expect((await world.look()).plan.drift).toEqual([])
    expect(plan.unmanaged?.map(({ type, identity }) => [type, identity['name']])).toEqual([['api_role', 'admin']])
    expect(world.server.state.has(paths[2] ?? '')).toBe(true)
  })

  it('is not deleted where nothing of the name shall exist, until somebody says that it is meant', long, async () => {
    await using world = await start()
    world.remake(paths[2] ?? '')
    const [realm, client] = resourcesOf('refersTo')
    const role = {
      type: 'api_role',
      name: 'admin',
      absent: true,
      spec: { realm: 'shop', client: 'web', name: 'admin' },
    }
    world.want([realm ?? {}, client ?? {}, role])
    for (const _time of [1, 2]) {
      const { changes, plan } = await world.look()
      expect([changes, plan.drift]).toEqual([['made_again api_role.admin'], []])
      expect(plan.changes[0]?.action).toBe('delete')
      expect(plan.changes[0]?.blocked?.detail).toContain('id: their-36 has it now; to delete that one too')
      await world.settle()
    }
    expect(world.server.state.has(paths[2] ?? '')).toBe(true)
    world.want([realm ?? {}, client ?? {}, role], { import: [{ to: 'api_role.admin', id: { id: 'their-36' } }] })
    expect((await world.look()).changes).toEqual(['delete api_role.admin'])
    expect((await world.settle()).status).toBe('succeeded')
    expect(world.server.state.has(paths[2] ?? '')).toBe(false)
    world.want([realm ?? {}, client ?? {}, role])
    expect((await world.look()).plan.inSync).toBe(true)
  })
})

it('a container that an apply made again: what was in it is made anew', long, async () => {
  await using world = await start()
  for (const path of paths) world.server.state.delete(path)
  world.want(resourcesOf('refersTo'), {
    gone: ['api_realm.shop', 'api_client.web', 'api_role.admin'].map((address) => ({ address, reason: 'by mistake' })),
  })
  expect((await world.settle()).status).toBe('succeeded')
  expect((await world.look()).plan.inSync).toBe(true)
})

describe.each([
  ['no ids', '', 'identity: { keys: [name] }'],
  ['ids that clients choose', 'serverId: { name: name }', 'identity: { keys: [name], ids: reused }'],
  ['ids that are given again', 'serverId: { id: id }', 'identity: { keys: [name], ids: reused }'],
])('where a time of creation tells objects apart, and they have %s', (_, serverId, identity) => {
  const document = `provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: POST, path: /boxes }
      update: { method: PATCH, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    ${identity}
    lookup: { list: {}, match: [name] }
    ${serverId}
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: {}, note: {}, created: { computed: true, immutable: true } }
`
  const begin = async () => {
    let day = 0
    const server = await startThings({
      route: ({ method, url, body }, state) => {
        if (url.split('?')[0] !== '/boxes') return undefined
        if (method === 'GET') return { status: 200, body: `[${[...state.values()]}]` }
        day += 1
        const text = JSON.stringify({ ...(JSON.parse(body) as JsonObject), id: '1', created: `day ${day}` })
        state.set(`/boxes/${String((JSON.parse(body) as JsonObject)['name'])}`, text)
        return { status: 201, body: text }
      },
    })
    const wanted: JsonObject = { type: 'api_box', name: 'b', spec: { name: 'b', note: 'ours' } }
    const drive = driveDocument(server, document, [wanted])
    await drive.apply((await drive.check()).digest)
    expect((await drive.check()).plan.inSync).toBe(true)
    const theirs = JSON.stringify({ name: 'b', note: 'theirs', id: '1', created: 'later' })
    const look = async () =>
      (await drive.check()).plan.changes.map(
        ({ action, blocked }) => `${blocked?.reason ?? action}: ${blocked?.detail}`,
      )
    return { ...drive, server, theirs, look, wanted, path: '/boxes/b' }
  }

  it('another object under the name is told, and destroyed by nobody', async () => {
    const world = await begin()
    await using _server = world.server
    world.server.state.set(world.path, world.theirs)
    for (const _time of [1, 2]) expect(await world.look()).toEqual([expect.stringContaining('list it under gone')])
    world.want([])
    expect(await world.look()).toEqual([])
    expect(world.server.state.get(world.path)).toBe(world.theirs)
  })

  it('it is ours once somebody says that the former one is gone', async () => {
    const world = await begin()
    await using _server = world.server
    world.server.state.set(world.path, world.theirs)
    const gone = { gone: [{ address: 'api_box.b', reason: 'it was made anew' }] }
    const bundle = (more: JsonObject) =>
      yaml(
        JSON.stringify({
          workspace: 'things',
          providers: {
            api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: world.server.url } },
          },
          resources: [world.wanted],
          ...more,
        }),
        { 'api.provider.yaml': document },
      )
    world.current.bundle = bundle(gone)
    expect(await world.look()).toEqual(['update: undefined'])
    expect((await world.apply((await world.check()).digest)).status).toBe('succeeded')
    world.current.bundle = bundle({})
    expect((await world.check()).plan.inSync).toBe(true)
  })
})
