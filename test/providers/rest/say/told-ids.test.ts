import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { idInHeader } from '../../../../core/engine/transport/answer/id-in-header.ts'
import { long } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Ids that only a header tells, once. */

const resource = ({
  from = '{ header: Location }',
  produces = `, produces: { id: ${from} }`,
  lookup = '{ list: {}, match: [name] }',
  operations = '',
  more = '',
}: Partial<Record<'from' | 'produces' | 'lookup' | 'operations' | 'more', string>>) => `
operations:
  list: { method: GET, path: /things }
  create: { method: POST, path: /things${produces} }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
${operations}
identity: { keys: [name]${more} }
lookup: ${lookup}
serverId: { id: ${from} }
parts:
  - { name: main, read: ${lookup.includes('retrieve') ? 'byName' : 'list'}, write: { op: update }, attributes: { name: {}, size: { type: number } } }
`

const byId = '  retrieve: { method: GET, path: "/things/{id}" }'
const byName = '  byName: { method: GET, path: "/things/by-name/{name}" }'

/** No body shows an id: the create tells it in `tell`, and a read of one object repeats it where `repeats`. */
const aServer = (tell: (id: string) => Readonly<Record<string, string>>, repeats = false) => {
  let made = 0
  return startThings({
    route: ({ method, url, body }, state) => {
      if (method === 'POST') {
        made += 1
        const id = `k${made}/é`
        state.set(`/things/${encodeURIComponent(id)}`, body)
        return { status: 201, headers: tell(id) }
      }
      if (method !== 'GET') return undefined
      if (url === '/things') return { status: 200, body: `[${[...state.values()].join(',')}]` }
      const found = [...state].find(
        ([path, text]) => path === url || url === `/things/by-name/${(JSON.parse(text) as { name: string }).name}`,
      )
      if (found === undefined) return { status: 404, body: '{}' }
      const id = decodeURIComponent(found[0].split('/').at(-1) ?? '')
      return { status: 200, body: found[1], headers: repeats ? tell(id) : {} }
    },
  })
}

const location = (id: string) => ({ Location: `/things/${encodeURIComponent(id)}` })
const versioned = (id: string) => ({ Location: `/things/${encodeURIComponent(id)}/versions/7` })
const plain = (id: string) => ({ 'X-Resource-Id': encodeURIComponent(id).replaceAll('%', '_') })

const ways: readonly (readonly [string, Parameters<typeof resource>[0], Parameters<typeof aServer>])[] = [
  ['a Location, and a list', {}, [location]],
  ['a Location, and a read by the id', { operations: byId }, [location]],
  ['a Location, and a read by the name', { operations: byName, lookup: '{ retrieve: byName }' }, [location]],
  ['a Location that each read repeats', { operations: byName, lookup: '{ retrieve: byName }' }, [location, true]],
  ['a segment of a Location', { from: '{ header: Location, path: "/things/{id}/versions/*" }' }, [versioned]],
]

