import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* What stands around the place of an attribute may be another value than the document says: nothing is written over it. */

const documentOf = (method: string, write: string, attribute: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  api_box:
    operations:
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      update: { method: ${method}, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, ${write} }
        attributes: { name: { in: path }, tag: ${attribute} }
`

const url = '/boxes/b'

/** What is there after an apply, and what a check said before. */
const story = async (document: string, there: JsonObject) => {
  await using server = await startThings()
  server.state.set(url, JSON.stringify(there))
  const drive = driveDocument(server, document, [{ type: 'api_box', name: 'b', spec: { name: 'b', tag: 'new' } }])
  const { plan, digest } = await drive.check()
  if (plan.commands.length > 0) await drive.apply(digest)
  const [change] = plan.changes
  return { plan, blocked: change?.blocked?.detail, after: JSON.parse(server.state.get(url) ?? 'null') as Json }
}

const ways = [
  ['PUT', 'send: full'],
  ['PUT', 'send: changed'],
  ['PUT', 'send: object'],
  ['PATCH', 'send: changed'],
  ['PATCH', 'send: mergePatch'],
  ['PATCH', 'send: jsonPatch'],
] as const

describe.each(ways)('by %s, %s', (method, send) => {
  it.each<[string, Json]>([
    ['a text', 'registry/nginx:7'],
    ['a number', 7],
    ['a list', ['x', { of: 'others' }]],
  ])('where an object should be around an attribute, %s is no value of it, and stays', async (_, image) => {
    const there = { name: 'b', image }
    const { plan, after } = await story(documentOf(method, send, '{ path: image.tag, leftOut: true }'), there)
    expect(plan.commands).toEqual([])
    expect(plan.unchecked).toMatchObject([{ address: 'api_box.b', reason: 'bad_body' }])
    expect(after).toEqual(there)
  })

  it('where an object should be around an attribute, null or nothing is no obstacle', async () => {
    for (const there of [{ name: 'b', image: null }, { name: 'b' }]) {
      const { plan } = await story(documentOf(method, send, '{ path: image.tag, leftOut: true }'), there)
      expect(plan.unchecked).toEqual([])
    }
  })

  it('an element of a list by its place changes alone, or the request is refused', async () => {
    const there = { name: 'b', items: [{ tag: 'old', z: 1 }, { tag: 'other' }] }
    const { blocked, after } = await story(documentOf(method, send, '{ path: items.0.tag, send: items.0.tag }'), there)
    if (send === 'send: object' || send === 'send: jsonPatch') {
      expect(after).toEqual({ name: 'b', items: [{ tag: 'new', z: 1 }, { tag: 'other' }] })
      return
    }
    expect(blocked).toContain('would replace the whole list')
    expect(after).toEqual(there)
  })
})
