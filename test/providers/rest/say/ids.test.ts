import { describe, expect, it } from 'vitest'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Ids that a server makes: where they are told, and what is read with them. */

describe('an element of a list that has an id and an operation of its own', () => {
  const resource = (reads: string) => `
operations:
  list: { method: GET, path: /list }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
${reads}
`
  const listed = `
parts:
  - { name: main, read: list, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number } } }
`
  const mixed = `
parts:
  - { name: main, read: list, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number } } }
  - { name: more, read: retrieve, write: { op: update }, attributes: { note: {} } }
`
  const aServer = () =>
    startThings({
      route: ({ method, url }, state) => {
        if (method !== 'GET' || url !== '/list') return undefined
        return { status: 200, body: `[${[...state.values()].join(',')}]` }
      },
    })

  it.each([
    ['alone', listed, { name: 'a', size: 1 }],
    ['beside a part that is read alone', mixed, { name: 'a', size: 1, note: 'n' }],
    ['as an operation that may be absent', listed.replace('read: list', 'read: { op: list }'), { name: 'a', size: 1 }],
  ])('is read from the list at every check: %s', async (_, parts, spec) => {
    await using server = await aServer()
    const it = driveThings(server, resource(parts), { a: spec, b: { ...spec, name: 'b' } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    for (let n = 0; n < 3; n += 1) expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    server.state.set('/things/1', JSON.stringify({ ...JSON.parse(server.state.get('/things/1') ?? ''), size: 9 }))
    const { plan, digest } = await it.check()
    expect(plan.changes).toMatchObject([{ address: 'api_thing.a', action: 'update' }])
    expect(await it.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it.each([
    ['a list that nobody looks objects up in', 'lookup: { retrieve: true }\ndiscover: { op: list }', listed],
    [
      'a list of another collection',
      'lookup: { list: {}, match: [name], follow: retrieve, ids: { id: thing } }',
      listed,
    ],
  ])('cannot be read from %s, which is reported before any request', async (_, lookup, parts) => {
    await using server = await aServer()
    const text = resource(parts)
      .replace('lookup: { list: {}, match: [name] }', lookup)
      .replace('identity: { keys: [name] }', 'identity: { keys: [name] }')
      .replaceAll('{id}', lookup.includes('retrieve: true') ? '{name}' : '{id}')
    const it = driveThings(server, text, { a: { name: 'a', size: 1 } })
    await expect(it.check()).rejects.toThrow(/answers a list, and no element of it is the object/)
    expect(server.received).toEqual([])
  })
})

describe('an element that was renamed', () => {
  const resource = (lookup: string, paths: string) => `
operations:
  list: { method: GET, path: /list }
  named: { method: GET, path: "/named/{name}" }
  ${paths}
  create: { method: POST, path: /things, produces: { id: id } }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: ${lookup}
serverId: { id: id }
parts:
  - { name: main, read: ${/list/.test(lookup) ? 'list' : /retrieve:/.test(paths) ? 'retrieve' : 'named'}, write: { op: update }, attributes: { name: {}, size: { type: number } } }
`
  const byId = 'retrieve: { method: GET, path: "/things/{id}" }'
  const byName = 'retrieve: { method: GET, path: "/named/{name}" }'
  const aServer = () =>
    startThings({
      route: ({ method, url }, state) => {
        const all = [...state.values()]
        if (method !== 'GET' || url.startsWith('/things')) return undefined
        if (url === '/list') return { status: 200, body: `[${all.join(',')}]` }
        const found = all.find((text) => url === `/named/${(JSON.parse(text) as { name: string }).name}`)
        return found === undefined ? { status: 404, body: '{}' } : { status: 200, body: found }
      },
    })

  it.each([
    ['read by its name, then by its id', '{ retrieve: named }', byId, 'update'],
    [
      'looked for in a list that shows its id, though one is read by its name',
      '{ list: {}, match: [name] }',
      byName,
      'update',
    ],
    ['read by its name alone, so that nobody can know', '{ retrieve: named }', '', 'create'],
  ])('is still the same element: %s', async (_, lookup, paths, action) => {
    await using server = await aServer()
    const it = driveThings(server, resource(lookup, paths), { a: { name: 'a', size: 1 } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    server.state.set('/things/1', '{"id":"1","name":"b","size":1}')
    expect((await it.check()).plan.changes).toMatchObject([{ address: 'api_thing.a', action }])
    it.want({})
    const { plan } = await it.check()
    expect(plan.unchecked).toMatchObject(action === 'update' ? [{ address: 'api_thing.a', reason: 'ambiguous' }] : [])
  })
})
