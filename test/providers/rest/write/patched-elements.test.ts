import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/* What the write of one element has in the place of an object inside of it, or leaves out, is sent back or named before. */

const documentOf = (change: string, element: string, more: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: /things }
  add: { method: POST, path: "/things/{name}/items/{el.k}" }
  change: { ${change} }
  drop: { method: DELETE, path: "/things/{name}/items/{el.k}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - { name: main, read: retrieve, attributes: { name: { immutable: true } } }
  - name: items
    read: retrieve
    collection:
      { field: items, key: [k], element: { k: {}, ${element} }, write: { each: { create: add, update: change, remove: drop }${more} } }
`

/** A PATCH merges the members of the element alone; all else replaces it, or the member that the path names. */
const routeOf =
  (keeps: boolean): NonNullable<ThingsOptions['route']> =>
  ({ method, url, body }, state) => {
    const [, , , , key, below] = url.split('/')
    if (key === undefined) return undefined
    const thing = JSON.parse(state.get('/things/x') ?? '') as { items: JsonObject[] }
    const sent = JSON.parse(body) as JsonObject
    const items = thing.items.map((each) => {
      if (each['k'] !== key) return each
      if (below !== undefined) return { ...each, [below]: sent }
      return method === 'PATCH' || keeps ? { ...each, ...sent } : { k: key, ...sent }
    })
    state.set('/things/x', JSON.stringify({ ...thing, items }))
    return { status: 200, body: '{}' }
  }

const there = { k: 'a', spec: { a: 1, b: 2, c: { d: 3 } }, w: 5 }

const applied = async (change: string, element: string, member: JsonObject, { keeps = false } = {}) => {
  await using server = await startThings({ route: routeOf(keeps) })
  server.state.set('/things/x', JSON.stringify({ name: 'x', items: [there] }))
  const spec = { x: { name: 'x', items: [{ k: 'a', ...member }] } }
  const drive = driveThings(server, documentOf(change, element, keeps ? ', keeps: true' : ''), spec)
  const { plan, digest } = await drive.check()
  const { status } = await drive.apply(digest)
  expect(status).toBe('succeeded')
  const { items } = JSON.parse(server.state.get('/things/x') ?? '') as { items: JsonObject[] }
  return { left: items[0], told: plan.commands.map(({ loses, grade }) => ({ loses, grade })) }
}

const patch = 'method: PATCH, path: "/things/{name}/items/{el.k}"'
const a = 'a: { type: number, path: spec.a }'
const spec = 'spec: { type: object, attributes: { a: { type: number } } }'
const rest = ['/items/*/spec/b', '/items/*/spec/c/d']

describe('the write of one element', () => {
  it.each<[string, string, string, JsonObject, readonly string[]]>([
    ['an object of its own', `${patch}, body: { spec: { a: "{el.a}" } }`, a, { a: 9 }, rest],
    ['members that differ', `${patch}, body: { spec: "{changed}" }`, a, { a: 9 }, rest],
    ['members beside others', `${patch}, body: { spec: { "...": "{changed}" } }`, a, { a: 9 }, rest],
    ['an attribute in parts', `${patch}, body: { spec: { a: "{el.spec.a}" } }`, spec, { spec: { a: 9 } }, rest],
    [
      'a place below',
      'method: PUT, path: "/things/{name}/items/{el.k}/spec", body: { a: "{el.a}" }',
      a,
      { a: 9 },
      rest,
    ],
    [
      'what differs of all of it',
      'method: PUT, path: "/things/{name}/items/{el.k}", body: "{changed}"',
      'spec: { type: any, leftOut: true }, w: { type: number }',
      { w: 9 },
      ['/items/*/spec/a', ...rest],
    ],
  ])('names what it replaces: %s', async (_, change, element, member, loses) => {
    const { left, told } = await applied(change, element, member)
    expect(told).toEqual([{ loses, grade: 'lossy' }])
    expect(JSON.stringify(left)).not.toContain('"b":2')
  })

  it.each<[string, string, string, JsonObject]>([
    ['all that was read of an attribute', `${patch}, body: { spec: "{el.spec}" }`, spec, { spec: { a: 9 } }],
    ['all of the element', patch, 'a: { type: number, path: spec.a, send: spec.a }', { a: 9 }],
  ])('loses nothing: %s', async (_, change, element, member) => {
    const { left, told } = await applied(change, element, member)
    expect(told).toEqual([{ loses: undefined, grade: 'reversible' }])
    expect(left).toEqual({ ...there, spec: { ...there.spec, a: 9 } })
  })

  it('loses nothing in a format that says what it keeps', async () => {
    const merged = `${patch}, contentType: application/merge-patch+json, body: { spec: { a: "{el.a}" } }`
    expect((await applied(merged, a, { a: 9 })).told).toEqual([{ loses: undefined, grade: 'reversible' }])
  })

  it.each([', body: "{changed}"', ', body: { w: "{el.w}", spec: "{el.spec}" }', ''])(
    'loses nothing where the target keeps what a PUT leaves out: %s',
    async (body) => {
      const change = `method: PUT, path: "/things/{name}/items/{el.k}"${body}`
      const members = `${spec}, w: { type: number }`
      const { told, left } = await applied(change, members, { spec: { a: 9 } }, { keeps: true })
      expect(told).toEqual([{ loses: undefined, grade: 'reversible' }])
      expect(left).toEqual({ ...there, spec: { ...there.spec, a: 9 } })
    },
  )
})
