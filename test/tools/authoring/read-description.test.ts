import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { Description, Schema } from '../../../core/tools/authoring/description/description.ts'
import { readDescription } from '../../../core/tools/authoring/description/read-description.ts'
import { oldThings, things } from '../../builders/generated/openapi.ts'
import { lawRuns } from '../../builders/laws.ts'

const read = (value: Json | string): Description & { readonly notes: () => readonly string[] } => {
  const result = readDescription(typeof value === 'string' ? value : JSON.stringify(value))
  if (!result.ok) throw new Error(result.message)
  const { description, notes } = result.reading
  return { ...description, notes: () => notes().map(({ pointer, message }) => `${pointer} ${message}`) }
}

/** A schema as its facts, to a depth. */
const facts = (schema: Schema | undefined, depth = 3): unknown => {
  if (schema === undefined) return undefined
  if (depth === 0) return '...'
  const { types, nullable, values, readOnly, writeOnly, required } = schema
  return {
    types: [...types],
    ...(nullable ? { nullable } : {}),
    ...(values === undefined ? {} : { values }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(readOnly ? { readOnly } : {}),
    ...(writeOnly ? { writeOnly } : {}),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(schema.properties().size === 0
      ? {}
      : {
          properties: Object.fromEntries([...schema.properties()].map(([name, one]) => [name, facts(one, depth - 1)])),
        }),
    ...(schema.items() === undefined ? {} : { items: facts(schema.items(), depth - 1) }),
    ...(schema.additional() === undefined ? {} : { additional: facts(schema.additional(), depth - 1) }),
  }
}

const schemaOf = (schema: Json, more: { readonly version?: string; readonly schemas?: Json } = {}) => {
  const described = read({
    openapi: more.version ?? '3.1.0',
    paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } },
    components: { schemas: more.schemas ?? {} },
  })
  return { ...described, schema: described.paths[0]?.operations.get('GET')?.answers[0]?.content?.schema }
}

describe('a description of an API', () => {
  it('is the same in both versions of OpenAPI', () => {
    const [older, newer] = [read(oldThings), read(things)].map(({ paths, servers }) => ({
      servers,
      paths: paths.map(({ path, operations }) => ({
        path,
        operations: [...operations.values()].map(({ method, parameters, body, answers }) => ({
          method,
          parameters: parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema.types]),
          body: facts(body?.schema),
          answers: answers.map(({ status, content }) => [status, facts(content?.schema)]),
        })),
      })),
    }))
    expect(older).toEqual(newer)
  })

  it('can be YAML, with numbers as statuses', () => {
    const { paths } = read(
      'swagger: "2.0"\npaths:\n  /x:\n    get:\n      responses:\n        200: { description: ok }\n',
    )
    expect(paths[0]?.operations.get('GET')?.answers).toEqual([{ status: '200', headers: [] }])
  })

  it.each([
    ['nothing', ''],
    ['no YAML', '{ a: ['],
    ['something else', 'a: 1'],
    ['a list', '[]'],
    ['a version that is none of these', 'openapi: 4.0.0\npaths: {}'],
  ])('is refused as %s', (_, text) => {
    expect(readDescription(text)).toMatchObject({ ok: false, message: expect.any(String) })
  })

  it.each<[string, Json, readonly string[]]>([
    [
      'servers',
      { openapi: '3.0.0', servers: [{ url: 'https://{r}.x.test/v1/', variables: { r: { default: 'eu' } } }] },
      ['https://eu.x.test/v1'],
    ],
    ['no servers', { openapi: '3.0.0' }, ['']],
    ['a base path alone', { swagger: '2.0', basePath: '/api/v1' }, ['/api/v1']],
    ['a base path without its slash', { swagger: '2.0', host: 'x.test', basePath: 'api' }, ['https://x.test/api']],
    ['a host alone', { swagger: '2.0', host: 'x.test' }, ['https://x.test']],
    ['a host without encryption', { swagger: '2.0', host: 'x.test', schemes: ['http'] }, ['http://x.test']],
    ['neither', { swagger: '2.0' }, ['']],
    [
      'a host',
      { swagger: '2.0', host: 'x.test', basePath: '/api', schemes: ['http', 'https'] },
      ['https://x.test/api'],
    ],
  ])('gives the base URLs of the API: %s', (_, value, servers) => {
    expect(read(value).servers).toEqual(servers)
  })

  it('shows how requests are signed, with the preferred way first', () => {
    const { security } = read({
      openapi: '3.0.0',
      security: [{ b: [] }],
      components: {
        securitySchemes: {
          a: { type: 'apiKey', in: 'header', name: 'X-Key' },
          b: { type: 'http', scheme: 'Bearer' },
          c: { type: 'oauth2' },
          d: { type: 'mutualTLS' },
        },
      },
    })
    expect(security.map(({ kind }) => kind)).toEqual(['bearer', 'header', 'oauth2', 'other'])
  })

  it('prefers JSON among media types', () => {
    const { paths } = read({
      openapi: '3.0.0',
      paths: {
        '/x': {
          post: {
            requestBody: { content: { 'application/xml': {}, 'application/json; charset=utf-8': {} } },
            responses: {},
          },
          put: { requestBody: { content: { 'application/x-www-form-urlencoded': {} } }, responses: {} },
        },
      },
    })
    const bodies = [...(paths[0]?.operations.values() ?? [])].map(({ body }) => [body?.mediaType, body?.isJson])
    expect(bodies).toEqual([
      ['application/json; charset=utf-8', true],
      ['application/x-www-form-urlencoded', false],
    ])
  })
})

