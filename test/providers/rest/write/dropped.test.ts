import { describe, expect, it } from 'vitest'
import { memberOf } from '../../../../core/engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Places that a document drops are in no request: of members of the object, of elements of lists, of members of maps. */

const there = {
  name: 'x',
  id: 't1',
  note: 'old',
  rows: [
    { n: 'a', v: 1, id: 'r1', made: { by: 'me' }, own: 'a' },
    { n: 'b', v: 2, id: 'r2', made: { by: 'me' }, own: 'b' },
  ],
  spec: { size: 1, uid: 'u1', kind: 'k' },
  slots: { left: { w: 1, uid: 'u2', own: 1 } },
  free: { uid: 'u3', color: 'red' },
}

const drops = ['/rows/*/id', 'rows.*.made', 'spec.uid', 'slots.*.uid', '/free/uid']
const rows =
  'rows: { type: set, key: [n], element: { type: object, attributes: { n: {}, v: { type: number }, id: { computed: true } } } }'
const attributes = [
  'name: { required: true, immutable: true, sendOn: create }, note: {}',
  rows,
  'size: { type: number, path: spec.size, send: spec.size }',
  'slots: { type: map, element: { type: object, attributes: { w: { type: number } } } }',
  'free: { type: any, partial: true }',
].join(', ')
/** Operations for one element each. */
const each = `
  setRow: { method: PUT, path: "/things/{name}/rows/{el.n}" }
  addRow: { method: POST, path: "/things/{name}/rows" }
  removeRow: { method: DELETE, path: "/things/{name}/rows/{el.n}" }`

const documentOf = (method: string, write: string, parts = `attributes: { ${attributes} }`) => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: /things }
  update: { method: ${method}, path: "/things/{name}" }${parts.includes('each:') ? each : ''}
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    ${write}
    ${parts}
