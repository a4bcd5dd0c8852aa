import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Whatever the form of a value is: what differs after a write is what the plan shows, and nothing else. */

// biome-ignore lint/suspicious/noExplicitAny: the state of a server is any JSON.
type Thing = any

const resource = (method: string, send: string, attributes: string) => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes: { name: { required: true }, ${attributes} }
`
const run = async (text: string, before: JsonObject, spec: JsonObject) => {
  await using server = await startThings()
  server.state.set('/things/a', JSON.stringify({ name: 'a', ...before }))
  const drive = driveThings(server, text, { a: { name: 'a', ...spec } })
  const { status, outcomes } = await drive.apply((await drive.check()).digest)
  const { inSync } = (await drive.check()).plan
  return { after: JSON.parse(server.state.get('/things/a') ?? '') as JsonObject, status, outcomes, inSync }
}

const sends = [
  ['PATCH', 'changed'],
  ['PUT', 'full'],
  ['PUT', 'object'],
  ['PATCH', 'mergePatch'],
  ['PATCH', 'jsonPatch'],
] as const

// biome-ignore format: one table
const cases: readonly [string, string, JsonObject, JsonObject, (thing: Thing) => void][] = [
  ['deep objects', 'o: { type: object, attributes: { p: { type: object, attributes: { q: { type: object, attributes: { r: {} } } } } } }', { o: { x: 1, p: { x: 2, q: { x: 3, r: 'a' } } } }, { o: { p: { q: { r: 'b' } } } }, (b) => { b.o.p.q.r = 'b' }],
  ['marks', 'l: { type: list, element: { type: object, attributes: { v: { type: number } } } }', { l: [{ v: 1, $secret: 'env:X', y: { $ref: 'z' } }, { v: 2, $after: 'a' }] }, { l: [{ v: 1 }, { v: 3 }] }, (b) => { b.l[1].v = 3 }],
  ['nulls', 'l: { type: list, element: { type: object, attributes: { v: { type: number }, w: {} } } }', { l: [{ v: 1, w: null, n: null, e: [], o: {} }] }, { l: [{ v: 2 }] }, (b) => { b.l[0].v = 2 }],
  ['case keys', 's: { type: set, key: [n], element: { type: object, attributes: { n: { normalise: [lower] }, v: { type: number } } } }', { s: [{ n: 'AbC', v: 1, x: 9 }] }, { s: [{ n: 'abc', v: 2 }] }, (b) => { b.s[0].v = 2 }],
  ['path inside', 's: { type: set, key: [n], element: { type: object, attributes: { n: { path: meta.id, send: meta.id }, v: { type: number } } } }', { s: [{ meta: { id: 'k', z: 1 }, v: 1, x: 9 }] }, { s: [{ n: 'k', v: 2 }] }, (b) => { b.s[0].v = 2 }],
  ['renamed', 's: { type: set, key: [n], element: { type: object, attributes: { n: { path: key, send: key }, v: { type: number } } } }', { s: [{ key: 'k', v: 1, x: 9 }] }, { s: [{ n: 'k', v: 2 }] }, (b) => { b.s[0].v = 2 }],
  ['map of objects', 'm: { type: map, element: { type: object, attributes: { v: { type: number } } } }', { m: { k: { v: 1, x: 1 }, l: { v: 1, x: 2 } } }, { m: { k: { v: 2 }, l: { v: 1 } } }, (b) => { b.m.k.v = 2 }],
  ['map declared', 'm: { type: map, manage: declared, element: {} }', { m: { k: 'a', other: 'b' } }, { m: { k: 'c' } }, (b) => { b.m.k = 'c' }],
  ['nested lists', 'l: { type: set, key: [n], element: { type: object, attributes: { n: {}, p: { type: list, element: { type: object, attributes: { q: { type: number } } } } } } }', { l: [{ n: 'a', p: [{ q: 1, x: 1 }, { q: 2, x: 2 }], x: 3 }] }, { l: [{ n: 'a', p: [{ q: 1 }, { q: 2 }, { q: 3 }] }] }, (b) => { b.l[0].p.push({ q: 3 }) }],
  ['numbers', 'l: { type: list, element: { type: object, attributes: { v: { type: number } } } }', { l: [{ v: 1, big: 1.5, e: 1e21 }] }, { l: [{ v: 2 }] }, (b) => { b.l[0].v = 2 }],
  ['names', 's: { type: set, key: [n], element: { type: object, attributes: { n: {}, v: { names: { on: 1, off: 0 } } } } }', { s: [{ n: 'a', v: 0, x: 1 }] }, { s: [{ n: 'a', v: 'on' }] }, (b) => { b.s[0].v = 1 }],
  ['base64', 's: { type: set, key: [n], element: { type: object, attributes: { n: {}, v: { encoding: base64 } } } }', { s: [{ n: 'a', v: 'YQ==', x: 1 }] }, { s: [{ n: 'a', v: 'b' }] }, (b) => { b.s[0].v = 'Yg==' }],
  ['pairs', 'm: { type: map, pairs: { key: k, value: v }, element: {} }', { m: [{ k: 'a', v: '1', x: 1 }, { k: 'b', v: '1', x: 2 }] }, { m: { a: '2', b: '1' } }, (b) => { b.m[0].v = '2' }],
  ['sensitive', 's: { type: set, key: [n], element: { type: object, attributes: { n: {}, v: {}, p: { sensitive: true } } } }', { s: [{ n: 'a', v: '0', p: 'hunter2hunter2', x: 1 }] }, { s: [{ n: 'a', v: '1' }] }, (b) => { b.s[0].v = '1' }],
]

/** With `changed`, a list of pairs has those that differ: docs/provider-writes.md. */
const fits = (send: string, name: string): boolean => send !== 'changed' || name !== 'pairs'

describe.each(sends)('a write by %s, send: %s', (method, send) => {
  eachOf(it, 3)(cases.filter(([name]) => fits(send, name)))(
    'changes only what the plan shows: %s',
    async (_, attributes, before, spec, change) => {
      const expected = structuredClone({ name: 'a', ...before })
      change(expected)
      const { after, ...rest } = await run(resource(method, send, attributes), before, spec)
      expect(rest).toMatchObject({ status: 'succeeded', inSync: true })
      expect(after).toEqual(expected)
    },
  )
})
