import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* A part whose read answers a list: `GET /things/x/labels` answers `[...]`, and no object holds it. */

const document = (pages: string, list = '{ as: labels }') => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
      labels: { method: GET, path: "/labels/{name}", pagination: ${pages} }
      add: { method: PUT, path: "/labels/{name}/{el.id}" }
      remove: { method: DELETE, path: "/labels/{name}/{el.id}" }
      topics: { method: GET, path: "/topics/{name}" }
      setTopics: { method: PUT, path: "/topics/{name}", body: "{desired.topics}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes: { name: { immutable: true } }
      - name: labels
        read: { op: labels, list: ${list} }
        onCreate: after
        collection:
          field: labels
          key: [id]
          element: { id: {}, colour: {} }
          write: { each: { create: add, update: add, remove: remove } }
      - name: topics
        read: { op: topics, list: { as: topics } }
        onCreate: after
        write: { op: setTopics }
        attributes: { topics: { type: set, element: { type: string } } }
`

interface Label {
  readonly id: string
  readonly colour?: string
}

/** Lists as the server keeps them, in pages of two; `between` runs before each page but the first. */
const start = async (pages: string, between: (labels: Label[]) => void = () => {}) => {
  let labels: Label[] = []
  let topics: readonly string[] = []
  const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })
  const server = await startThings({
    route: ({ method, url, body }) => {
      const { pathname, searchParams } = new URL(url, 'http://x')
      const [, kind, , id] = pathname.split('/')
      if (kind === 'topics' && method === 'PUT') topics = JSON.parse(body) as readonly string[]
      if (kind === 'topics') return ok(topics)
      if (kind !== 'labels') return undefined
      if (method !== 'GET') labels = labels.filter((label) => label.id !== id)
      if (method === 'PUT') labels.push(JSON.parse(body) as Label)
      if (method !== 'GET') return { status: 204 }
      const offset = Number(searchParams.get('offset') ?? 0)
      if (offset > 0) between(labels)
      return ok(pages.includes('offset') ? labels.slice(offset, offset + 2) : labels)
    },
  })
  return Object.assign(server, {
    lists: { labels: () => labels, topics: () => topics, set: (next: Label[]) => (labels = next) },
  })
}

const paged = '{ style: offset, param: offset }'
const thing = (labels: readonly Label[], topics: readonly string[]) => [
  { type: 'api_thing', name: 'one', spec: { name: 'one', labels: labels as unknown as Json, topics: [...topics] } },
]
const label = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), colour: fc.constantFrom('red', 'blue') })
const labelSets = fc.uniqueArray(label, { selector: ({ id }) => id, maxLength: 5 })
const topicSets = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'))

/** Checks and applies; then nothing differs. */
const settle = async ({ check, apply }: ReturnType<typeof driveDocument>): Promise<void> => {
  const { run, plan } = await check()
  expect(plan?.unchecked).toEqual([])
  if (run.status !== 'in_sync') expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded' })
  expect((await check()).run.status).toBe('in_sync')
}

describe('a part whose read answers a list', () => {
  it.each([['{ style: none }'], [paged]])('becomes the declared list, whatever it was: %s', (pages) =>
    fc.assert(
      fc.asyncProperty(labelSets, labelSets, topicSets, async (before, wanted, topics) => {
        await using server = await start(pages)
        const drive = driveDocument(server, document(pages), thing(before, []))
        await settle(drive)
        expect(server.lists.labels()).toEqual(expect.arrayContaining(before))
        drive.want(thing(wanted, topics))
        await settle(drive)
        expect(server.lists.labels().toSorted((l, r) => (l.id < r.id ? -1 : 1))).toEqual(
          wanted.toSorted((l, r) => (l.id < r.id ? -1 : 1)),
        )
        expect([...server.lists.topics()].toSorted()).toEqual(topics.toSorted())
      }),
      lawRuns(8),
    ),
  )

  it('shows what somebody added or removed', async () => {
    await using server = await start(paged)
    const drive = driveDocument(server, document(paged), thing([{ id: 'a' }, { id: 'b' }, { id: 'c' }], ['x']))
    await settle(drive)
    server.lists.set([{ id: 'a' }, { id: 'c' }, { id: 'd' }])
    const { plan } = await drive.check()
    expect(plan?.commands.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
      'DELETE /labels/one/d',
      'PUT /labels/one/b',
    ])
  })

  it.each<[string, (labels: Label[]) => void]>([
    ['an element goes, and another one moves to a page that was read', (labels) => labels.shift()],
    ['an element comes before the others', (labels) => labels.unshift({ id: 'z' })],
  ])('is unknown if it changes while its pages are read: %s', async (_, move) => {
    let once = false
    await using server = await start(paged, (labels) => {
      if (once) move(labels)
      once = false
    })
    const wanted = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]
    const drive = driveDocument(server, document(paged), thing(wanted, []))
    await settle(drive)
    once = true
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ changes: [], commands: [], unchecked: [{ address: 'api_thing.one' }] })
  })

  it.each<[string, { status: number; body: string }]>([
    ['an object', { status: 200, body: '{}' }],
    ['null', { status: 200, body: 'null' }],
    ['a failure', { status: 500, body: '[]' }],
  ])('never counts as empty when the answer is %s', async (_, answer) => {
    await using server = await start('{ style: none }')
    const drive = driveDocument(server, document('{ style: none }'), thing([{ id: 'a' }], ['x']))
    await settle(drive)
    const { route } = server.behaviour
    server.behaviour.route = (heard, state) => (heard.url.startsWith('/labels') ? answer : route?.(heard, state))
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ changes: [], commands: [], unchecked: [{ address: 'api_thing.one' }] })
  })
})

describe('the definition of a part that is a list', () => {
  it.each([
    ['what is not in the list', '{ as: tags }', /nothing else has a value for "labels"/],
    ['one element and all', '{ as: labels }, select: { in: "" }', /"list" takes all/],
  ])('is refused: %s', (_, list, message) => {
    expect(() => typeOf(providerOf(document('{ style: none }', list), { baseUrl: 'http://x' }), 'api_thing')).toThrow(
      message,
    )
  })
})