describe('a schema', () => {
  const named = {
    Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    Node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } },
  }
  it.each<[string, Json, unknown]>([
    ['null of 3.0', { type: 'string', nullable: true }, { types: ['string'], nullable: true }],
    ['null of 3.1', { type: ['string', 'null'] }, { types: ['string'], nullable: true }],
    [
      'null as an alternative',
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { types: ['integer'], nullable: true },
    ],
    ['null among values', { enum: ['a', null] }, { types: ['string'], nullable: true, values: ['a'] }],
    ['a constant', { const: 'a' }, { types: ['string'], values: ['a'] }],
    [
      'facts beside a reference',
      { $ref: '#/components/schemas/Named', readOnly: true, default: {} },
      {
        types: ['object'],
        readOnly: true,
        default: {},
        required: ['name'],
        properties: { name: { types: ['string'] } },
      },
    ],
    [
      'all of',
      {
        allOf: [
          { $ref: '#/components/schemas/Named' },
          { properties: { size: { type: 'integer' } }, required: ['size'] },
        ],
      },
      {
        types: ['object'],
        required: ['name', 'size'],
        properties: { name: { types: ['string'] }, size: { types: ['integer'] } },
      },
    ],
    [
      'one of',
      {
        oneOf: [
          { $ref: '#/components/schemas/Named' },
          { type: 'object', required: ['id', 'name'], properties: { id: {}, name: { enum: ['a'] } } },
        ],
      },
      { types: ['object'], required: ['name'], properties: { name: { types: ['string'] }, id: { types: [] } } },
    ],
    ['one of values', { oneOf: [{ enum: ['a'] }, { enum: ['b', 'a'] }] }, { types: ['string'], values: ['a', 'b'] }],
    ['a map', { additionalProperties: { type: 'number' } }, { types: ['object'], additional: { types: ['number'] } }],
    ['a file', { type: 'file' }, { types: ['string'] }],
    ['all of nothing', { allOf: [] }, { types: [] }],
    [
      'alternatives that contradict',
      {
        allOf: [
          { type: 'string', enum: ['a'] },
          { type: 'integer', enum: [1] },
        ],
      },
      { types: ['string'], values: ['a'] },
    ],
  ])('is read into the facts that matter: %s', (_, schema, expected) => {
    const read = schemaOf(schema, { schemas: named })
    expect(facts(read.schema)).toEqual(expected)
    expect(read.notes()).toEqual([])
  })

  it('may contain itself', () => {
    const { schema, notes } = schemaOf({ $ref: '#/components/schemas/Node' }, { schemas: named })
    const deep = schema?.properties().get('children')?.items()?.properties().get('children')?.items()
    expect(deep?.name).toBe('Node')
    expect(notes()).toEqual([])
  })

  it.each<[string, Json, Json, string]>([
    [
      'contains itself',
      { $ref: '#/components/schemas/A' },
      { A: { allOf: [{ $ref: '#/components/schemas/A' }] } },
      'contains itself',
    ],
    [
      'made of another that is made of it',
      { $ref: '#/components/schemas/A' },
      { A: { oneOf: [{ $ref: '#/components/schemas/B' }] }, B: { anyOf: [{ $ref: '#/components/schemas/A' }] } },
      'contains itself',
    ],
    ['nowhere', { $ref: '#/components/schemas/None' }, {}, 'does not exist'],
    ['elsewhere', { $ref: 'other.yaml#/A' }, {}, 'another document is not followed'],
    [
      'round',
      { $ref: '#/components/schemas/A' },
      { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
      'form a circle',
    ],
    ['no schema', 7, {}, 'a schema was expected'],
    ['no type', { type: 'text' }, {}, 'not a JSON type'],
  ])('has a note with the place of %s', (_, schema, schemas, message) => {
    const { notes } = schemaOf(schema, { schemas })
    expect(notes().join()).toContain(message)
    expect(notes()[0]).toMatch(/^\/(paths|components)\//)
  })
})

