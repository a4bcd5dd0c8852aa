import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/* Values that no read shows, in an element that is written by itself: they go along as they are configured, or are named before. */

const all =
  'pin: { writeOnly: true }, spec: { type: object, attributes: { a: { type: number }, pin: { writeOnly: true } } }'
const inner = all.slice(all.indexOf('spec'))

const documentOf = (change: string, element: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: /things }
  add: { method: POST, path: "/things/{name}/items/{el.k}" }
  ${change === '' ? '' : `change: { path: "/things/{name}/items/{el.k}", method: ${change} }`}
  drop: { method: DELETE, path: "/things/{name}/items/{el.k}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - { name: main, read: retrieve, attributes: { name: { immutable: true } } }
  - name: items
    read: retrieve
    collection:
      field: items
      key: [k]
      element: { k: {}, ${element} }
      write: { each: { create: add, update: ${change === '' ? 'add' : 'change'}, remove: drop } }
`

interface Hidden extends JsonObject {
  readonly pin?: string
}

/** A PATCH merges the members of the element alone; all else replaces it. No answer shows a pin. */
const route: ThingsOptions['route'] = ({ method, url, body }, state) => {
  const { name, item } = JSON.parse(state.get('/things/x') ?? '') as { name: string; item?: JsonObject }
  if (method !== 'GET') {
    const sent = JSON.parse(body) as JsonObject
    const next = method === 'PATCH' ? { ...item, ...sent } : { k: 'a', ...sent }
    state.set('/things/x', JSON.stringify({ name, item: next }))
    return { status: 200, body: '{}' }
  }
  if (item === undefined) return { status: 200, body: JSON.stringify({ name, items: [] }) }
  const { pin: _, spec, ...shown } = item
  const { pin: __, ...inner } = spec as Hidden
  return { status: url === '/things/x' ? 200 : 404, body: JSON.stringify({ name, items: [{ ...shown, spec: inner }] }) }
}

type Pins = readonly [outer: string | undefined, inner: string | undefined]

const story = async (change: string, element: string, isConfigured: boolean) => {
  await using server = await startThings({ route })
  server.state.set('/things/x', '{"name":"x"}')
  const own = (isThere: boolean): JsonObject => ({
    k: 'a',
    ...(isThere && element.startsWith('pin') && { pin: '1' }),
    spec: { a: 9, ...(isThere && { pin: '2' }) },
  })
  const drive = driveThings(server, documentOf(change, element), { x: { name: 'x', items: [own(true)] } })
  expect((await drive.apply((await drive.check()).digest)).status).toBe('succeeded')
  const made = server.state.get('/things/x') ?? ''
  const before = made.replace('"a":9', '"a":1,"b":2')
  server.state.set('/things/x', before)
  drive.want({ x: { name: 'x', items: [own(isConfigured)] } })
  const { plan, digest } = await drive.check()
  const { id, status } = await drive.apply(digest)
  expect(status).toBe('succeeded')
  const { item } = JSON.parse(server.state.get('/things/x') ?? '') as { item: Hidden & { spec: Hidden } }
  const [{ grade, loses = [] } = {}] = plan.commands
  const pins: Pins = [item.pin, item.spec.pin]
  const isBack = grade !== 'reversible' || ((await drive.undo(id)) && server.state.get('/things/x') === before)
  return { grade, loses: loses.filter((each) => each.endsWith('pin')).toSorted(), pins, isBack }
}

const [outerPlace, innerPlace] = ['/items/*/pin', '/items/*/spec/pin']

describe('a value that no read shows in an element', () => {
  eachOf(
    it,
    1,
  )<[string, string, string, string | undefined]>([
    ['all of it', 'PATCH', all, '1'],
    ['what differs', 'PATCH, body: "{changed}"', all, '1'],
    ['an object by its name', 'PATCH, body: { spec: "{el.spec}" }', inner, undefined],
    ['a PUT of all of it', 'PUT', inner, undefined],
  ])('goes along, or is named where the object around it is replaced: %s', async (_, change, element, outer) => {
    const there = await story(change, element, true)
    expect(there).toEqual({ grade: 'reversible', loses: [], pins: [outer, '2'], isBack: true })
    const none = await story(change, element, false)
    expect(none).toEqual({ grade: 'lossy', loses: [innerPlace], pins: [outer, undefined], isBack: true })
  })

  it.each<[string, string, string, boolean, readonly string[], Pins]>([
    ['a PUT', 'PUT', all, false, [outerPlace, innerPlace], [undefined, undefined]],
    ['a PUT of what differs', 'PUT, body: "{changed}"', all, true, [outerPlace], [undefined, '2']],
    ['what also creates', '', all, false, [outerPlace, innerPlace], [undefined, undefined]],
  ])('is named where the body has none: %s', async (_, change, element, isConfigured, loses, pins) => {
    const told = await story(change, element, isConfigured)
    expect(told).toMatchObject({ grade: 'lossy', loses, pins })
  })
})
