import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { checkProvider, initProvider } from '../../../core/tools/authoring/check-provider.ts'
import { oldThings, things } from '../../builders/generated/openapi.ts'
import { lawRuns } from '../../builders/laws.ts'

const init = (description: Json, resources: readonly string[] = []) =>
  initProvider({ name: 'api.json', text: JSON.stringify(description) }, { resources })

/** Parsed YAML, looked into without ceremony. */
// biome-ignore lint/suspicious/noExplicitAny: the assertions say what it is
type Tree = Record<string, any>

const resourceOf = (description: Json, type: string): Tree => parse(init(description).text).resources[type] ?? {}

const attributesOf = (description: Json, type: string): Tree => resourceOf(description, type)['parts'][0].attributes

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } })

/** A collection with items. */
const collection = (
  path: string,
  {
    request,
    change = request,
    answer = request,
    list = { type: 'array', items: answer },
    item = '{id}',
    methods = ['get', 'patch', 'delete'],
  }: {
    readonly request: Json
    readonly change?: Json
    readonly answer?: Json
    readonly list?: Json
    readonly item?: string
    readonly methods?: readonly string[]
  },
): JsonObject => {
  const operations: JsonObject = {
    get: { responses: { 200: json(answer) } },
    put: { requestBody: json(change), responses: { 200: json(answer) } },
    patch: { requestBody: json(change), responses: { 200: json(answer) } },
    delete: { responses: { 204: {} } },
  }
  return {
    [path]: {
      get: { responses: { 200: json(list) } },
      post: { requestBody: json(request), responses: { 201: json(answer) } },
    },
    [`${path}/${item}`]: Object.fromEntries(methods.map((method) => [method, operations[method] ?? {}])),
  }
}
const api = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Api' },
  paths,
  ...more,
})
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
})
const text = { type: 'string' }

