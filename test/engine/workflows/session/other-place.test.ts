import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { providers } from '../../../../core/providers/index.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings, type Things } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* An id proves an object only together with the place where it was seen. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_zone:
    operations:
      list: { method: GET, path: /zones }
      retrieve: { method: GET, path: "/zones/{id}" }
      create: { method: POST, path: /zones, produces: { id: id } }
      update: { method: PATCH, path: "/zones/{id}" }
      delete: { method: DELETE, path: "/zones/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ttl: { type: number } } }
`

const zone = (name: string): JsonObject => ({ type: 'api_zone', name, spec: { name, ttl: 1 } })

const startZones = (...names: readonly string[]): Promise<Things> =>
  startThings({
    route: ({ method, url }, state) =>
      method === 'GET' && url === '/zones' ? { status: 200, body: `[${[...state.values()].join(',')}]` } : undefined,
  }).then((server) => {
    for (const [index, name] of names.entries())
      server.state.set(`/zones/${index + 1}`, JSON.stringify({ id: String(index + 1), name, ttl: 9 }))
    return server
  })

/** A workspace that was applied on one server, and whose provider leads to another one now. */
const start = async (...there: readonly string[]) => {
  const [first, second] = [await startZones(), await startZones(...there)]
  const drive = driveDocument(first, document, [zone('a'), zone('b')])
  expect((await drive.apply((await drive.check()).digest)).status).toBe('succeeded')
  const lead = (to: Things, resources: readonly JsonObject[], more: JsonObject = {}): void => {
    drive.current.bundle = yaml(
      JSON.stringify({
        workspace: 'things',
        providers: { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: to.url } } },
        resources,
        ...more,
      }),
      { 'api.provider.yaml': document },
    )
  }
  const look = async () => {
    const { plan, digest } = await drive.check()
    const changes = plan.changes.map(({ action, address }) => `${action} ${address}`)
    return { changes, unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`), plan, digest }
  }
  const stop = async () => {
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
  }
  return { ...drive, first, second, lead, look, [Symbol.asyncDispose]: stop }
}

const elsewhere = ['other_place api_zone.a', 'other_place api_zone.b']

describe('a record of another server', () => {
  it.each([
    ['objects of others under its ids', ['prod-db', 'prod-web']],
    ['objects of others under its names', ['b', 'a']],
    ['nothing', []],
  ])('proves nothing there, where there are %s', async (_, there) => {
    await using world = await start(...there)
    world.lead(world.second, [zone('a'), zone('b')])
    const { changes, unchecked, plan } = await world.look()
    expect({ changes, unchecked }).toEqual({ changes: [], unchecked: elsewhere })
    expect(plan.unchecked[0]?.detail).toContain(
      `recorded at ${world.first.url}, and api leads to ${world.second.url} now`,
    )
    // What left the configuration is not deleted there.
    world.lead(world.second, [])
    expect(await world.look()).toMatchObject({ changes: [], unchecked: elsewhere })
    expect(world.second.writes()).toEqual([])
  })

  it('is right again where the provider leads back', async () => {
    await using world = await start('x')
    world.lead(world.second, [zone('a')])
    await world.look()
    world.lead(world.first, [zone('a')])
    expect(await world.look()).toMatchObject({ changes: ['delete api_zone.b'], unchecked: [] })
  })

  it('is believed where the configuration says that the server is the same', long, async () => {
    await using world = await start('a', 'b')
    const moved = [{ provider: 'api', from: world.first.url, to: world.second.url }]
    world.lead(world.second, [zone('a'), zone('b')], { moved })
    const { changes, unchecked, digest } = await world.look()
    expect({ changes, unchecked }).toEqual({ changes: ['update api_zone.a', 'update api_zone.b'], unchecked: [] })
    expect((await world.apply(digest)).status).toBe('succeeded')
    // The records have the new place, so that the entry can go.
    world.lead(world.second, [zone('a'), zone('b')])
    expect(await world.look()).toMatchObject({ changes: [], unchecked: [] })
  })

  it('leaves what has no record to the other server', async () => {
    await using world = await start()
    world.lead(world.second, [zone('a'), zone('new')])
    expect((await world.look()).changes).toEqual(['create api_zone.new'])
  })

  it('refuses a place of a provider that does not exist', async () => {
    await using world = await start()
    world.lead(world.second, [zone('a')], { moved: [{ provider: 'apy', from: 'http://a', to: 'http://b' }] })
    await expect(world.check()).rejects.toThrow('there is no provider \\"apy\\"')
  })
})

const inPath = (text: string): string =>
  text.replaceAll('path: /zones', 'path: "/t/{with.tenant}/zones"').replaceAll('"/zones/', '"/t/{with.tenant}/zones/')
const inProvider = (more: string) => (text: string) =>
  text.replace('with: { baseUrl: {} }', `with: { baseUrl: {} }, ${more}`)

