import { expect, it } from 'vitest'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { long } from '../../../builders/long.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { oneStore } from '../../../builders/workspaces/one-store.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

/* Two workspaces of one deployment that manage one object are told so, and neither destroys what the other still declares. */

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
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ttl: { type: number } } }]
`

const startZones = () =>
  startThings({
    route: ({ method, url }, state) =>
      method === 'GET' && url === '/zones' ? { status: 200, body: `[${[...state.values()].join(',')}]` } : undefined,
  })

const start = async () => {
  const server = await startZones()
  const store = oneStore()
  const put = (workspace: string, resources: string, { url = server.url, more = '', type = 'api_zone' } = {}) =>
    store.put(workspace, {
      document: document.replace('api_zone', type),
      given: { baseUrl: url },
      resources,
      more,
    })
  const zones = () => [...server.state.values()].map((text) => JSON.parse(text) as { name: string; ttl: number })
  return {
    ...store,
    server,
    put,
    zones,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const zone = (name: string, ttl: number, label = 'a'): string =>
  `{ type: api_zone, name: ${label}, spec: { name: ${name}, ttl: ${ttl} } }`

it('both are told at their next checks, and repair what they declare', async () => {
  await using world = await start()
  await world.put('wa', zone('shared', 1))
  await world.apply('wa')
  await world.put('wb', zone('shared', 2, 'b'))
  const first = await world.check('wb')
  expect(first.changes).toEqual(['update api_zone.b'])
  expect(first.notes).toEqual([expect.stringContaining('the same object as api_zone.a of the workspace wa')])
  expect((await world.check('wa')).notes).toEqual([expect.stringContaining('api_zone.b of the workspace wb')])
})

it('both are told where they write the name of this machine differently', async () => {
  await using world = await start()
  await world.put('wa', zone('shared', 1))
  await world.apply('wa')
  await world.put('wb', zone('shared', 2, 'b'), { url: world.server.url.replace('127.0.0.1', 'localhost') })
  expect((await world.check('wb')).notes).toEqual([
    expect.stringContaining('the same object as api_zone.a of the workspace wa'),
  ])
})

it('both are told where their documents call its type differently, and neither deletes it', async () => {
  await using world = await start()
  await world.put('wa', zone('shared', 1))
  await world.apply('wa')
  const theirs = { type: 'dns_domain' }
  await world.put('wb', zone('shared', 1, 'b').replace('api_zone', theirs.type), theirs)
  expect((await world.check('wb')).notes).toEqual([expect.stringContaining('api_zone.a of the workspace wa')])
  await world.put('wb', '', { ...theirs, more: 'orphans: delete' })
  expect((await world.check('wb')).changes).toEqual(['held dns_domain.b'])
  expect((await world.check('wa')).notes).toEqual([])
})

it('one that lets go destroys nothing, until the other one has let go too', long, async () => {
  await using world = await start()
  for (const [workspace, label] of [['wa', 'a'] as const, ['wb', 'b'] as const]) {
    await world.put(workspace, `${zone('shared', 1, label)}, ${zone(`own-${label}`, 1, 'own')}`)
    await world.apply(workspace)
  }
  await world.put('wb', '')
  const { changes, details } = await world.check('wb')
  expect(changes).toEqual(['delete api_zone.own', 'held api_zone.b'])
  expect(details[1]).toContain('wa manages it too (api_zone.a)')
  await world.apply('wb')
  expect(world.zones().map(({ name }) => name)).toEqual(['shared', 'own-a'])
  await world.put('wa', '', { more: 'removed: [{ address: api_zone.a, reason: wb has it }]' })
  await world.check('wa')
  expect((await world.check('wb')).changes).toEqual(['delete api_zone.b'])
})

it('one that declares it absent destroys nothing that the other one declares, and claims nothing', async () => {
  await using world = await start()
  await world.put('wa', zone('shared', 1))
  await world.apply('wa')
  await world.put('wb', '{ type: api_zone, name: b, absent: true, spec: { name: shared } }')
  const { changes, details, notes } = await world.check('wb')
  expect([changes, details, notes]).toEqual([
    ['held api_zone.b'],
    [expect.stringContaining('wa manages it (api_zone.a)')],
    [],
  ])
  expect((await world.check('wa')).notes).toEqual([])
  await world.put('wa', '', { more: 'removed: [{ address: api_zone.a, reason: wb ends it }]' })
  await world.check('wa')
  expect((await world.check('wb')).changes).toEqual(['delete api_zone.b'])
})

it('two that have both let go can both delete it', async () => {
  await using world = await start()
  for (const [workspace, label] of [['wa', 'a'] as const, ['wb', 'b'] as const]) {
    await world.put(workspace, zone('shared', 1, label))
    await world.apply(workspace)
  }
  for (const workspace of ['wa', 'wb']) {
    await world.put(workspace, '')
    await world.check(workspace)
  }
  expect((await world.check('wa')).changes).toEqual(['delete api_zone.a'])
  await world.apply('wa')
  expect(world.zones()).toEqual([])
  expect((await world.check('wb')).changes).toEqual([])
})

it('a workspace that was removed, or leads to another target, manages nothing here', async () => {
  await using world = await start()
  await using other = await startZones()
  for (const workspace of ['wa', 'wb', 'wc']) {
    await world.put(workspace, zone('shared', 1))
    await world.apply(workspace)
  }
  expect((await world.check('wc')).notes).toHaveLength(1)
  await removeWorkspace({ workspace: 'wa', reason: 'over', actor }, world.deps)
  await world.put('wb', zone('shared', 1), { url: other.url })
  await world.check('wb')
  expect((await world.check('wc')).notes).toEqual([])
})
