import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { soundsCreated } from '../../../core/engine/values/texts/name-words.ts'
import { checkProvider, initProvider } from '../../../core/tools/authoring/check-provider.ts'

/* Where nothing proves that an object is the recorded one, a document says so, or says what does. */

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } })

/** Boxes that are found by their names. */
const described = (members: JsonObject): JsonObject => {
  const name = { type: 'string' }
  const box = { type: 'object', properties: { name, ...members } }
  const sent = { type: 'object', required: ['name'], properties: { name, size: { type: 'number' } } }
  return {
    openapi: '3.1.0',
    info: { title: 'Boxes' },
    paths: {
      '/boxes': {
        get: { responses: { 200: json({ type: 'array', items: box }) } },
        post: { requestBody: json(sent), responses: { 201: json(box) } },
      },
      '/boxes/{name}': {
        get: { responses: { 200: json(box) } },
        patch: { requestBody: json(sent), responses: { 200: json(box) } },
        delete: { responses: { 204: {} } },
      },
    },
  }
}

interface Facts {
  readonly identity?: string
  readonly serverId?: string
  readonly retrieve?: string
  readonly attributes?: string
  readonly lookup?: string
  readonly more?: string
}

const documentOf = ({
  identity = 'keys: [name]',
  serverId = '',
  retrieve = '/boxes/{name}',
  attributes = '',
  lookup = '{ list: {}, match: [name] }',
  more = '',
}: Facts): string => `provider: { id: boxes, baseUrl: "https://api.test", pagination: { style: none }${more} }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "${retrieve}" }
      create: { method: POST, path: /boxes }
      update: { method: PATCH, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    identity: { ${identity} }
    lookup: ${lookup}
    ${serverId}
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true }, size: { type: number }${attributes} } }]
`

const check = (facts: Facts, description?: JsonObject) =>
  checkProvider(
    { name: 'api.yaml', text: documentOf(facts) },
    description && { name: 'api.json', text: JSON.stringify(description) },
  ).findings.map(({ code, fix }) => `${code}: ${fix}`)

const size: JsonObject = { size: { type: 'number' } }
const created = ', created: { computed: true, immutable: true }'

describe('provider check', () => {
  it.each<[string, Facts, readonly string[]]>([
    ['a name alone', {}, ['nameAlone']],
    ['a time of creation', { attributes: created }, []],
    ['an id of the server', { serverId: 'serverId: { id: id }', retrieve: '/boxes/{id}' }, []],
    ['an id that no read uses', { serverId: 'serverId: { id: id }', lookup: '{ retrieve: true }' }, ['idNotRead']],
    ['an id that clients choose', { serverId: 'serverId: { name: name }' }, ['chosenId']],
    [
      'such an id that is said to be reused, and a time',
      { serverId: 'serverId: { name: name }', identity: 'keys: [name], ids: reused', attributes: created },
      [],
    ],
    ['a name alone, which is right', { more: ', waive: [{ warning: nameAlone, reason: it shows nothing else }]' }, []],
  ])('where an object is known by %s', (_, facts, codes) => {
    expect(check(facts).map((each) => each.split(':')[0])).toEqual(codes)
  })

  it('names the member that a description shows, and is silent where it shows none', () => {
    const times = { createdAt: { type: 'string', format: 'date-time', readOnly: true } }
    expect(check({}, described({ ...size, ...times }))).toEqual([
      'nameAlone: describe createdAt as a computed and immutable attribute',
    ])
    expect(check({}, described(size))).toEqual([])
    const inside = { meta: { type: 'object', readOnly: true, properties: times } }
    expect(check({}, described({ ...size, ...inside }))).toEqual([
      'nameAlone: describe meta.createdAt as a computed and immutable attribute',
    ])
  })

  it('says nothing of a link between two objects, which is its ends', () => {
    const end = (name: string): string => `, ${name}: { refersTo: { type: api_box, attribute: name }, immutable: true }`
    const identity = 'keys: [name, box, other]'
    const lookup = '{ retrieve: true }'
    expect(
      check({ identity, lookup, retrieve: '/links/{box}/{other}/{name}', attributes: end('box') + end('other') }),
    ).toEqual([])
    expect(
      check({ identity: 'keys: [name, box]', lookup, retrieve: '/links/{box}/{name}', attributes: end('box') }),
    ).toHaveLength(1)
  })
})

const labels = (container: string, refersTo: string): string => `${documentOf({
  identity: `keys: [name]${container}`,
  serverId: 'serverId: { id: id }',
  retrieve: '/boxes/{id}',
})}  api_label:
    operations:
      list: { method: GET, path: "/boxes/{box}/labels" }
      create: { method: POST, path: "/boxes/{box}/labels", produces: { id: id } }
      retrieve: { method: GET, path: "/boxes/{box}/labels/{id}" }
    identity: { keys: [box, name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, attributes: { box: { in: path, refersTo: ${refersTo} }, name: { immutable: true } } }]
`

it.each([
  ['by its name', '', '{ type: api_box }', ['set container: { id: id }, so that']],
  ['by its name, with the id', ', container: { op: list, id: id }', '{ type: api_box }', []],
  ['by its id', '', '{ type: api_box, attribute: id }', []],
])('provider check says of a type that contains others %s what proves it', (_, container, refersTo, fixes) => {
  const { findings } = checkProvider({ name: 'api.yaml', text: labels(container, refersTo) })
  expect(findings.map(({ fix }) => fix.slice(0, 34))).toEqual(fixes)
})

describe('provider init', () => {
  it('lets a time of creation prove an object that has no other proof', () => {
    const times = { created_at: { type: 'string', readOnly: true }, updated_at: { type: 'string', readOnly: true } }
    const { text } = initProvider({ name: 'api.json', text: JSON.stringify(described({ ...size, ...times })) }, {})
    const { resources } = parse(text) as { resources: Record<string, { parts: { attributes: JsonObject }[] }> }
    expect(Object.values(resources)[0]?.parts[0]?.attributes).toMatchObject({
      created_at: { computed: true, immutable: true },
      updated_at: { computed: true },
    })
    expect(text).not.toMatch(/updated_at.*immutable/)
    expect(checkProvider({ name: 'a.yaml', text }).findings).toEqual([])
  })

  it('takes one from inside of another member, as an attribute of its own', () => {
    const description = JSON.stringify(
      described({ meta: { type: 'object', readOnly: true, properties: { createdAt: { type: 'string' } } } }),
    )
    const { text } = initProvider({ name: 'api.json', text: description }, {})
    expect(text).toContain('createdAt: { computed: true, immutable: true, path: meta.createdAt }')
    expect(checkProvider({ name: 'a.yaml', text }, { name: 'api.json', text: description }).findings).toEqual([])
  })
})

it.each([
  ['created', true],
  ['createdAt', true],
  ['creation_date', true],
  ['dateCreated', true],
  ['create_time', true],
  ['creationTimestamp', true],
  ['inserted_at', true],
  ['registeredAt', true],
  ['provisioned_on', true],
  ['registered', false],
  ['addedBy', false],
  ['create', false],
  ['created_by', false],
  ['isCreated', false],
  ['updatedAt', false],
])('%s names a time of creation: %s', (name, is) => {
  expect(soundsCreated(name)).toBe(is)
})