/** The plans of a resource that is recorded with the tenant one, with that and with the tenant two. */
const withTenants = async (edit: (text: string) => string, setting = 'tenant: {}') => {
  await using server = await startThings({
    route: ({ method, url }) => {
      if (url === '/login') return { status: 200, body: '{"t":"token"}' }
      const isList = method === 'GET' && /^(\/t\/\w+)?\/zones(\?|$)/.test(url)
      return isList ? { status: 200, body: '[{"id":"1","name":"a","ttl":1}]' } : undefined
    },
  })
  const inTenant = edit(document).replace('baseUrl: {} }', `baseUrl: {}, ${setting}, key: { secret: true } }`)
  const drive = driveDocument(server, inTenant, [zone('a')])
  drive.secrets['env:K'] = 'correct horse battery'
  for (const path of ['/t/one', '/t/two', '']) server.state.set(`${path}/zones/1`, '{"id":"1","name":"a","ttl":1}')
  const planIn = async (tenant: string) => {
    const given = { baseUrl: server.url, tenant, key: { secret: 'env:K' } }
    const provider = { source: 'rest', definition: './api.provider.yaml', with: given }
    const bundle = { workspace: 'things', providers: { api: provider }, resources: [zone('a')] }
    drive.current.bundle = yaml(JSON.stringify(bundle), { 'api.provider.yaml': inTenant })
    return (await drive.check()).plan
  }
  return [await planIn('one'), await planIn('two')]
}

it.each<[string, (text: string) => string]>([
  ['the path', inPath],
  [
    'the query',
    (text) =>
      text.replaceAll(/(path: [^,}]*\{?[^,}]*\}?"?)( \}|, produces)/g, '$1, query: { tenant: "{with.tenant}" }$2'),
  ],
  [
    'the query of a list',
    (text) => text.replace('path: /zones }', 'path: /zones, query: { tenant: "{with.tenant}" } }'),
  ],
  ['a header of each request', inProvider('headers: { X-Tenant: "{with.tenant}" }')],
  [
    'a header of one request',
    (text) => text.replace('path: /zones }', 'path: /zones, headers: { X-Tenant: "{with.tenant}" } }'),
  ],
  [
    'the sign-in',
    inProvider('auth: { login: { url: /login, body: { realm: "{with.tenant}", key: "{with.key}" }, token: t } }'),
  ],
])(
  'a record of another tenant of the same server proves nothing either, where the tenant is in %s',
  async (_, edit) => {
    const [first, second] = await withTenants(edit)
    expect(first?.inSync).toBe(true)
    expect(second?.unchecked.map(({ reason }) => reason)).toEqual(['other_place'])
    expect(second?.unchecked[0]?.detail).toMatch(/recorded at (\S+) tenant=one, and api leads to \1 tenant=two/)
  },
)

it.each([
  ['a version in a header', 'headers: { X-Api-Version: "{with.tenant}" }'],
  ['a user agent', 'headers: { User-Agent: "{with.tenant}" }'],
  ['who signs in', 'auth: { basic: { user: "{with.tenant}", password: "{with.key}" } }'],
  ['what the document says to be none', 'headers: { X-Tenant: "{with.tenant}" }', 'tenant: { place: false }'],
])('a record is believed with another value of %s', async (_, more, setting = 'tenant: {}') => {
  const plans = await withTenants(inProvider(more), setting)
  expect(plans.map(({ inSync }) => inSync)).toEqual([true, true])
})

it.each([
  [
    'a project in a scope',
    'auth: { login: { url: /login, body: { scope: { project: { name: "{with.tenant}" } }, key: "{with.key}" }, token: t } }',
  ],
  ['an account', 'auth: { login: { url: /login, body: { account: "{with.tenant}", key: "{with.key}" }, token: t } }'],
  ['a part of a user name', 'auth: { basic: { user: "joe@{with.tenant}", password: "{with.key}" } }'],
])('a record is not believed with another value of %s', async (_, more) => {
  const [, plan] = await withTenants(inProvider(more))
  expect(plan?.unchecked.map(({ reason }) => reason)).toEqual(['other_place'])
})

it.each([
  ['the home', { home: 'a' }, { home: 'b' }],
  ['the root', { home: 'a', root: '.' }, { home: 'a', root: 'a' }],
  ['the folder of npm', { home: 'a', npmPrefix: 'a/n' }, { home: 'a', npmPrefix: 'a/m' }],
])('what was recorded of a machine proves nothing where %s is another one', (_, one, other) => {
  const homeOf = (given: JsonObject): string | undefined => {
    const configured = providers['machine']?.configure({
      alias: 'm',
      source: 'machine',
      with: given,
      folder: '/work',
      position: { file: 'plumbline.yaml', line: 1, column: 1 },
      files: { get: () => undefined, refusal: () => expect.unreachable() },
    })
    return configured?.ok ? configured.provider.home : expect.unreachable()
  }
  expect(homeOf(one)).toBe(homeOf({ ...one }))
  expect(homeOf(one)).not.toBe(homeOf(other))
})
