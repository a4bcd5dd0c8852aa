import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* An API that makes a name for what is created without one. */

const resource = `
operations:
  list: { method: GET, path: /list }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things, produces: { id: id } }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [zone, name], generated: [name] }
lookup: { list: {}, match: [zone, name] }
serverId: { id: id }
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes: { zone: { immutable: true }, name: { immutable: true }, size: { type: number } }
`

const start = async (things: Readonly<Record<string, JsonObject>> = {}, answer = (made: JsonObject) => made) => {
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (method === 'GET' && url === '/list') return { status: 200, body: `[${[...state.values()].join(',')}]` }
      if (method !== 'POST') return undefined
      const id = String(100 + state.size)
      const made = { id, name: `thing-${id}`, ...(JSON.parse(body) as JsonObject) }
      state.set(`/things/${id}`, JSON.stringify(made))
      return { status: 201, body: JSON.stringify(answer(made)) }
    },
  })
  for (const [id, thing] of Object.entries(things)) server.state.set(`/things/${id}`, JSON.stringify({ id, ...thing }))
  return server
}

describe('a key that the server fills in unless it is declared', () => {
  it('is omitted in the create, and the object is found by its id afterwards', async () => {
    await using server = await start()
    const api = driveThings(server, resource, { a: { zone: 'z', size: 1 } })
    const { plan, digest } = await api.check()
    expect(plan.commands).toMatchObject([
      { description: 'create api_thing z (known after apply)', request: { body: { zone: 'z', size: 1 } } },
    ])
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
    api.want({ a: { zone: 'z', size: 2 } })
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    api.want({})
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([
      ['POST /things', { zone: 'z', size: 1 }],
      ['PATCH /things/100', { size: 2 }],
      ['DELETE /things/100'],
    ])
  })

  it('never lets an object be adopted by the other keys', async () => {
    await using server = await start({ 7: { zone: 'z', name: 'theirs', size: 5 } })
    const api = driveThings(server, resource, { a: { zone: 'z', size: 1 } })
    const { plan, digest } = await api.check()
    expect(plan.changes).toMatchObject([{ action: 'create', before: null }])
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.get('/things/7')).toBe('{"id":"7","zone":"z","name":"theirs","size":5}')
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('lets each declared resource have its own object', async () => {
    await using server = await start()
    const api = driveThings(server, resource, { a: { zone: 'z', size: 1 }, b: { zone: 'z', size: 1 } })
    const { plan, digest } = await api.check()
    expect(plan).toMatchObject({ unchecked: [], counts: { create: 2 } })
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
    expect(server.state.size).toBe(2)
  })

  it('is an ordinary key where it is declared', async () => {
    await using server = await start({ 7: { zone: 'z', name: 'n', size: 1 } })
    const api = driveThings(server, resource, { a: { zone: 'z', name: 'n', size: 1 } })
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('lets the object be created again where it is gone', async () => {
    await using server = await start()
    const api = driveThings(server, resource, { a: { zone: 'z', size: 1 } })
    await api.apply((await api.check()).digest)
    server.state.clear()
    server.state.set('/things/7', '{"id":"7","zone":"z","name":"theirs","size":1}')
    expect((await api.check()).plan).toMatchObject({ changes: [{ action: 'create' }], drift: [{ kind: 'deleted' }] })
  })

  it('lets no second object be created where the create answers no id', async () => {
    await using server = await start({}, ({ id: _, ...rest }) => rest)
    const api = driveThings(server, resource, { a: { zone: 'z', size: 1 } })
    expect(await api.apply((await api.check()).digest)).not.toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(1)
  })

  it('is demanded without the key', async () => {
    const text = resource.replace(', generated: [name]', '')
    await expect(driveThings({ url: 'http://localhost' }, text, { a: { zone: 'z' } }).check()).rejects.toThrow(
      /name is missing/,
    )
  })

  it.each([
    ['what is no key', 'generated: [name]', 'generated: [size]', /"?size\W+ is no identity key/],
    ['no id', 'serverId: { id: id }\n', '', /found by an id alone/],
    ['an id that no create tells', ', produces: { id: id }', '', /no answer of the create contains/],
    ['positions', 'generated: [name]', 'generated: [name], ids: position', /found by an id alone/],
  ])('is refused with %s, at its line', async (_, from, to, words) => {
    const api = driveThings({ url: 'http://localhost' }, resource.replace(from, to), { a: { zone: 'z' } })
    await expect(api.check()).rejects.toThrow(words)
    await expect(api.check()).rejects.toThrow(/api\.provider\.yaml:\d+:\d+/)
  })
})
