import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'

/* An API that archives instead of deleting, and refuses a second object of the name: a create must revive the first. */

const resource = `
operations:
  list: { method: GET, path: /list }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things, produces: { id: id } }
  update: { method: PATCH, path: "/things/{id}" }
  archive: { method: PATCH, path: "/things/{id}", body: { archived: true } }
  restore: { method: POST, path: "/things/{id}/restore", body: { why: wanted } }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
lifecycle:
  { delete: { op: archive, gone: { where: { archived: true } } },
    revive: restore }
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes: { name: {}, size: { type: number }, kind: { immutable: true }, key: { writeOnly: true } }
`

/** Archived and live things by id; a second one of a name is refused, as long as the first is there at all. */
const start = async (things: Readonly<Record<string, JsonObject>>) => {
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const all = () => [...state.values()].map((text) => JSON.parse(text) as JsonObject)
      if (method === 'GET' && url === '/list') return { status: 200, body: JSON.stringify(all()) }
      if (method === 'POST' && url === '/things') {
        const { name } = JSON.parse(body) as JsonObject
        return all().some((each) => each['name'] === name) ? { status: 409, body: '{"error":"taken"}' } : undefined
      }
      const id = /^(\/things\/\d+)\/restore$/.exec(url)?.[1]
      if (id === undefined || method !== 'POST') return undefined
      const there = JSON.parse(state.get(id) ?? '{}') as JsonObject
      if (there['archived'] !== true) return { status: 409, body: '{"error":"it is not archived"}' }
      state.set(id, JSON.stringify({ ...there, archived: false }))
      return { status: 204 }
    },
  })
  for (const [id, thing] of Object.entries(things)) server.state.set(`/things/${id}`, JSON.stringify({ id, ...thing }))
  return server
}
const archived = { name: 'a', size: 1, archived: true }
const restore: Json = ['POST /things/7/restore', { why: 'wanted' }]

