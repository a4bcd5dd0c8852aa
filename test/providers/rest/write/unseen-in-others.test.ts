import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/* Values that no read shows, of another part of the same object: a write of the whole object names them, and sends no mask back. */

const others = {
  'an attribute': '{ name: other, read: retrieve, write: { op: update }, attributes: { pin: { writeOnly: true } } }',
  'a collection': `{ name: other, read: retrieve, collection: { field: l, key: [k], element: { k: {}, pin: { writeOnly: true } },
      write: { op: set, body: "{all}" } } }`,
} as const

const documentOf = (method: string, write: string, other: keyof typeof others): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
  set: { method: PUT, path: "/things/{name}/l" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - { name: main, read: retrieve, write: { ${write} }, attributes: { name: { immutable: true }, a: { type: number } } }
  - ${others[other]}
`

interface Thing extends JsonObject {
  readonly pin: string
  readonly l: JsonObject[]
}

/** Answers show a mask in the place of each pin, or nothing. */
const hidden =
  (mask: JsonObject): NonNullable<ThingsOptions['route']> =>
  ({ method, url }, state) => {
    const there = state.get(url)
    if (method !== 'GET' || there === undefined) return undefined
    const { pin: _, l, ...shown } = JSON.parse(there) as Thing
    const list = l.map(({ pin: __, ...each }) => ({ ...each, ...mask }))
    return { status: 200, body: JSON.stringify({ ...shown, ...mask, l: list }) }
  }

const writes = [
  ['PUT', 'op: update'],
  ['POST', 'op: create'],
  ['PUT', 'op: update, send: object'],
] as const
const kinds = Object.keys(others) as (keyof typeof others)[]

eachOf(
  it,
  7,
)(
  writes.flatMap(([method, write]) =>
    kinds.flatMap((kind) => [{}, { pin: '****' }].map((mask) => [method, write, kind, mask] as const)),
  ),
)('what another part hides is named: %s, %s, %s, %j', async (method, write, kind, mask) => {
  await using server = await startThings({ route: hidden(mask) })
  server.state.set('/things/x', '{"name":"x","a":1,"q":1,"pin":"s","l":[{"k":"a","pin":"s"}]}')
  const drive = driveThings(server, documentOf(method, write, kind), { x: { name: 'x', a: 9 } })
  const { plan, digest } = await drive.check()
  expect((await drive.apply(digest)).status).toBe('succeeded')
  const left = JSON.parse(server.state.get('/things/x') ?? '') as Thing
  expect(plan.commands.map(({ grade, loses }) => ({ grade, loses }))).toEqual([
    { grade: 'lossy', loses: [kind === 'an attribute' ? '/pin' : '/l/*/pin'] },
  ])
  expect(left).toMatchObject({ a: 9, q: 1 })
  expect(kind === 'an attribute' ? left : left.l[0]).not.toHaveProperty('pin')
})
