import { expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { oneStore } from '../../../builders/workspaces/one-store.ts'

/* Two workspaces may lead to one object by requests that have nothing in common: by its id, by its name, from a list alone. */

const byId = `
      list: { method: GET, path: /zones }
      retrieve: { method: GET, path: "/zones/{id}" }
      create: { method: POST, path: /zones, produces: { id: id } }
      delete: { method: DELETE, path: "/zones/{id}" }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: create }`

const fromList = (list = 'path: /zones', create = 'path: /made'): string => `
      list: { method: GET, ${list} }
      create: { method: POST, ${create}, produces: { id: id } }
      delete: { method: DELETE, path: "/removals/{id}" }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: list, write: { op: create }`

const byName = (at: string): string => `
      retrieve: { method: GET, path: "${at}/{name}" }
      create: { method: POST, path: /zones }
      delete: { method: DELETE, path: "${at}/{name}" }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: create }`

const documentOf = (type: string, way: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  ${type}:
    identity: { keys: [name] }
    operations:${way}, attributes: { name: {}, ttl: { type: number } } }]
`

const start = async (zones: readonly object[]) => {
  const all = zones as readonly Record<string, unknown>[]
  const server = await startThings({
    route: ({ method, url }) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost')
      const [first = '', last = ''] = pathname.split('/').slice(-2)
      if (method !== 'GET') return undefined
      searchParams.delete('action')
      const own = [...searchParams].reduce((left, [name, value]) => left.filter((each) => each[name] === value), all)
      if (last === 'zones' || last === 'rpc') return { status: 200, body: JSON.stringify(own) }
      const one = first === '' ? undefined : own.find(({ id, name }) => last === id || last === name)
      return one && { status: 200, body: JSON.stringify(one) }
    },
  })
  return { ...oneStore(), server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Both manage one of the name, and the second one lets go. */
const play = async (zones: readonly object[], one: string, other: string, types = ['api_zone', 'dns_domain']) => {
  await using world = await start(zones)
  const given = { baseUrl: world.server.url }
  const put = (workspace: string, way: string, type = '', more?: string) =>
    world.put(workspace, {
      document: documentOf(type, way),
      given,
      resources: more === undefined ? `{ type: ${type}, name: own, spec: { name: shared, ttl: 1 } }` : '',
      ...(more !== undefined && { more }),
    })
  await put('wa', one, types[0])
  await world.apply('wa')
  await put('wb', other, types[1])
  const { notes } = await world.check('wb')
  await put('wb', other, types[1], 'orphans: delete')
  const { changes, details } = await world.check('wb')
  return { notes: notes.filter((note) => note.includes('same object')), changes, details }
}

const shared = { id: 'k1', name: 'shared', ttl: 1, kind: 'x' }

const neverDeleted = byId
  .replace(/ +delete: .*\n/, '')
  .replace('serverId', 'lifecycle: { preventDelete: true }\n    serverId')

eachOf(
  it,
  3,
)([
  ['by its id, and from a list alone with a delete elsewhere', byId, fromList()],
  ['from a list alone with a delete elsewhere, and by its id', fromList(), byId],
  ['by its id, and by its name at the same place', byId, byName('/zones')],
  ['by its name, and at the same place by its id', byName('/zones'), byId],
  ['by its id, and by its name at another place', byId, byName('/zones/by-name')],
  ['by its name, and from a list alone', byName('/zones'), fromList()],
  ['by its id without a delete, and by its id with one', neverDeleted, byId],
])('an object that two workspaces know %s', async (_, one, other) => {
  const { notes, changes, details } = await play([shared], one, other)
  expect({ notes, changes, details }).toEqual({
    notes: [expect.stringContaining('may be the same object as api_zone.own of the workspace wa')],
    changes: ['held dns_domain.own'],
    details: [expect.stringContaining('wa manages api_zone.own, which may be the same object')],
  })
})

const rpc = (type: string): string =>
  fromList(`path: /rpc, query: { action: list_${type} }`, `path: /rpc, query: { action: make_${type} }`).replace(
    '/removals',
    `/${type}`,
  )

const [x, y] = [shared, { ...shared, id: 'k2', kind: 'y' }]

it.each([
  [
    'with other ids',
    [x, y],
    fromList('path: /zones, query: { kind: x }'),
    fromList('path: /zones, query: { kind: y }'),
  ],
  ['of lists that the query chooses', [x], rpc('zone'), rpc('host')],
])('two objects of one name, %s, are two', async (_, zones, one, other) => {
  const { notes, changes } = await play(zones, one, other)
  expect([notes, changes]).toEqual([[], ['delete dns_domain.own']])
})
