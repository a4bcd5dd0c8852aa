import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/* A body may have a value at another place than answers: what was read around it goes along there, in elements as in parts. */

const memberOf = (attributes: string, method: string, body: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: /things }
  add: { method: POST, path: "/things/{name}/items/{el.k}" }
  change: { method: ${method}, path: "/things/{name}/items/{el.k}"${body === '' ? '' : `, body: ${body}`} }
  drop: { method: DELETE, path: "/things/{name}/items/{el.k}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - { name: main, read: retrieve, attributes: { name: { immutable: true } } }
  - name: items
    read: retrieve
    collection:
      { field: items, key: [k], element: { k: {}, ${attributes} }, write: { each: { create: add, update: change, remove: drop } } }
`

const partOf = (attributes: string, method: string, body: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: /things }
  change: { method: ${method}, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: change${body === '' ? '' : `, body: ${body}`} }
    attributes: { name: { immutable: true }, ${attributes} }
`

/** It takes `options` and `more`, and shows both as `spec`; a PATCH merges the top level alone. */
const shown = (there: JsonObject, method: string, { options, more, ...sent }: JsonObject): JsonObject => {
  const own = options === undefined ? {} : { spec: { ...(options as JsonObject), ...(more as JsonObject | undefined) } }
  return method === 'PATCH' ? { ...there, ...sent, ...own } : { ...sent, ...own }
}

const route: ThingsOptions['route'] = ({ method, url, body }, state) => {
  if (method === 'GET') return undefined
  const thing = JSON.parse(state.get('/things/x') ?? '') as { items?: JsonObject[] } & JsonObject
  const sent = JSON.parse(body) as JsonObject
  const [first = {}] = thing.items ?? []
  const next: Json = url.includes('/items/')
    ? { ...thing, items: [{ k: 'a', ...shown(first, method, sent) }] }
    : { name: 'x', ...shown(thing, method, sent) }
  state.set('/things/x', JSON.stringify(next))
  return { status: 200, body: '{}' }
}

const own = { spec: { a: 1, b: 2, c: { d: 3 } }, w: 5 }

const story = async (isMember: boolean, attributes: string, method: string, body: string, values: JsonObject) => {
  await using server = await startThings({ route })
  const placed = (given: JsonObject): JsonObject =>
    isMember ? { name: 'x', items: [{ k: 'a', ...given }] } : { name: 'x', ...given }
  const there = JSON.stringify(placed(own))
  server.state.set('/things/x', there)
  const document = (isMember ? memberOf : partOf)(attributes, method, body)
  const drive = driveThings(server, document, { x: placed(values) })
  const { plan, digest } = await drive.check()
  const { id, status } = await drive.apply(digest)
  expect(status).toBe('succeeded')
  const left = JSON.parse(server.state.get('/things/x') ?? '') as JsonObject
  const [{ grade, loses } = {}] = plan.commands
  const isBack = grade !== 'reversible' || ((await drive.undo(id)) && server.state.get('/things/x') === there)
  const [element] = (left['items'] ?? [left]) as JsonObject[]
  return { grade, loses, isBack, spec: element?.['spec'], w: element?.['w'] }
}

const a = 'a: { type: number, path: spec.a, send: options.a }'
const o = 'o: { type: object, path: spec, send: options, attributes: { a: { type: number } } }'
const elements: readonly (readonly [string, string, JsonObject, string])[] = [
  ['a value', a, { a: 9 }, ''],
  ['an object', o, { o: { a: 9 } }, ''],
  ['an object of what differs', o, { o: { a: 9 } }, '"{changed}"'],
  ['an object by its name', o, { o: { a: 9 } }, '{ options: "{el.o}" }'],
  ['an object by its place', o, { o: { a: 9 } }, '{ options: "{el.options}" }'],
]

describe('what was read around a value that a body has elsewhere', () => {
  const parts = elements.slice(0, 2)
  const all = [true, false].flatMap((isMember) =>
    (isMember ? elements : parts).map((each) => [isMember ? 'element' : 'part', ...each] as const),
  )

  eachOf(it, 3)(all)('goes along in a PATCH: %s, %s', async (kind, _, attributes, values, body) => {
    const told = await story(kind === 'element', attributes, 'PATCH', body, values)
    expect(told).toEqual({
      grade: 'reversible',
      loses: undefined,
      isBack: true,
      spec: { a: 9, b: 2, c: { d: 3 } },
      w: 5,
    })
  })

  it.each(all)('goes along in a PUT, which names the others: %s, %s', async (kind, _, attributes, values, body) => {
    const told = await story(kind === 'element', attributes, 'PUT', body, values)
    const loses = kind === 'element' ? ['/items/*/w'] : ['/w']
    expect(told).toMatchObject({ grade: 'lossy', loses, spec: { a: 9, b: 2, c: { d: 3 } } })
    expect(told).toHaveProperty('w', undefined)
  })

  it.each(['element', 'part'])('is not what the body has in a third place: %s', async (kind) => {
    const attributes = `${a}, b: { type: number, path: spec.b, send: more.b }`
    const told = await story(kind === 'element', attributes, 'PUT', '', { a: 9, b: 8 })
    expect(told.spec).toEqual({ a: 9, b: 8, c: { d: 3 } })
  })
})
