import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Reversible means that an undo brings back what was read, in the spelling in which it was read; what it respells is told as lost. */

const documentOf = (facts: string, method: string, write: string): string => `
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
    write: { op: update, ${write} }
    attributes: { name: {}, v: ${facts} }
`

const own = [
  'put: { method: PUT, path: "/things/{name}/{el.k}" }',
  'patch: { method: PATCH, path: "/things/{name}/{el.k}", body: "{changed}" }',
  'drop: { method: DELETE, path: "/things/{name}/{el.k}" }',
]

const collectionOf = (facts: string, write: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
  change: { method: PATCH, path: "/things/{name}" }
${own
  .filter((line) => write.includes(line.slice(0, line.indexOf(':'))))
  .map((line) => `  ${line}\n`)
  .join('')}identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    attributes: { name: { immutable: true } }
  - name: v
    read: retrieve
    collection: { field: v, key: [k], element: { k: {}, s: ${facts} }, write: { ${write} } }
`

/** The text of the server after an apply and its undo. */
const story = async (document: string, value: string, spec: Json) => {
  await using server = await startThings()
  const there = `{"name":"x","v":${value}}`
  server.state.set('/things/x', there)
  const drive = driveThings(server, document, { x: { name: 'x', v: spec } })
  const { plan, digest } = await drive.check()
  const { id, status } = await drive.apply(digest)
  expect(status).toBe('succeeded')
  expect(server.state.get('/things/x')).not.toBe(there)
  const [{ grade, loses } = {}] = plan.commands
  await drive.undo(id)
  return { grade, loses, there, undone: server.state.get('/things/x') }
}

const sends = [
  ['PATCH', 'send: changed'],
  ['PUT', 'send: full'],
  ['PUT', 'send: object'],
  ['PATCH', 'send: mergePatch'],
  ['PATCH', 'send: jsonPatch'],
  ['PUT', 'send: template, body: { name: "{name}", v: "{desired.v}" }'],
] as const

const commas = 'as: comma, normalise: [commaList], element: {}'
const cases: readonly [what: string, facts: string, value: string, spec: Json][] = [
  ['spaces between commas', `{ type: list, ${commas} }`, '"a, b"', ['a', 'b', 'c']],
  ['spaces and an order between commas', `{ type: set, ${commas} }`, '"b, a"', ['a', 'c']],
  ['a number in a text', '{ type: number, as: text, normalise: [number] }', '"007"', 8],
  ['a boolean in a text', '{ type: boolean, as: text, normalise: [boolean] }', '"True"', false],
  ['JSON in a text', '{ normalise: [json] }', '"{ \\"a\\": 1 }"', '{"a":2}'],
  ['case that does not matter', '{ normalise: [lower] }', '"ABC"', 'abd'],
  [
    'spaces inside an object',
    `{ type: object, attributes: { s: { type: list, ${commas} } } }`,
    '{"s":"a, b","own":1}',
    { s: ['a'] },
  ],
  [
    'spaces in elements',
    `{ type: set, key: [k], element: { type: object, attributes: { k: {}, s: { type: list, ${commas} } } } }`,
    '[{"k":"1","s":"a, b","own":1},{"k":"2","s":"c, d"}]',
    [
      { k: '1', s: ['a'] },
      { k: '2', s: ['c', 'd'] },
    ],
  ],
  ['spaces in a map', `{ type: map, element: { type: list, ${commas} } }`, '{"k":"a, b"}', { k: ['a'] }],
]

it('numbers of any JSON come back as they were read', async () => {
  const { grade, undone, there } = await story(documentOf('{ type: any }', 'PUT', 'send: full'), '{"a":1.10}', 2)
  expect([grade, undone]).toEqual(['reversible', there])
})

it.each(sends.filter(([, write]) => write !== 'send: object'))(
  'what comes back to a set has its place again: %s, %s',
  async (method, write) => {
    const { grade, undone, there } = await story(
      documentOf('{ type: set, normalise: [lower], element: {} }', method, write),
      '["Z","x"]',
      ['x'],
    )
    expect([grade, undone]).toEqual(['reversible', there])
  },
)

eachOf(it, 1)(sends)(
  'what comes back beside elements that have more has its place again: %s, %s',
  async (method, write) => {
    const members = 'element: { type: object, attributes: { k: {} } }'
    for (const facts of [`{ type: set, ${members} }`, `{ type: set, key: [k], ${members} }`]) {
      const { grade, undone, there } = await story(
        documentOf(facts, method, write),
        '[{"k":"Z"},{"k":"x","own":1},{"k":"y"}]',
        [{ k: 'x' }, { k: 'y' }],
      )
      expect([grade, undone]).toEqual(['reversible', there])
    }
  },
)

describe.each([
  'op: change, body: { v: "{all}" }',
  'op: change, body: { v: "{all}" }, upsert: { k: "{el.k}", s: "{el.s}", kind: fixed }',
  'op: change, body: { v: "{upserts}", gone: "{removes}" }',
  'each: { create: put, update: put, remove: drop }',
  'each: { create: put, update: patch, remove: drop }',
])('what elements have, written by %s', (write) => {
  it.each([
    ['in one that changes', [{ k: '1', s: ['a'] }]],
    ['in one that goes', []],
  ])('comes back as it was read: %s', async (_, spec) => {
    await using server = await startThings()
    server.state.set('/things/x', '{"name":"x","v":[{"k":"1","s":"a, b"}]}')
    const document = collectionOf(`{ type: list, ${commas} }`, write)
    const { plan } = await driveThings(server, document, { x: { name: 'x', v: spec } }).check()
    expect(plan.commands.map(({ loses, inverse }) => loses ?? JSON.stringify(inverse))).toEqual([
      expect.stringContaining('a, b'),
    ])
    expect(JSON.stringify(plan.commands[0]?.inverse)).toContain('a, b')
  })
})

describe.each(sends)('what a write by %s changes, with %s', (method, write) => {
  eachOf(it, 2)(cases)('comes back as it was read, or is told as lost: %s', async (_, facts, value, spec) => {
    const { grade, loses, undone, there } = await story(documentOf(facts, method, write), value, spec)
    if (grade === 'reversible') expect(undone).toBe(there)
    else expect(loses?.join()).toMatch(/^\/v/)
  })
})