describe.each(ways)('an id in an answer, by %s', (_, words, server) => {
  it('is kept through updates, checks and renames, until the delete', long, async () => {
    await using api = await aServer(...server)
    const it = driveThings(api, resource(words), { a: { name: 'a', size: 1 } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    const idOf = async () => (await loadRecorded(it.deps.store, 'things')).resources[0]?.ids
    expect(await idOf()).toEqual({ id: 'k1/é' })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    for (const size of [2, 3]) {
      it.want({ a: { name: 'a', size } })
      expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
      expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
      expect(await idOf()).toEqual({ id: 'k1/é' })
    }
    expect([...api.state.values()].map((text) => JSON.parse(text) as JsonObject)).toEqual([{ name: 'a', size: 3 }])
    it.want({})
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(api.state.size).toBe(0)
    expect(api.writes().map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /things',
      'PATCH /things/k1%2F%C3%A9',
      'PATCH /things/k1%2F%C3%A9',
      'DELETE /things/k1%2F%C3%A9',
    ])
  })
})

describe('an object whose id no answer contained', () => {
  it('is read by its keys, and gets no command', async () => {
    await using api = await aServer(location)
    const it = driveThings(api, resource({}), { a: { name: 'a', size: 1 } })
    api.state.set('/things/x', '{"name":"a","size":5}')
    const { plan } = await it.check()
    expect(plan.changes).toMatchObject([{ address: 'api_thing.a', blocked: { reason: 'value_missing' } }])
    expect(plan.commands).toEqual([])
  })

  it('stays without an id where the answer names another host', async () => {
    await using api = await aServer((id) => ({ Location: `http://other.test/things/${encodeURIComponent(id)}` }))
    const it = driveThings(api, resource({}), { a: { name: 'a', size: 1 } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect((await loadRecorded(it.deps.store, 'things')).resources[0]?.ids).toBeUndefined()
  })
})

describe('an id in a header', () => {
  const asked = 'https://api.test/v1/things'
  const cases: readonly (readonly [string, string | undefined, string, string?])[] = [
    ['Location', 'a', '/v1/things/a'],
    ['Location', 'a', 'https://api.test/v1/things/a/'],
    ['Location', 'a', 'things/a?x=1#y'],
    ['Location', 'a b', '/v1/things/a%20b'],
    ['Location', undefined, 'https://other.test/things/a'],
    ['Location', undefined, 'https://user:pw@api.test/things/a'],
    ['Location', undefined, '/v1/things/%2e%2e%2F..%00'],
    ['Location', undefined, '/v1/things/%zz'],
    ['Location', undefined, ''],
    ['Location', undefined, '/v1/things/'],
    ['Location', undefined, `/v1/things/${'a'.repeat(1_025)}`],
    ['Location', 'a', '/v1/things/a/status', '/things/{id}/status'],
    ['Location', undefined, '/v1/others/a/status', '/things/{id}/status'],
    ['Location', 'a', '/v1/teams/9/things/a', '/teams/*/things/{id}'],
    ['Location', undefined, '/things', '/teams/*/things/{id}'],
    ['X-Resource-Id', 'a/b', 'a/b'],
    ['X-Resource-Id', undefined, '..'],
    ['X-Resource-Id', 'a', 'https://api.test/x/a', '/x/{id}'],
  ]
  const named = cases.map(([header, expected, text, path]) => ({ header, expected, text, path }))
  it.each(named)('is read: $header says $expected: $text', ({ header, expected, text, path }) => {
    const answer = { status: 201, headers: { [header.toLowerCase()]: text }, body: null }
    expect(idInHeader(answer, { header, ...(path === undefined ? {} : { path }) }, asked)).toBe(expected)
  })
})

describe('the definition of an id in an answer', () => {
  it.each([
    ['another object may get it', { more: ', ids: reused' }, /no read compares id, and another object may get it/],
    ['no create tells it', { produces: '' }, /no answer contains id of the created object/],
    ['its segment is not clear', { from: '{ header: Location, path: "/things/{name}" }' }, /which segment is id/],
    [
      'no item leads to it',
      { lookup: '{ list: {}, match: [name], follow: retrieve }', operations: byId },
      /no item of the list contains id/,
    ],
  ])('is refused where %s', async (_, words, message) => {
    await using api = await aServer(plain)
    const it = driveThings(api, resource(words), { a: { name: 'a', size: 1 } })
    await expect(it.check()).rejects.toThrow(message)
    await expect(it.check()).rejects.toThrow(/api\.provider\.yaml:\d+:\d+/)
    expect(api.received).toEqual([])
  })
})

describe('a secret in a header', () => {
  it('is not used as an id, and is in no record and no ledger', async () => {
    const secret = 's3cret-value-1'
    await using api = await aServer(() => ({ Location: `/things/${secret}` }))
    const document = resource({}).replace('name: {},', 'name: {}, pin: { writeOnly: true, sensitive: true },')
    const it = driveThings(api, document, { a: { name: 'a', size: 1, pin: { secret: 'env:PIN' } } })
    it.secrets['env:PIN'] = secret
    await it.apply((await it.check()).digest)
    expect(api.writes()).toHaveLength(1)
    const { resources } = await loadRecorded(it.deps.store, 'things')
    expect(resources).toHaveLength(1)
    const kept = [resources, await it.ledger()]
    expect(JSON.stringify(kept)).not.toContain(secret)
  })
})