describe('the draft of a document', () => {
  it('has settings that always exist, which nothing identifies', () => {
    const settings = object({ theme: text, size: { type: 'integer' } })
    const path = {
      get: { responses: { 200: json(settings) } },
      put: { requestBody: json(settings), responses: { 200: json(settings) } },
    }
    const description = api({ '/settings': path })
    const drafted = resourceOf(description, 'api_setting')
    expect(Object.keys(drafted['operations'])).toEqual(['retrieve', 'update'])
    expect(drafted).toMatchObject({ lookup: { retrieve: true }, lifecycle: { single: true } })
    expect(drafted).not.toHaveProperty('identity')
    expect(drafted).not.toHaveProperty('serverId')
    const document = { name: 'settings.yaml', text: init(description).text }
    const { findings } = checkProvider(document, { name: 'api.json', text: JSON.stringify(description) })
    expect(findings).toEqual([])
  })

  it.each(['https://ada:canary@api.test/', 'https://:canary@api.test/'])('does not take over a password: %j', (url) => {
    expect(init({ ...(things as JsonObject), servers: [{ url }] }).text).not.toContain('canary')
  })

  it('is accepted by its parser and agrees with its description', async () => {
    const made = init(things)
    await expect(made.text).toMatchFileSnapshot('../../goldens/provider-init.yaml')
    const report = checkProvider({ name: 'a.yaml', text: made.text }, { name: 'b.json', text: JSON.stringify(things) })
    expect(report).toMatchObject({ findings: [], uncompared: [], types: ['things_thing'] })
  })

  it.each([
    ['some objects what they hold', 60, { type: 'object', attributes: { d: {} } }],
    ['very many no more than that they are there', 200, { type: 'any' }],
  ])('notes %s', (_, n, expected) => {
    const many = Object.fromEntries(Array.from({ length: n }, (_, k) => [`m${k}`, object({ d: text })]))
    const [request, answer] = [object({ name: text, ...many }), object({ id: text, name: text, ...many })]
    const drafted = attributesOf(api(collection('/x', { request, answer })), 'api_x')
    expect(Object.entries(drafted).filter(([name]) => /^m\d/.test(name))).toEqual(
      Object.keys(many).map((name) => [name, expected]),
    )
  })

  it('is the same for both versions of OpenAPI', () => {
    expect(init(oldThings).text).toBe(init(things).text)
  })

  it('gives a client key where the path contains a field of the request', () => {
    const description = api(
      collection('/users', { item: '{userName}', request: object({ user_name: text, mail: text }) }),
    )
    expect(resourceOf(description, 'api_user')).toMatchObject({
      identity: { keys: ['user_name'] },
      lookup: { retrieve: true },
      operations: { retrieve: { path: '/users/{user_name}' } },
    })
    expect(attributesOf(description, 'api_user')).toMatchObject({
      user_name: { required: true, immutable: true },
      mail: {},
    })
  })

  it('keeps the key in the path where a PUT makes the object', () => {
    const paths = {
      '/vhosts/{vhost}':
        collection('/x', { request: object({ note: text }), methods: ['get', 'put', 'delete'] })['/x/{id}'] ?? {},
    }
    expect(resourceOf(api(paths), 'api_vhost')).toMatchObject({
      identity: { keys: ['vhost'] },
      lookup: { retrieve: true },
      operations: { create: { method: 'PUT', path: '/vhosts/{vhost}' } },
      parts: [
        { write: { op: 'update', send: 'full' }, attributes: { vhost: { in: 'path', required: true }, note: {} } },
      ],
    })
  })

  it('keeps the parents of an object that a nested PUT makes', () => {
    const paths = {
      '/orgs/{org}/hooks/{hook}':
        collection('/x', { request: object({ note: text }), methods: ['get', 'put', 'delete'] })['/x/{id}'] ?? {},
    }
    const made = resourceOf(api(paths), 'api_hook')
    expect(made['identity'].keys).toEqual(['org', 'hook'])
    expect(made['operations'].create.path).toBe('/orgs/{org}/hooks/{hook}')
    expect(Object.keys(made['parts'][0].attributes)).toEqual(['org', 'hook', 'note'])
  })

  it.each<[string, Json, Json, Json]>([
    ['under its own name', object({ note: text }), object({ shop_id: text, note: text }), {}],
    ['as an id', object({ note: text }), object({ id: text, note: text }), { path: 'id' }],
    [
      'as what no request sets',
      object({ id: { ...text, readOnly: true }, note: text }),
      object({ id: text }),
      { path: 'id' },
    ],
    ['nowhere', object({ note: text }), object({ note: text }), {}],
  ])('finds what a PUT names where answers show it %s', (_, request, answer, place) => {
    const methods = ['get', 'put', 'delete']
    const { '/shops': list = {}, ...items } = collection('/shops', { request, answer, item: '{shop_id}', methods })
    const { post: _post, ...above } = list as JsonObject
    const attributes = attributesOf(api({ '/shops': above, ...items }), 'api_shop')
    expect(attributes).toEqual({
      shop_id: { required: true, in: 'path', ...(place as JsonObject) },
      note: expect.anything(),
    })
  })

  it('says which type contains another, whatever the variables of their paths are called', () => {
    const inner = object({ name: text })
    const paths = {
      ...collection('/shops', { request: inner, answer: object({ id: text, name: text }), item: '{id}' }),
      ...collection('/shops/{shop}/racks', { request: inner, item: '{name}' }),
      ...collection('/shops/{shop}/racks/{rack}/books', { request: inner, item: '{name}' }),
    }
    expect(attributesOf(api(paths), 'api_rack')).toMatchObject({
      shop: { in: 'path', refersTo: { type: 'api_shop', attribute: 'id' } },
    })
    expect(attributesOf(api(paths), 'api_book')).toMatchObject({
      shop: { in: 'path', refersTo: { type: 'api_shop', attribute: 'id' } },
      rack: { in: 'path', refersTo: { type: 'api_rack' } },
    })
    const described = { name: 'api.json', text: JSON.stringify(api(paths)) }
    expect(checkProvider({ name: 'api.yaml', text: init(api(paths)).text }, described).findings).toEqual([])
  })

  it('finds a nested collection by the word of its last part', () => {
    const description = api(collection('/orgs/{org}/teams', { request: object({ name: text }), answer: zone }))
    expect(init(description, ['team']).types).toEqual([{ type: 'api_team', path: '/orgs/{org}/teams' }])
    expect(init(description, ['org']).unknown).toEqual(['org'])
  })

  it('gives nested collections their parents', () => {
    const description = api(
      collection('/orgs/{org}/teams', { request: object({ name: text }), answer: object({ id: text, name: text }) }),
    )
    expect(resourceOf(description, 'api_team')).toMatchObject({
      identity: { keys: ['org', 'name'] },
      serverId: { id: 'id' },
    })
    expect(attributesOf(description, 'api_team')['org']).toEqual({ required: true, in: 'path' })
  })

  it('finds a key inside a member of the request', () => {
    const request = object({ metadata: object({ name: text, note: text }), spec: object({ size: text }) })
    const description = api(collection('/spaces/{space}/pods', { request, item: '{name}' }))
    expect(resourceOf(description, 'api_pod')).toMatchObject({
      identity: { keys: ['space', 'name'] },
      lookup: { retrieve: true },
    })
    expect(attributesOf(description, 'api_pod')['name']).toEqual({
      required: true,
      immutable: true,
      path: 'metadata.name',
      send: 'metadata.name',
    })
  })

  it.each<[string, readonly string[], Json, Json | undefined]>([
    ['a page', ['page', 'per_page'], {}, { style: 'page', param: 'page' }],
    [
      'a page and the number of pages',
      ['page'],
      { meta: object({ totalPages: { type: 'integer' } }) },
      { style: 'page', param: 'page', pages: 'meta.totalPages' },
    ],
    [
      'an offset',
      ['limit', 'offset'],
      { total: { type: 'integer' } },
      { style: 'offset', param: 'offset', total: 'total' },
    ],
    ['a cursor', ['cursor'], { next_cursor: text }, { style: 'cursor', param: 'cursor', next: 'next_cursor' }],
    ['a cursor that nobody explains', ['cursor'], {}, undefined],
    ['a total and no way to a page', [], { total: { type: 'integer' } }, undefined],
    ['a sign of more and no way to a page', [], { has_more: { type: 'boolean' } }, undefined],
    ['a limit and no way to a page', ['limit'], {}, undefined],
    ['nothing', ['color'], {}, { style: 'none' }],
  ])('reads lists by %s', (_, names, more, pagination) => {
    const item = object({ id: text, name: text })
    const list = object({ items: { type: 'array', items: item }, ...(more as JsonObject) })
    const paths = collection('/pets', { request: object({ name: text }), answer: item, list })
    const parameters = names.map((name) => ({ name, in: 'query', schema: text }))
    const pets = paths['/pets'] as JsonObject
    const description = api({ ...paths, '/pets': { ...pets, get: { ...(pets['get'] as JsonObject), parameters } } })
    expect(parse(init(description).text).provider.pagination).toEqual(pagination)
    expect(/decide: .*\(pagination/.test(init(description).text)).toBe(pagination === undefined)
  })

  it('removes envelopes', () => {
    const zone = object({ id: text, name: text })
    const around = object({ zone })
    const description = api(
      collection('/zones', {
        request: object({ zone: object({ name: text }) }),
        answer: around,
        list: object({ zones: { type: 'array', items: zone }, meta: { type: 'object' } }),
      }),
    )
    expect(resourceOf(description, 'api_zone')).toMatchObject({
      operations: {
        create: { body: { zone: '{fields}' }, produces: { id: 'zone.id' } },
        retrieve: { answer: 'zone' },
        update: { body: { zone: '{fields}' } },
      },
      lookup: { list: { items: 'zones' } },
    })
  })

  const zone = object({ id: text, name: text })
  const zones: Json = { type: 'array', items: zone }
  it.each<[string, { readonly answer?: Json; readonly list?: Json }, Tree]>([
    [
      'data, one and many',
      { answer: object({ data: zone }), list: object({ data: zones }) },
      { one: 'data', many: 'data' },
    ],
    [
      'result',
      { answer: object({ result: zone, success: {}, errors: {} }), list: object({ result: zones }) },
      { one: 'result', many: 'result' },
    ],
    ['items', { list: object({ items: zones, total: { type: 'integer' } }) }, { many: 'items' }],
    ['its own name', { answer: object({ zone }), list: object({ zones }) }, { one: 'zone', many: 'zones' }],
    [
      'two envelopes',
      { answer: object({ data: object({ zone }) }), list: object({ data: object({ zones, total: text }) }) },
      { one: 'data.zone', many: 'data.zones' },
    ],
    [
      'the parts of HAL',
      { list: object({ _embedded: object({ zones }), page: object({ size: text }) }) },
      { many: '_embedded.zones' },
    ],
    [
      'a member with a dot',
      { answer: object({ 'a.zone': zone }), list: object({ 'a.zones': zones }) },
      { one: '/a.zone', many: '/a.zones' },
    ],
    ['an object that has such a member', { answer: object({ id: text, name: text, data: object({ x: text }) }) }, {}],
    ['nothing', {}, {}],
  ])('finds the object and the list in %s', (_, { answer = zone, list = zones }, { one, many }) => {
    const made = resourceOf(api(collection('/zones', { request: object({ name: text }), answer, list })), 'api_zone')
    expect([made['operations'].retrieve.answer, made['lookup'].list.items, made['discover'].items]).toEqual([
      one,
      many,
      many,
    ])
    const place = one === undefined ? 'id' : `${one}${one.startsWith('/') ? '/' : '.'}id`
    expect(made['operations'].create.produces).toEqual({ id: place })
    expect(made['serverId']).toEqual({ id: 'id' })
  })

  it.each<[string, JsonObject, Tree | undefined]>([
    ['of an operation, under the name of the path', { job: text, zone_id: text }, { zone_id: 'zone_id' }],
    ['of an operation that names the object in another way', { job: text, zone: text }, undefined],
    ['with an object under the name of the path', { job: text, zone_id: object({ x: text }) }, undefined],
  ])('finds the id of a new object in an answer %s', (_, members, produces) => {
    const paths = collection('/zones', { item: '{zone_id}', request: object({ name: text }), answer: zone })
    const post = { ...(paths['/zones'] as Tree)['post'], responses: { 202: json(object(members)) } }
    const made = resourceOf(api({ ...paths, '/zones': { ...(paths['/zones'] as JsonObject), post } }), 'api_zone')
    expect([made['operations'].create.produces, made['serverId']]).toEqual([produces, { zone_id: 'id' }])
  })

  const told: Json = { Location: { schema: text } }
  it.each<[string, Json, Tree]>([
    ['its body', json(zone), { produces: { id: 'id' }, serverId: { id: 'id' } }],
    ['its body and Location', { ...json(zone), headers: told }, { produces: { id: 'id' }, serverId: { id: 'id' } }],
    ['Location', { headers: told }, { produces: { id: { header: 'Location' } }, serverId: { id: 'id' } }],
    [
      'Location, beside a body of another kind',
      { ...json(object({ message: text })), headers: told },
      { produces: { id: { header: 'Location' } }, serverId: { id: 'id' } },
    ],
    ['neither', {}, { serverId: { id: 'id' } }],
    ['neither, with a body of another kind', json(object({ message: text })), { serverId: { id: 'id' } }],
    ['what nobody describes', json({}), { produces: { id: 'id' }, serverId: { id: 'id' } }],
  ])('finds the id of a new object in %s', (_, created, { produces, serverId }) => {
    const paths = collection('/zones', { request: object({ name: text }), answer: zone })
    const post = {
      ...(paths['/zones'] as Tree)['post'],
      responses: { 201: created, default: json(object({ error: text })) },
    }
    const description = api({ ...paths, '/zones': { ...(paths['/zones'] as JsonObject), post } })
    const made = resourceOf(description, 'api_zone')
    expect([made['operations'].create.produces, made['serverId']]).toEqual([produces, serverId])
    expect(init(description).text.includes('does not return {id}')).toBe(produces === undefined)
    const text201 = init(description).text
    expect(
      checkProvider({ name: 'a.yaml', text: text201 }, { name: 'b', text: JSON.stringify(description) }).findings,
    ).toEqual([])
  })

  it('uses the id in Location alone where no answer shows one', () => {
    const shown = object({ name: text })
    const paths = collection('/zones', { request: object({ name: text }), answer: shown })
    const post = { ...(paths['/zones'] as Tree)['post'], responses: { 201: { headers: told } } }
    const made = resourceOf(api({ ...paths, '/zones': { ...(paths['/zones'] as JsonObject), post } }), 'api_zone')
    expect(made['serverId']).toEqual({ id: { header: 'Location' } })
    expect(made['operations'].create.produces).toEqual({ id: { header: 'Location' } })
  })

  it('keeps keys of an object apart from keys of its parents', () => {
    const paths = collection('/orgs/{name}/teams', { request: object({ name: text }), answer: zone })
    const made = resourceOf(api(paths), 'api_team')
    expect(made['identity'].keys).toEqual(['name_2', 'name'])
    expect(made['operations'].create.path).toBe('/orgs/{name_2}/teams')
  })

  const told201 = object({ id: text, name: text, x: text, y: text }, ['id', 'name', 'x'])
  const saying = (description: string): Json => ({ ...text, description })
  it.each<[string, Json, Tree]>([
    ['not among those that are always there', told201, { y: { leftOut: true } }],
    ['nobody says what is always there', zone, { x: { writeOnly: true }, y: { writeOnly: true } }],
    ['optional, and nothing is demanded', object({ id: text, name: text, x: text, y: text }), {}],
    [
      'its text says so',
      object({ id: text, name: text, x: saying('Omitted if empty.'), y: saying('Only present when paid') }),
      { x: { leftOut: true }, y: { leftOut: true } },
    ],
    ['its text says something else', object({ id: text, name: text, x: saying('Set if you like.'), y: text }), {}],
  ])('says leftOut where the description does: %s', (_, answer, expected) => {
    const { x, y } = attributesOf(
      api(collection('/things', { request: object({ name: text, x: text, y: text }), answer })),
      'api_thing',
    )
    expect({ x, y }).toEqual({ x: {}, y: {}, ...expected })
  })

  it('does not say leftOut where requests and answers share a schema', () => {
    const shared = { $ref: '#/components/schemas/Thing' }
    const components = { schemas: { Thing: object({ id: text, name: text, x: text }, ['name']) } }
    const description = api(collection('/things', { request: shared, answer: shared }), { components })
    expect(attributesOf(description, 'api_thing')['x']).toEqual({})
  })

  it.each<[string, Json, Json, string | undefined]>([
    [
      'a total is always there',
      object({ things: zones, total: text }, ['total']),
      [{ place: 'total', is: [0] }],
      undefined,
    ],
    ['nothing tells', object({ things: zones, more: text }, ['more']), undefined as never, 'emptyWhen'],
    [
      'the list is always there',
      object({ things: zones, total: text }, ['total', 'things']),
      undefined as never,
      undefined,
    ],
    ['nobody says so', object({ things: zones, total: text }), undefined as never, undefined],
  ])('says emptyWhen of a list where the description does: %s', (_, list, expected, comment) => {
    const description = api(collection('/things', { request: object({ name: text }), answer: zone, list }))
    expect(resourceOf(description, 'api_thing')['operations'].list.emptyWhen).toEqual(expected)
    expect(/which response means an empty list\? \((.*)\)/.exec(init(description).text)?.[1]).toBe(comment)
  })

  it('has no id that is neither text nor number', () => {
    const answer = object({ id: object({ a: text }), name: text })
    const { types, leftOut } = init(api(collection('/x', { request: object({ name: text }), answer })))
    expect(types).toEqual([])
    expect(leftOut.map(({ reason }) => reason).join()).toContain('no member of its responses can hold it')
  })

  it.each<[string, JsonObject, JsonObject, JsonObject, JsonObject]>([
    ['computed: only answered', {}, {}, { x: text }, { computed: true }],
    ['computed: read-only', { x: { ...text, readOnly: true } }, {}, { x: text }, { computed: true }],
    ['immutable: only in a create', { x: text }, {}, { x: text }, { immutable: true }],
    ['only in an update', {}, { x: text }, { x: text }, { sendOn: 'update' }],
    ['write-only: not answered', { x: text }, { x: text }, {}, { writeOnly: true }],
    ['write-only by its flag', { x: { ...text, writeOnly: true } }, { x: text }, { x: text }, { writeOnly: true }],
    ['written otherwise than read', { x: text }, { x: text }, { x: { type: 'object' } }, { writeOnly: true }],
    [
      'secret by its format',
      { x: { ...text, format: 'password' } },
      { x: text },
      {},
      { sensitive: true, writeOnly: true },
    ],
    [
      'values',
      { x: { enum: ['a', 'b', null] } },
      { x: { enum: ['a', 'c'] } },
      { x: text },
      { values: ['a', 'b', 'c'] },
    ],
    [
      'a default',
      { x: { type: 'boolean', default: false } },
      { x: { type: 'boolean' } },
      { x: {} },
      { type: 'boolean', default: false },
    ],
    [
      'a default of another type',
      { x: { type: 'boolean', default: 'no' } },
      { x: { type: 'boolean' } },
      { x: {} },
      { type: 'boolean' },
    ],
    [
      'a set',
      { x: { type: 'array', uniqueItems: true, items: { type: 'integer' } } },
      { x: {} },
      { x: {} },
      { type: 'set', element: { type: 'number' } },
    ],
    ['a list', { x: { type: 'array', items: text } }, { x: {} }, { x: {} }, { type: 'list', element: {} }],
    [
      'a map',
      { x: { type: 'object', additionalProperties: { type: 'boolean' } } },
      { x: {} },
      { x: {} },
      { type: 'map', element: { type: 'boolean' } },
    ],
    [
      'an object',
      { x: object({ y: text, z: text }) },
      { x: object({ y: text, z: text }) },
      { x: object({ y: text, z: text, at: text }) },
      { type: 'object', attributes: { y: {}, z: {}, at: { computed: true } } },
    ],
    ['anything', { x: { type: ['string', 'integer'] } }, { x: {} }, { x: {} }, { type: 'any' }],
  ])('takes the facts of an attribute from the description: %s', (_, create, change, read, expected) => {
    const description = api(
      collection('/things', {
        request: object({ name: text, ...create }),
        change: object({ name: text, ...change }),
        answer: object({ id: text, name: text, ...read }),
      }),
    )
    expect(attributesOf(description, 'api_thing')['x']).toEqual(expected)
  })

  it('asks where it cannot know', () => {
    const { text: made } = init(
      api(
        collection('/things', {
          request: object({ name: text, api_token: text, tags: { type: 'array', items: text } }),
          answer: object({ id: text, name: text, api_token: text, tags: { type: 'array', items: text } }),
          methods: ['get', 'put', 'delete'],
        }),
      ),
    )
    const decisions = made
      .split('\n')
      .filter((line) => line.includes('decide:'))
      .map((line) => line.trim())
    expect(decisions).toHaveLength(6)
    expect(decisions.join('\n')).toMatch(
      /authentication[\s\S]*unique[\s\S]*replaces the whole[\s\S]*in clear[\s\S]*set/,
    )
  })

  it.each<[string, JsonObject, string]>([
    [
      'nothing creates it',
      { '/x/{id}': { get: { responses: { 200: json(object({ id: text })) } } } },
      'no operation creates it',
    ],
    [
      'another path creates it',
      {
        '/all': { post: { responses: { 201: json({ $ref: '#/components/schemas/X' }) } } },
        '/x/{id}': { get: { responses: { 200: json({ $ref: '#/components/schemas/X' }) } } },
      },
      'POST /all returns the same',
    ],
    [
      'nothing reads it',
      collection('/x', { request: object({ name: text }), list: text, methods: ['delete'] }),
      'no operation reads it',
    ],
    ['its requests are not told', collection('/x', { request: {} }), 'no request schema for POST'],
    ['its path holds a query', collection('/x?kind=a', { request: object({ name: text }) }), 'has a query'],
    [
      'nothing tells it from others',
      collection('/x', { request: object({ on: { type: 'boolean' } }), answer: object({ id: text }) }),
      'no attribute of the request',
    ],
    [
      'it cannot be found again',
      collection('/x', { request: object({ name: text }), answer: object({ id: text, name: text }), list: text }),
      'no list of them',
    ],
  ])('omits an object where %s', (_, paths, reason) => {
    const { types, leftOut } = init(api(paths, { components: { schemas: { X: object({ id: text }) } } }))
    expect(types).toEqual([])
    expect(leftOut.map((one) => one.reason).join()).toContain(reason)
  })

  it('includes only what is requested, by type, collection or path', () => {
    const one = collection('/pets', { request: object({ name: text }) })
    const description = api({ ...one, ...collection('/toys', { request: object({ name: text }) }) })
    for (const name of ['api_pet', 'pets', '/pets', 'pet'])
      expect(init(description, [name]).types).toEqual([{ type: 'api_pet', path: '/pets' }])
    expect(init(description, ['cats'])).toMatchObject({ types: [], unknown: ['cats'], known: ['api_pet', 'api_toy'] })
  })

  it('distinguishes types with the same name by the words around them', () => {
    const description = api({
      ...collection('/a/keys', { request: object({ name: text }) }),
      ...collection('/b/keys', { request: object({ name: text }) }),
    })
    expect(init(description).types.map(({ type }) => type)).toEqual(['api_key', 'api_b_key'])
  })

  it.each<[string, JsonObject, Json]>([
    [
      'an own header',
      { k: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      { header: { name: 'X-Key', secret: '{with.token}' } },
    ],
    [
      'a query',
      { k: { type: 'apiKey', in: 'query', name: 'key' } },
      { query: { name: 'key', secret: '{with.token}' } },
    ],
    [
      'basic',
      { k: { type: 'http', scheme: 'basic' } },
      { basic: { user: '{with.user}', password: '{with.password}' } },
    ],
    ['bearer', { k: { type: 'http', scheme: 'bearer' } }, { bearer: { secret: '{with.token}' } }],
  ])('signs in by %s', (_, securitySchemes, auth) => {
    const description = api(collection('/pets', { request: object({ name: text }) }), {
      components: { securitySchemes },
    })
    expect(parse(init(description).text).provider.auth).toEqual(auth)
  })

  it('is valid whatever the names in the description are', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(
        'id',
        'name',
        'a.b',
        '@type',
        '1st',
        'true',
        'null',
        '__proto__',
        'x\ny',
        '# x',
        '{x}',
        'constructor',
      ),
    )
    const schema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(
          text,
          { type: 'integer', default: 3 },
          { type: 'boolean', readOnly: true },
          {},
          { enum: ['a', 1, null] },
          { type: 'string', enum: ['yes', '#'], default: 'yes' },
        ),
        fc
          .dictionary(name, tie('schema'), { maxKeys: 4 })
          .map((properties) => object(properties as JsonObject, Object.keys(properties).slice(0, 1))),
        tie('schema').map((items) => ({ type: 'array', items })),
        tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
      ),
    })).schema
    const members = fc.dictionary(name, schema, { maxKeys: 5 }) as fc.Arbitrary<JsonObject>
    const parameter = fc
      .oneof(
        fc.constantFrom('id', 'name', 'thing-id', 'a.b'),
        name.map((one) => one.replaceAll(/[{}/?#]/g, '_')),
      )
      .map((one) => `{${one}}`)
    const around = fc.array(fc.oneof(fc.constantFrom('data', 'result', 'thing', 'things'), name), { maxLength: 2 })
    const wrapped = (members: readonly string[], inner: Json): Json =>
      members.reduceRight<Json>((whole, member) => object({ [member]: whole }), inner)
    fc.assert(
      fc.property(
        members,
        members,
        members,
        parameter,
        fc.option(parameter, { nil: undefined }),
        fc.constantFrom('put', 'patch'),
        name,
        fc.record({ read: around, list: around, create: fc.constantFrom('whole', 'envelope', 'Location', 'nothing') }),
        (create, change, read, item, parent, method, title, forms) => {
          const answer = object({ id: text, name: text, ...read })
          const list = { type: 'array', items: answer }
          const path = parent === undefined || parent === item ? '/things' : `/orgs/${parent}/things`
          const paths = collection(path, {
            request: object({ name: text, ...create }),
            change: object(change),
            answer: wrapped(forms.read, answer),
            list: wrapped(forms.list, list),
            item,
            methods: ['get', method, 'delete'],
          })
          const made201: Readonly<Record<string, Json>> = {
            whole: json(answer),
            envelope: json(wrapped(['data'], answer)),
            Location: { headers: { Location: { schema: text } } },
            nothing: {},
          }
          const post = { ...(paths[path] as Tree)['post'], responses: { 201: made201[forms.create] ?? {} } }
          const description = {
            ...api({ ...paths, [path]: { ...(paths[path] as JsonObject), post } }),
            info: { title },
          }
          const made = init(description)
          if (made.types.length === 0) return
          const { findings } = checkProvider(
            { name: 'a.yaml', text: made.text },
            { name: 'b', text: JSON.stringify(description) },
          )
          expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
          expect(init(description).text).toBe(made.text)
        },
      ),
      lawRuns(300),
    )
  })
})

