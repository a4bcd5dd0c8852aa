import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { urlWords } from '../../../../core/engine/values/url.ts'
import type { Entries } from '../../../../core/providers/rest/document/attributes.ts'
import { type Edit, editsOf } from '../../../../core/providers/rest/write/values/edits.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/** One resource with one part, written in the way that is given. */
const documentOf = (write: string, { update = 'PATCH', more = '' } = {}): string =>
  `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${update}, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
${more}
parts:
  - name: main
    read: retrieve
    write: { op: update, ${write} }
    attributes:
      name: { in: path }
      title: { path: display/title, send: display/title }
      size: { type: number }
      gone: {}
      tags: { type: set, element: {} }
      labels: { type: map, element: {}, ignoreKeys: ["sys/*"] }
      deep: { type: any }
      loose: { type: any, partial: true }
      spec: { type: object, leftOut: true, attributes: { a: {}, b: { path: inner.b, send: inner.b } } }
`.replaceAll('display/title', '/display/ti~1tle')

const before: JsonObject = {
  display: { 'ti/tle': 'old' },
  size: 1,
  gone: 'here',
  tags: ['a'],
  labels: { keep: '1', drop: '2', 'sys/x': '3' },
  deep: { a: { b: 1, c: 2 }, d: [1] },
  loose: { a: { b: 1, mine: true }, l: [1, 2] },
  unnamed: { secret: 'never-shown' },
}
const wanted: JsonObject = {
  name: 'x',
  title: 'new',
  size: 2,
  gone: null,
  tags: [],
  labels: { keep: '1', 'a/b': '4' },
  deep: { a: { b: 5 }, d: [1] },
  loose: { a: { b: 7 }, l: [2] },
  spec: { a: 'A', b: 'B' },
}
const after: JsonObject = {
  display: { 'ti/tle': 'new' },
  size: 2,
  tags: [],
  labels: { keep: '1', 'a/b': '4', 'sys/x': '3' },
  deep: { a: { b: 5 }, d: [1] },
  loose: { a: { b: 7, mine: true }, l: [2] },
  unnamed: { secret: 'never-shown' },
  spec: { a: 'A', inner: { b: 'B' } },
}

const open = async (document: string, options: ThingsOptions = {}, spec: Json = wanted) => {
  const server = await startThings(options)
  server.state.set('/things/x', JSON.stringify(before))
  return {
    server,
    drive: driveThings(server, document, { x: spec }),
    now: () => JSON.parse(server.state.get('/things/x') ?? 'null') as Json,
  }
}

const patches = {
  object: { document: documentOf('send: object', { update: 'PUT' }), type: 'application/json' },
  jsonPatch: { document: documentOf('send: jsonPatch'), type: 'application/json-patch+json' },
  mergePatch: { document: documentOf('send: mergePatch'), type: 'application/merge-patch+json' },
}

describe.each(Object.entries(patches))('a write with send: %s', (send, { document, type }) => {
  it('makes the desired object of the existing one, and every listed change arrives', async () => {
    const { server, drive, now } = await open(document)
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands).toHaveLength(1)
    expect(await drive.apply(digest, 'check')).toMatchObject({ status: 'succeeded' })
    expect(server.writes()).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(now()).toEqual(after)
    expect(server.writes()).toHaveLength(1)
    expect(server.writes()[0]?.headers['content-type']).toBe(type)
    if (send !== 'object') expect(server.lines()[0]?.[1]).toEqual(plan.commands[0]?.request.body)
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(JSON.stringify([plan, await drive.ledger()])).not.toContain('never-shown')
  })

  it('has an inverse that restores everything', async () => {
    const { server, drive, now } = await open(document)
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands[0]).toMatchObject({ grade: 'reversible' })
    await drive.apply(digest)
    const { inverse } = plan.commands[0] ?? {}
    if (send === 'object') return
    await fetch(urlWords(inverse?.url ?? ''), {
      method: inverse?.method ?? '',
      headers: inverse?.headers ?? {},
      body: JSON.stringify(inverse?.body),
    })
    // An object that was made on the way stays, empty.
    expect({ ...(now() as JsonObject), spec: undefined }).toEqual({ ...before, spec: undefined })
  })

  it('notices a change in between', async () => {
    const { server, drive } = await open(document)
    await using _ = server
    const { digest } = await drive.check()
    server.state.set('/things/x', JSON.stringify({ ...before, size: 9 }))
    expect(await drive.apply(digest)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(server.writes()).toEqual([])
  })
})

describe('the smallest patch', () => {
  it('with RFC 6902 replaces existing members, adds others, creates parents and escapes pointers', async () => {
    const { server, drive } = await open(patches.jsonPatch.document)
    await using _ = server
    const body = (await drive.check()).plan.commands[0]?.request.body as { path: string }[]
    expect(body.toSorted((left, right) => order(left.path, right.path))).toEqual(
      [
        { op: 'replace', path: '/deep/a/b', value: 5 },
        { op: 'remove', path: '/deep/a/c' },
        { op: 'remove', path: '/gone' },
        { op: 'add', path: '/labels/a~1b', value: '4' },
        { op: 'remove', path: '/labels/drop' },
        { op: 'replace', path: '/loose/a/b', value: 7 },
        { op: 'replace', path: '/loose/l', value: [2] },
        { op: 'replace', path: '/size', value: 2 },
        { op: 'add', path: '/spec', value: { a: 'A' } },
        { op: 'add', path: '/spec/inner', value: { b: 'B' } },
        { op: 'replace', path: '/tags', value: [] },
        { op: 'replace', path: '/display/ti~1tle', value: 'new' },
      ].toSorted((left, right) => order(left.path, right.path)),
    )
  })

  it('with RFC 7386 removes members by null', async () => {
    const { server, drive } = await open(patches.mergePatch.document)
    await using _ = server
    expect((await drive.check()).plan.commands[0]?.request.body).toEqual({
      deep: { a: { b: 5, c: null } },
      display: { 'ti/tle': 'new' },
      gone: null,
      labels: { 'a/b': '4', drop: null },
      loose: { a: { b: 7 }, l: [2] },
      size: 2,
      spec: { a: 'A', inner: { b: 'B' } },
      tags: [],
    })
  })
})

describe('the places that differ', () => {
  const entries: Entries = { v: { type: 'any' }, labels: { type: 'map', element: { type: 'string' } } }

  it.each<[string, JsonObject, JsonObject, readonly Edit[]]>([
    ['null stays null', { v: { a: null, b: 1 } }, { v: { a: null, b: 2 } }, [{ place: ['v', 'b'], value: 2 }]],
    [
      'a value becomes null',
      { v: { a: 1 } },
      { v: { a: null } },
      [{ place: ['v', 'a'], value: null, unmerged: 'holdsNull' }],
    ],
    ['null becomes a value', { v: { a: null } }, { v: { a: 1 } }, [{ place: ['v', 'a'], value: 1 }]],
    ['null takes a label away', { labels: { a: 'x' } }, { labels: { a: null } }, [{ place: ['labels', 'a'] }]],
    [
      'a label that was null',
      { labels: { a: null } },
      { labels: { a: null, b: 'x' } },
      [{ place: ['labels', 'b'], value: 'x' }],
    ],
  ])('are found as deep as they can be written alone: %s', (_, before, after, expected) => {
    expect(editsOf(entries, before, after, Object.keys(after), { name: 'a.b#main', object: undefined })).toEqual(
      expected,
    )
  })
})

const order = (left: string, right: string): number => (left < right ? -1 : 1)