`

/** The names of all members, at any depth. */
const namesIn = (value: Json): readonly string[] => {
  if (isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : []
}

/** The plan, and what the server has received and kept. The server refuses a body with what it makes by itself. */
const applied = async (document: string, spec: Record<string, Json>) => {
  await using server = await startThings({
    route: ({ method, url, body }, state) => {
      const given = body === '' ? {} : (JSON.parse(body) as JsonObject)
      if (namesIn(given).some((name) => ['id', 'made', 'uid'].includes(name)))
        return { status: 422, body: '{"message":"extra fields not permitted"}' }
      if (method === 'PUT' && url === '/things/x') {
        state.set(url, JSON.stringify({ ...given, name: 'x' }))
        return { status: 200, body: '{}' }
      }
      // Not all bodies of these documents have the form that a PATCH of this server takes.
      const rows = [given].flatMap(
        ({ more, set, n }) => more ?? memberOf(set, 'rows') ?? (n === undefined ? [] : [given]),
      )
      if (rows.length === 0) return undefined
      const kept = there.rows.map((row) => ({ ...row, ...(rows as JsonObject[]).find(({ n }) => n === row.n) }))
      state.set('/things/x', JSON.stringify({ ...there, rows: kept }))
      return { status: 200, body: '{}' }
    },
  })
  server.state.set('/things/x', JSON.stringify(there))
  const drive = driveThings(server, document, { x: { name: 'x', ...spec } })
  const { plan, digest } = await drive.check()
  const { status, outcomes } = await drive.apply(digest)
  expect([status, outcomes?.map(({ detail }) => detail)]).toEqual(['succeeded', [undefined]])
  return { plan, sent: server.lines().map(([, body]) => body), kept: JSON.parse(server.state.get('/things/x') ?? '') }
}

const sent = [
  { n: 'a', v: 1, own: 'a' },
  { n: 'b', v: 3, own: 'b' },
]
const changedRows = [
  { n: 'a', v: 1 },
  { n: 'b', v: 3 },
]

describe('a place inside of the elements of a list', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['PATCH', 'changed', '', drops],
    ['PATCH', 'full', '', drops],
    ['PUT', 'changed', '', ['id', ...drops]],
    ['PUT', 'full', '', ['id', ...drops]],
    ['PUT', 'object', '', ['id', ...drops]],
    ['PATCH', 'changed', ', keeps: true', drops.slice(0, 2)],
    ['PATCH', 'mergePatch', '', drops.slice(0, 2)],
    ['PATCH', 'jsonPatch', '', drops.slice(0, 2)],
    ['PATCH', 'template', ', body: { set: { "...": "{fields}" } }', drops],
  ])('is not sent back in a %s with send: %s%s', async (method, send, more, drop) => {
    const write = `write: { op: update, send: ${send}${more}, drop: ${JSON.stringify(drop)} }`
    const { plan, sent: bodies } = await applied(documentOf(method, write), { rows: changedRows })
    expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
    const [body] = bodies
    const found = JSON.stringify(body).match(/\[\{"n":"a".*?\}\]/)?.[0] ?? ''
    expect(JSON.parse(found)).toEqual(sent)
  })

  it('is not sent back with a change elsewhere, and the undo does not send it either', async () => {
    const write = `write: { op: update, drop: ${JSON.stringify(['id', ...drops])} }`
    const { plan, sent: bodies } = await applied(documentOf('PUT', write), { note: 'new' })
    expect(bodies).toEqual([
      {
        note: 'new',
        rows: [
          { n: 'a', v: 1, own: 'a' },
          { n: 'b', v: 2, own: 'b' },
        ],
        spec: { size: 1, kind: 'k' },
        slots: { left: { w: 1, own: 1 } },
        free: { color: 'red' },
      },
    ])
    expect(plan.commands).toMatchObject([
      { grade: 'reversible', inverse: { body: { without: expect.arrayContaining(['/rows/*/id', '/spec/uid']) } } },
    ])
  })

  it.each<[string, string, string, Json]>([
    ['all of them', 'PATCH', '{ op: update, body: { rows: "{all}" }, drop: [rows.*.id, rows.*.made] }', { rows: sent }],
    [
      'all of them in a form of the document',
      'PATCH',
      '{ op: update, body: { rows: "{all}" }, upsert: { n: "{el.n}", v: "{el.v}", own: "{el.n}" }, drop: [rows.*.id, rows.*.made] }',
      { rows: sent },
    ],
    [
      'those that differ',
      'PATCH',
      '{ op: update, body: { more: "{upserts}" }, drop: [rows.*.id, rows.*.made] }',
      { more: sent.slice(1) },
    ],
    [
      'one in a PUT of its own',
      'PUT',
      '{ each: { create: addRow, update: setRow, remove: removeRow }, drop: [/rows/*/id, /rows/*/made] }',
      { n: 'b', v: 3, own: 'b' },
    ],
  ])('is not sent back by a collection: %s', async (_, method, write, body) => {
    const own = 'collection: { field: rows, key: [n], element: { n: {}, v: { type: number } }, write: WRITE }'.replace(
      'WRITE',
      write,
    )
    const document = documentOf(method, 'attributes: { name: { immutable: true } }', own)
    const { plan, sent: bodies } = await applied(document, { rows: changedRows })
    expect(bodies).toEqual([body])
    expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
  })

  it('finds elements without a key by all that was read', async () => {
    const list = rows.replace('set, key: [n]', 'list').replace('id: { computed: true }', 'own: {}')
    const document = documentOf('PATCH', 'write: { op: update, drop: [rows.*.made, rows.*.id] }').replace(rows, list)
    const next = [
      { n: 'a', v: 1, own: 'a' },
      { n: 'b', v: 2, own: 'c' },
      { n: 'c', v: 3, own: 'd' },
    ]
    expect((await applied(document, { rows: next })).sent).toEqual([{ rows: next }])
  })

  it('is no loss where the element goes, because the server makes it', async () => {
    const write = 'write: { op: update, drop: [rows.*.id, rows.*.made, rows.*.own] }'
    const { plan } = await applied(documentOf('PATCH', write), { rows: changedRows.slice(0, 1) })
    expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
    expect(plan.commands[0]?.loses).toBeUndefined()
  })
})

describe('a refused body', () => {
  const told = async (method: string, write: string, spec: Record<string, Json>, parts?: string) => {
    await using server = await startThings({
      route: ({ method: own }) => (own === 'GET' ? undefined : { status: 422, body: '{"message":"no"}' }),
    })
    server.state.set('/things/x', JSON.stringify(there))
    const drive = driveThings(server, documentOf(method, write, parts), { x: { name: 'x', ...spec } })
    const { outcomes } = await drive.apply((await drive.check()).digest)
    return outcomes?.[0]?.detail ?? ''
  }
  const advice = /nobody names: (.*); if the target refuses one of these places, list it under `drop` of the write(.*)$/

  it.each<[string, string, string, Record<string, Json>, string, boolean]>([
    [
      'elements of a list',
      'PATCH',
      'write: { op: update }',
      { rows: changedRows },
      '/rows/*/id, /rows/*/made, /rows/*/own',
      false,
    ],
    ['members of an object', 'PATCH', 'write: { op: update }', { size: 2 }, '/spec/kind, /spec/uid', true],
    [
      'members of the object and what is in it',
      'PUT',
      'write: { op: update, drop: [id] }',
      { note: 'new' },
      '/rows/*/id, /rows/*/made, /rows/*/own, /slots/*/own, /slots/*/uid, /spec/kind, /spec/uid',
      true,
    ],
    [
      'the whole object',
      'PUT',
      'write: { op: update, send: object }',
      { rows: changedRows },
      '/id, /name, /rows/*/id, /rows/*/made, /rows/*/own, /free, /note, /slots, /spec',
      false,
    ],
  ])(
    'is told with each place that can be dropped, and with keeps where that helps: %s',
    async (_, method, write, spec, places, keeps) => {
      const [, named = '', rest = ''] = advice.exec(await told(method, write, spec)) ?? []
      expect([named.split(', ').toSorted(), rest.includes('keeps: true')]).toEqual([
        places.split(', ').toSorted(),
        keeps,
      ])
    },
  )

  it('is told without advice where everything of it is named', async () => {
    const write = 'write: { op: update, drop: [rows.*.id, rows.*.made, rows.*.own] }'
    expect(await told('PATCH', write, { rows: changedRows })).not.toContain('drop')
  })

  it('is told with the place of an element that is sent by itself', async () => {
    const own =
      'collection: { field: rows, key: [n], element: { n: {}, v: { type: number } }, write: { each: { create: addRow, update: setRow, remove: removeRow } } }'
    const detail = await told('PUT', 'attributes: { name: { immutable: true } }', { rows: changedRows }, own)
    expect(advice.exec(detail)?.[1]).toBe('/rows/*/id, /rows/*/made, /rows/*/own')
  })
})