describe('a description of requests alone', () => {
  const requests = object({ name: text, size: { type: 'integer' } }, ['name'])
  const silent = { responses: { 200: { description: 'ok' } } }
  const carts = (item: string): JsonObject =>
    api({
      '/carts': { get: silent, post: { requestBody: json(requests), responses: { 201: { description: 'made' } } } },
      [`/carts/${item}`]: {
        get: silent,
        patch: { requestBody: json(requests), ...silent },
        delete: { responses: { 204: {} } },
      },
    })

  it.each(['{id}', '{name}'])('is made with questions about the answers: %s', (item) => {
    const made = init(carts(item))
    expect(made.leftOut).toEqual([])
    const { api_cart } = parse(made.text).resources
    expect(api_cart.identity).toEqual({ keys: ['name'] })
    expect(Object.keys(api_cart.parts[0].attributes)).toEqual(expect.arrayContaining(['name', 'size']))
    expect(made.text).toContain(
      '# decide: the description has no schema for this response; where is the list in it? (items)',
    )
    expect(made.text).toContain(
      '# decide: the description has no schema for this response: the attributes are those of the requests',
    )
    const report = checkProvider(
      { name: 'a.yaml', text: made.text },
      { name: 'b.json', text: JSON.stringify(carts(item)) },
    )
    expect(report.findings).toEqual([])
  })
})
