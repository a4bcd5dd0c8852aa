import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { probing } from '../../../builders/workspaces/probing.ts'

/* Servers whose answers are not where the document looks: what a probe says of it is written into the document, and then all is found. */

interface Habits {
  /** Around one object, around the list, around the answer to a create. */
  readonly one: (object: Json) => Json
  readonly many: (objects: readonly Json[]) => Json
  readonly created: (object: Json) => Json
  readonly location?: boolean
}

const bare: Habits = { one: (object) => object, many: (objects) => [...objects], created: (object) => object }

const serverOf = async ({ one, many, created, location }: Habits) => {
  const objects = new Map<string, JsonObject>()
  let count = 0
  const server = await aLoopback((request, response) => {
    const sent = JSON.parse(server.seen.at(-1)?.body || '{}') as JsonObject
    const id = (request.url ?? '').split('?')[0]?.split('/')[2]
    const answer = (status: number, body: Json, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(status === 204 ? undefined : JSON.stringify(body))
    }
    if (request.method === 'POST') {
      count += 1
      const made = { id: `n-${count}`, ...sent }
      objects.set(made.id, made)
      return answer(201, created(made), location ? { location: `/things/n-${count}` } : {})
    }
    if (id === undefined) return answer(200, many([...objects.values()]))
    const found = objects.get(id)
    if (found === undefined) return answer(404, {})
    if (request.method === 'DELETE') {
      objects.delete(id)
      return answer(204, null)
    }
    if (request.method === 'PATCH') objects.set(id, { ...found, ...sent })
    return answer(200, one(objects.get(id) ?? {}))
  })
  return { server, objects }
}

// biome-ignore lint/suspicious/noExplicitAny: a document is written into without ceremony
type Tree = Record<string, any>

const documentFor = (baseUrl: string): Tree => ({
  provider: { id: 'api', baseUrl, pagination: { style: 'none' }, reads: { absent: [404] } },
  resources: {
    api_thing: {
      operations: {
        list: { method: 'GET', path: '/things' },
        retrieve: { method: 'GET', path: '/things/{id}' },
        create: { method: 'POST', path: '/things', produces: { id: 'id' } },
        update: { method: 'PATCH', path: '/things/{id}' },
        delete: { method: 'DELETE', path: '/things/{id}' },
      },
      identity: { keys: ['name'] },
      lookup: { list: {}, match: ['name'] },
      serverId: { id: 'id' },
      discover: { op: 'list' },
      parts: [
        {
          name: 'main',
          read: 'retrieve',
          write: { op: 'update' },
          attributes: { name: { required: true, immutable: true }, id: { computed: true }, note: { leftOut: true } },
        },
      ],
    },
  },
})

/** Writes what each advice says where it says so; the advices. */
const follow = (document: Tree, said: string): readonly string[] => {
  const advices = [...said.matchAll(/write `(.+?)` under ([\w.]+)(?: and under ([\w.]+))?/g)]
  for (const [, text = '', ...places] of advices) {
    for (const place of places) {
      const at = place?.split('.').reduce((around: Tree, step: string) => around[step], document['resources'].api_thing)
      if (at !== undefined) Object.assign(at, parse(text))
    }
  }
  return advices.map(([, text = '']) => text)
}

/** Probes and follows until nothing is advised. */
const settle = async (habits: Habits) => {
  const { server, objects } = await serverOf(habits)
  await using _ = server
  const document = documentFor(server.url)
  const followed: string[] = []
  let [left, told] = [0, '']
  for (;;) {
    const report = await probing(JSON.stringify(document))
    left += report.left.length
    told += JSON.stringify(report.skipped)
    const advices = follow(document, JSON.stringify(report.skipped).replaceAll('\\"', '"'))
    if (advices.length === 0 || followed.length > 6) return { report, followed, told, left, objects }
    followed.push(...advices)
  }
}

describe('the advice of a probe about places in answers', () => {
  eachOf(
    it,
    1,
  )<[string, Partial<Habits>, readonly string[]]>([
    ['nothing is around them', {}, []],
    ['data', { one: (data) => ({ data }) }, ['answer: data']],
    ['result.item', { one: (item) => ({ result: { item }, ok: true }) }, ['answer: result.item']],
    ['a member with a dot', { one: (item) => ({ 'a.b': item }) }, ['answer: /a.b']],
    ['items', { many: (items) => ({ items: [...items], total: 1 }) }, ['items: items']],
    ['a list in data.items', { many: (items) => ({ data: { items: [...items] } }) }, ['items: data.items']],
    [
      'both',
      { one: (data) => ({ data }), many: (data) => ({ data: [...data] }), created: (data) => ({ data }) },
      ['items: data', 'answer: data', 'produces: { id: data.id }'],
    ],
    [
      'Location alone',
      { one: (data) => ({ data }), created: () => ({}), location: true },
      ['answer: data', 'produces: { id: { header: Location } }'],
    ],
  ])('finds everything when it is followed: %s', async (_, habits, expected) => {
    const { report, followed, left, objects } = await settle({ ...bare, ...habits })
    expect(followed).toEqual(expected)
    expect(report).toMatchObject({ findings: [], skipped: [], left: [] })
    // What cannot be read cannot be taken away either, and that was said.
    expect(objects.size).toBe(left)
  })

  it('names that neither the body nor Location contains an id', long, async () => {
    const { told, report } = await settle({ ...bare, one: (data) => ({ data }), created: () => ({}) })
    expect(told).toContain('remove `produces`, then a new object is found by its keys')
    expect(report).toMatchObject({ findings: [{ code: 'wrongIds' }], skipped: [] })
  })

  it('names a wrong place in `produces` where the list finds the object all the same', long, async () => {
    const nothing = await settle({ ...bare, created: () => ({}) })
    expect(nothing.report.findings).toMatchObject([
      { code: 'wrongIds', message: expect.stringContaining('remove `produces`') },
    ])
    const elsewhere = await settle({ ...bare, created: (zone) => ({ zone }) })
    expect(elsewhere.report.findings).toMatchObject([
      {
        code: 'wrongIds',
        message: expect.stringContaining('write `produces: { id: zone.id }` under operations.create'),
      },
    ])
  })

  it('names what no document can express', async () => {
    const { told } = await settle({ ...bare, created: () => ({}), many: (all) => all.map((zone) => ({ zone })) })
    expect(told).toContain('each item of its list has the object in zone: a document cannot express that')
  })
})