/** Everything of a description, so that whatever is lazy is looked at. */
const walk = ({ paths }: Description): void => {
  const seen = new Set<string>()
  const look = (schema: Schema | undefined): void => {
    if (schema === undefined || seen.has(schema.pointer)) return
    seen.add(schema.pointer)
    for (const one of [...schema.properties().values(), schema.items(), schema.additional()]) look(one)
  }
  for (const operation of paths.flatMap(({ operations }) => [...operations.values()])) {
    for (const { schema } of operation.parameters) look(schema)
    for (const content of [operation.body, ...operation.answers.map(({ content }) => content)]) look(content?.schema)
  }
}

/** Every place of a value. */
const placesOf = (value: Json, above: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] =>
  typeof value === 'object' && value !== null
    ? [above, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner as Json, [...above, key]))]
    : [above]

const replaced = (value: Json, [step, ...rest]: readonly (string | number)[], by: Json): Json => {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((one, index) => (index === Number(step) ? replaced(one, rest, by) : one))
  return {
    ...(value as Record<string, Json>),
    [step]: replaced((value as Record<string, Json>)[step] ?? null, rest, by),
  }
}

describe('a wrong description', () => {
  const odd: fc.Arbitrary<Json> = fc.oneof(
    fc.constantFrom<Json>(null, true, 0, '', [], {}, [null], { $ref: '#' }, { $ref: '#/paths' }, { $ref: 1 }, 'object'),
    fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as Json),
  )
  it.each([
    ['old', oldThings],
    ['new', things],
  ] as const)('never causes a crash, whatever part of it is replaced: %s', (_, whole) => {
    const places = placesOf(whole)
    fc.assert(
      fc.property(fc.constantFrom(...places), odd, (place, by) => {
        const result = readDescription(JSON.stringify(replaced(whole, place, by)))
        if (result.ok) walk(result.reading.description)
      }),
      lawRuns(500),
    )
  })

  it('never causes a crash, whatever its text is', () => {
    fc.assert(fc.property(fc.string(), (text) => void readDescription(text)))
  })
})