describe('an archived object that a create must revive', () => {
  it('is revived, gets what differs, and is ours by its own id', async () => {
    await using server = await start({ 7: archived, 8: { name: 'b', size: 1 } })
    const api = driveThings(server, resource, { a: { name: 'a', size: 2 } })
    const { plan, digest } = await api.check()
    expect(plan.changes).toMatchObject([{ action: 'create', reason: 'create_because_archived' }])
    expect(plan.changes[0]).not.toHaveProperty('blocked')
    expect(plan.commands).toMatchObject([{ action: 'create', description: 'revive api_thing a' }, { action: 'update' }])
    expect(renderPlan(plan, { format: 'text', width: 1000 })).toMatch(/still finds it[\s\W]+archived/)
    expect(renderPlan(plan, { format: 'text', width: 1000 })).toMatch(/api_thing\.a\s+will be revived/)
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([restore, ['PATCH /things/7', { size: 2 }]])
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
    // By its id: another name out there is a rename.
    server.state.set('/things/7', JSON.stringify({ id: '7', name: 'z', size: 2 }))
    expect((await api.check()).plan.changes).toMatchObject([{ action: 'update', before: { name: 'z' } }])
  })

  it('comes and goes as often as it is declared', long, async () => {
    await using server = await start({})
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    const all = async () => api.apply((await api.check()).digest)
    for (const size of [1, 2, 3]) {
      api.want({ a: { name: 'a', size } })
      expect(await all()).toMatchObject({ status: 'succeeded' })
      api.want({})
      expect(await all()).toMatchObject({ status: 'succeeded' })
      expect(await api.check()).toMatchObject({ run: { status: 'in_sync' }, plan: { changes: [] } })
    }
    expect(server.lines().filter(([line]) => line === 'POST /things')).toHaveLength(1)
    expect(server.state.size).toBe(1)
  })

  it('needs no further write where nothing differs', async () => {
    await using server = await start({ 7: archived })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([restore])
  })

  it('drifts where it was ours and somebody archived it', async () => {
    await using server = await start({ 7: { name: 'a', size: 1 } })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    await api.check()
    server.state.set('/things/7', JSON.stringify({ id: '7', ...archived }))
    const { plan, digest } = await api.check()
    expect(plan).toMatchObject({ changes: [{ reason: 'create_because_archived' }], drift: [{ kind: 'deleted' }] })
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([restore])
  })

  it('is not used where a live one exists', async () => {
    await using server = await start({ 7: archived, 9: { name: 'a', size: 1 } })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('is not chosen where several are archived', async () => {
    await using server = await start({ 7: archived, 9: archived })
    const { plan } = await driveThings(server, resource, { a: { name: 'a', size: 1 } }).check()
    expect(plan).toMatchObject({ changes: [], unchecked: [{ reason: 'ambiguous' }] })
  })

  it('does not count as existing where it must not exist', async () => {
    await using server = await start({ 7: archived })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    await api.apply((await api.check()).digest)
    server.state.set('/things/7', JSON.stringify({ id: '7', ...archived }))
    api.want({})
    expect(await api.check()).toMatchObject({ plan: { changes: [], unchecked: [] } })
  })

  it('is not changed where a fixed attribute differs', async () => {
    await using server = await start({ 7: { ...archived, kind: 'x' } })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1, kind: 'y' } })
    const { plan } = await api.check()
    expect(plan.changes).toMatchObject([{ blocked: { reason: 'immutable' } }])
    expect(plan.commands).toEqual([])
  })

  it.each<[string, JsonObject | undefined]>([
    ['was revived', { id: '7', name: 'a', size: 1 }],
    ['was changed', { id: '7', ...archived, size: 5 }],
    ['is gone', undefined],
  ])('is not written where it %s after the approval', async (_, now) => {
    await using server = await start({ 7: archived })
    const api = driveThings(server, resource, { a: { name: 'a', size: 2 } })
    const { digest } = await api.check()
    let reads = 0
    // The plan of the apply still sees what was approved; the read right before the command does not.
    server.behaviour.before = ({ url }, state) => {
      reads += url === '/list' ? 1 : 0
      if (reads < 2 || url !== '/list') return
      if (now === undefined) state.delete('/things/7')
      else state.set('/things/7', JSON.stringify(now))
    }
    expect(await api.apply(digest)).not.toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([])
  })

  it('gets the attributes of a create where the body of the operation says so', async () => {
    await using server = await start({ 7: archived })
    const text = resource.replace('body: { why: wanted }', 'body: "{fields}"')
    const api = driveThings(
      server,
      text,
      { a: { name: 'a', size: 1, key: { secret: 'env:KEY' } } },
      { secrets: { resolve: async () => 'sesame' } },
    )
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['POST /things/7/restore', { name: 'a', size: 1, key: 'sesame' }]])
  })

  it('is created as usual without this key', async () => {
    await using server = await start({ 7: archived })
    const { plan } = await driveThings(server, resource.replace(',\n    revive: restore', ''), {
      a: { name: 'a', size: 2 },
    }).check()
    expect(plan.changes).toMatchObject([{ action: 'create' }])
    expect(plan.changes[0]).not.toHaveProperty('reason')
    expect(plan.commands).toMatchObject([{ request: { url: expect.stringMatching(/\/things$/) } }])
  })

  it.each([
    ['no such operation', 'revive: restore', 'revive: reopen', /no operation \W+reopen/],
    ['one that reads', 'revive: restore', 'revive: list', /list\W+ only reads/],
    [
      'a promise to adopt nothing',
      'revive: restore',
      'revive: restore, adopt: false',
      /no workspace records an archived object any more/,
    ],
    [
      'nothing that is archived',
      ', gone: { where: { archived: true } }',
      '',
      /it is not described which objects are archived/,
    ],
  ])('is refused with %s, at its line', async (_, from, to, words) => {
    const api = driveThings({ url: 'http://localhost' }, resource.replace(from, to), { a: { name: 'a' } })
    await expect(api.check()).rejects.toThrow(words)
    await expect(api.check()).rejects.toThrow(/api\.provider\.yaml:1\d:/)
  })
})

describe('what an archived object had', () => {
  it('comes back by an undo of the delete that archived it', async () => {
    await using server = await start({ 7: { name: 'a', size: 1, other: [1] } })
    const api = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    await api.check()
    const was = server.state.get('/things/7')
    api.want({})
    const { id } = await api.apply((await api.check()).digest)
    const { plan, apply } = await api.undo(id)
    expect(plan.commands).toMatchObject([{ description: 'undo: delete api_thing a' }])
    expect(apply).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['PATCH /things/7', { archived: true }], restore])
    expect(JSON.parse(server.state.get('/things/7') ?? '')).toEqual({ ...JSON.parse(was ?? ''), archived: false })
  })

  it('is named as lost where the request that revives it overwrites it', async () => {
    await using server = await start({ 7: archived })
    const document = resource.replace('body: { why: wanted }', 'body: "{fields}"')
    const api = driveThings(server, document, { a: { name: 'a', size: 2 } })
    expect((await api.check()).plan.commands).toMatchObject([{ grade: 'lossy', loses: ['/size'] }])
  })
})
