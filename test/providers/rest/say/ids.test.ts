import { describe, expect, it } from 'vitest'
import { driveThings, startThings } from '../../../builders/things-api.ts'

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
  ])('cannot be read from %s, and that is told before anything is asked', async (_, lookup, parts) => {
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
