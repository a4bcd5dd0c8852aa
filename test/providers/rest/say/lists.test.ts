import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* What a document says of lists, and of objects of which nothing but their existence is told. */

const resource = (list: string) => `
operations:
  list: { method: GET, path: /list${list} }
  create: { method: POST, path: /things }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: { items: data.items }, match: [name] }
discover: { op: list, items: data.items }
serverId: { id: id }
parts:
  - name: main
    read: list
    write: { op: update }
    attributes: { name: { immutable: true }, size: { type: number } }
`

/** Keeps things, and lists them as it is told to. */
const aServer = (listed: (things: readonly JsonObject[], url: URL) => Json) =>
  startThings({
    route: ({ method, url }, state) => {
      if (method !== 'GET' || !url.startsWith('/list')) return undefined
      const things = [...state.values()].map((text) => JSON.parse(text) as JsonObject)
      const body = listed(things, new URL(url, 'http://x'))
      return { status: 200, body: JSON.stringify(body) }
    },
  })

const both = { a: { name: 'a', size: 1 }, b: { name: 'b', size: 1 } }

describe('a list whose member is missing in the answer when it is empty', () => {
  const leavingOut = (things: readonly JsonObject[]): Json =>
    things.length === 0 ? { data: { total: 0 } } : { data: { total: things.length, items: [...things] } }

  it('is empty where the answer contains what the document says', async () => {
    await using server = await aServer(leavingOut)
    const it = driveThings(server, resource(', emptyWhen: [{ place: data.total, is: [0] }]'), both)
    const { plan, digest } = await it.check()
    expect(plan.changes.map(({ action }) => action)).toEqual(['create', 'create'])
    expect(await it.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    it.want({})
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(0)
  })

  it.each<[string, Json]>([
    ['nothing', {}],
    ['a failure', { error: 'overloaded' }],
    ['another number', { data: { total: 3 } }],
    ['no object', 'proxy says hello'],
    ['null', null],
  ])('is unknown where the answer contains %s', async (_, body) => {
    await using server = await aServer(() => body)
    const it = driveThings(server, resource(', emptyWhen: [{ place: data.total, is: [0] }]'), both)
    const { plan } = await it.check()
    expect(plan.unchecked).toMatchObject([{ reason: 'bad_body' }, { reason: 'bad_body' }])
    expect(plan.commands).toEqual([])
  })

  it('may be an empty object, where the document says so', async () => {
    await using server = await aServer((things) => (things.length === 0 ? {} : leavingOut(things)))
    const it = driveThings(server, resource(', emptyWhen: [{ place: "", is: [{}] }]'), both)
    expect((await it.check()).plan.changes).toHaveLength(2)
  })

  it('is refused with a rule that every failure fits', async () => {
    await using server = await aServer(() => null)
    const it = driveThings(server, resource(', emptyWhen: [{ place: data.items, exists: false }]'), both)
    await expect(it.check()).rejects.toThrow(/every answer without the list would count as an empty list/)
  })
})

describe('numbered pages of a list', () => {
  const paged =
    (more: (things: readonly JsonObject[]) => JsonObject) =>
    (things: readonly JsonObject[], url: URL): Json => {
      const page = Number(url.searchParams.get('page'))
      return { data: { items: things.slice((page - 1) * 2, page * 2), ...more(things) } }
    }
  const names = ['a', 'b', 'c', 'd', 'e']
  const fill = (state: Map<string, string>): void => {
    for (const name of names) state.set(`/things/${name}`, JSON.stringify({ id: name, name, size: 1 }))
  }
  const wanted = Object.fromEntries(names.map((name) => [name, { name, size: 1 }]))

  it.each<[string, string, (things: readonly JsonObject[]) => JsonObject, string[]]>([
    ['end with the number of all items', 'total: data.total', (things) => ({ total: things.length }), ['1', '2', '3']],
    [
      'end with a short one where the API says so',
      'size: { param: size, value: 2 }, shortEnds: true',
      () => ({}),
      ['1', '2', '3'],
    ],
  ])('are read to the end: they %s', async (_, keys, more, pages) => {
    await using server = await aServer(paged(more))
    fill(server.state)
    const it = driveThings(server, resource(`, pagination: { style: page, param: page, ${keys} }`), wanted)
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    const asked = server.received.map(({ url }) => new URL(url, 'http://x').searchParams.get('page'))
    expect(asked).toEqual(pages)
  })

  it.each<[string, (things: readonly JsonObject[]) => JsonObject, string]>([
    ['that end before the total', () => ({ total: 9 }), 'no more items after 5 of 9'],
    ['without the total', () => ({}), 'no number of items at data.total'],
  ])('are unknown if they are %s', async (_, more, detail) => {
    await using server = await aServer(paged(more))
    fill(server.state)
    const it = driveThings(server, resource(', pagination: { style: page, param: page, total: data.total }'), wanted)
    const { plan } = await it.check()
    expect(plan.unchecked).toHaveLength(5)
    expect(plan.unchecked[0]).toMatchObject({ reason: 'bad_body', detail: expect.stringContaining(detail) })
  })
})

describe('an object without readable attributes', () => {
  const member = (
    read: string,
    attributes = 'team: { in: path, required: true }, user: { in: path, required: true }',
  ) => `
operations:
  retrieve: { ${read}, path: "/teams/{team}/members/{user}" }
  create: { method: PUT, path: "/teams/{team}/members/{user}", body: none }
  delete: { method: DELETE, path: "/teams/{team}/members/{user}" }
identity: { keys: [team, user] }
lookup: { retrieve: true }
parts: [{ name: main, read: retrieve, attributes: { ${attributes} } }]
`
  /** Answers 204 to all that is there, without a body. */
  const aTeam = () =>
    startThings({
      route: ({ method, url }, state) => {
        if (method === 'PUT') state.set(url, '')
        else if (method === 'DELETE') state.delete(url)
        else if (!state.has(url)) return { status: 404, body: '{"error":"not a member"}' }
        return { status: 204 }
      },
    })

  it.each(['method: HEAD', 'method: GET, existence: true'])('is seen to exist by %s', async (read) => {
    await using server = await aTeam()
    const it = driveThings(server, member(read), { one: { team: 'ops', user: 'ada' } })
    const first = await it.check()
    expect(first.plan.changes).toMatchObject([{ action: 'create' }])
    expect(await it.apply(first.digest)).toMatchObject({ status: 'succeeded' })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    it.want({})
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['PUT /teams/ops/members/ada'], ['DELETE /teams/ops/members/ada']])
  })

  it('has no attribute that an answer would have to show', async () => {
    await using server = await aTeam()
    const text = member('method: HEAD', 'team: { in: path }, user: { in: path }, role: { immutable: true }')
    const it = driveThings(server, text, { one: { team: 'ops', user: 'ada', role: 'admin' } })
    await expect(it.check()).rejects.toThrow(/role.* is in no answer/)
  })
})
