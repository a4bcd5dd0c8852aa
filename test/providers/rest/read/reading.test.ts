import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { encodeSegment } from '../../../../core/providers/rest/request/build-url.ts'
import { anApi, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const documentText = (pagination: string): string => `
provider:
  id: things
  baseUrl: "http://api.test"
  pagination: ${pagination}
  reads: { absent: [404, 410], unknown: { 423: rate_limited } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}", answer: data }
      notes: { method: GET, path: "/things/{id}/notes" }
      flags: { method: GET, path: /flags, pagination: { style: none } }
      create: { method: POST, path: /things, produces: { id: data.id } }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: { query: { name: "{name}" }, items: items }, match: [name], where: { removed: false } }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { normalise: [lower] }
          size: { type: number, path: spec.size, send: spec.size }
          body: { type: any }
      - name: notes
        read: { op: notes, absent: [404] }
        write: { op: update }
        attributes: { text: {} }
      - name: flag
        read: { op: flags, select: { in: items, where: { thing: "{id}" } } }
        write: { op: update }
        attributes: { flag: { type: boolean, path: on } }
`
const given = {}
const typeWith = (pagination = '{ style: none }') => typeOf(providerOf(documentText(pagination), given), 'api_thing')

const list = 'GET /things?name=One'
const item = (id: number, name: string, removed = false) => ({ id, name, removed })
const answers = (more: Parameters<typeof anApi>[0] = {}): Parameters<typeof anApi>[0] => ({
  [list]: { body: { items: [item(1, 'other'), item(7, 'one'), item(8, 'one', true)] } },
  'GET /things/7': { body: { data: { id: 7, name: 'ONE', spec: { size: 3 }, body: { $secret: 'env:HOME' } } } },
  'GET /things/7/notes': { body: { text: 'hello' } },
  'GET /flags': {
    body: {
      items: [
        { thing: '6', on: false },
        { thing: '7', on: true },
      ],
    },
  },
  ...more,
})
const read = (more: Parameters<typeof anApi>[0] = {}, pagination?: string) =>
  typeWith(pagination).read(
    { address: 'api_thing.one', attributes: { name: 'One' } },
    { transport: anApi(answers(more)) },
  )

describe('the reading of an object', () => {
  it('finds by key, checks every match itself, and reads all parts', async () => {
    expect(await read()).toEqual({
      kind: 'present',
      ids: { id: '7' },
      attributes: {
        name: 'ONE',
        size: 3,
        // What an API answers can never be taken for a reference of ours.
        body: { $literal: { $secret: 'env:HOME' } },
        text: 'hello',
        flag: true,
      },
      // Its write replaces the object, and sends back what nobody names.
      objects: {
        main: { body: { $literal: { $secret: 'env:HOME' } }, id: 7, name: 'ONE', spec: { size: 3 } },
      },
    })
  })

  it.each([
    [401, 'unauthorised'],
    [408, 'timeout'],
    [423, 'rate_limited'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
    [302, 'unexpected_status'],
    [400, 'unexpected_status'],
  ])('is unknown at %i: %s, in whichever request', async (status, reason) => {
    for (const request of [list, 'GET /things/7', 'GET /things/7/notes', 'GET /flags']) {
      expect(await read({ [request]: { status, body: {} } })).toMatchObject({ kind: 'unknown', reason })
    }
  })

  it('is unknown at 403 as a whole, or for the attributes of the forbidden part', async () => {
    const refused = { status: 403, body: {} }
    for (const request of [list, 'GET /things/7'])
      expect(await read({ [request]: refused })).toMatchObject({ kind: 'unknown', reason: 'forbidden' })
    expect(await read({ 'GET /things/7/notes': refused })).toMatchObject({
      attributes: { name: 'ONE', size: 3, flag: true },
      unread: { text: { reason: 'forbidden' } },
    })
    expect(await read({ 'GET /flags': refused })).toMatchObject({
      attributes: { name: 'ONE', size: 3, text: 'hello' },
      unread: { flag: { reason: 'forbidden' } },
    })
  })

  const about = { method: 'GET', url: 'http://api.test/things' }
  it.each([
    [new AppError('REQUEST_FAILED', { ...about, detail: 'reset', reason: 'network' }), 'network'],
    [new AppError('REQUEST_FAILED', { ...about, detail: 'slow', reason: 'timeout' }), 'timeout'],
    [new AppError('RESPONSE_TOO_LARGE', { ...about, limit: 1 }), 'bad_body'],
    [new AppError('RESPONSE_INVALID', { ...about, detail: 'cut off' }), 'bad_body'],
    [new AppError('SECRET_UNRESOLVED', { source: 'env:X', detail: 'not set' }), 'secret'],
  ])('is unknown at %s: %s', async (error, reason) => {
    expect(await read({ 'GET /things/7': error })).toMatchObject({ kind: 'unknown', reason })
  })

  it('is unknown where a write was refused, and says which', async () => {
    expect(await read({ [list]: new AppError('WRITE_IN_CHECK', about) })).toEqual({
      kind: 'unknown',
      reason: 'provider_fault',
      detail: 'a check must not write: GET http://api.test/things was not sent',
    })
  })

  it.each<[string, string, Json]>([
    ['a page of text', list, '<html>'],
    ['a list where an object belongs', 'GET /things/7', []],
    ['an object where a list belongs', list, { items: {} }],
    ['no list at all', list, { other: [] }],
    ['a list of texts', list, { items: ['one'] }],
    ['nothing', 'GET /things/7', null],
    ['no envelope', 'GET /things/7', { id: 7, name: 'one' }],
  ])('is unknown with a bad body at %s', async (_, request, body) => {
    expect(await read({ [request]: { body } })).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
  })

  it('is absent only where nothing matches, or where its own read answers a listed status', async () => {
    expect(await read({ [list]: { body: { items: [] } } })).toEqual({ kind: 'absent' })
    expect(await read({ [list]: { body: { items: [item(8, 'one', true)] } } })).toEqual({ kind: 'absent' })
    expect(await read({ [list]: { status: 404 } })).toMatchObject({ kind: 'unknown', reason: 'unexpected_status' })
    expect(await read({ 'GET /flags': { status: 404 } })).toMatchObject({ kind: 'unknown' })
  })

  describe('treats null as nothing where the document says so', () => {
    const saysNull = documentText('{ style: none }')
      .replace('absent: [404, 410]', 'absent: [404, null]')
      .replace('items: items }, match', 'items: items, absent: [null] }, match')
      .replace('absent: [404] }\n        write', 'absent: [404, null] }\n        write')
    const readWith = (more: Parameters<typeof anApi>[0]) =>
      typeOf(providerOf(saysNull, given), 'api_thing').read(
        { address: 'api_thing.one', attributes: { name: 'One' }, ids: { id: '7' } },
        { transport: anApi(answers(more)) },
      )
    const nobody = { [list]: { body: { items: [] } } }

    it('for an object, a list and a part', async () => {
      expect(await readWith({ ...nobody, 'GET /things/7': { body: { data: null } } })).toEqual({ kind: 'absent' })
      const none = { [list]: { body: { items: null } }, 'GET /things/7': { status: 404, body: {} } }
      expect(await readWith(none)).toEqual({ kind: 'absent' })
      const { attributes } = (await readWith({ 'GET /things/7/notes': { body: null } })) as { attributes: object }
      expect(attributes).toMatchObject({ name: 'ONE', flag: true })
      expect(attributes).not.toHaveProperty('text')
    })
    it.each<[string, Parameters<typeof anApi>[0]]>([
      ['a missing object', { ...nobody, 'GET /things/7': { body: {} } }],
      ['an empty list', { ...nobody, 'GET /things/7': { body: { data: [] } } }],
      ['null where it is not said', { 'GET /flags': { body: { items: null } } }],
    ])('but %s is still a bad body', async (_, more) => {
      expect(await readWith(more)).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
    })
  })

  it('is ambiguous where two objects match', async () => {
    expect(await read({ [list]: { body: { items: [item(7, 'one'), item(9, 'One')] } } })).toMatchObject({
      kind: 'unknown',
      reason: 'ambiguous',
      detail: '2 objects have the same name (id 7, id 9)',
      among: [{ id: '7' }, { id: '9' }],
    })
  })

  it.each([
    [[7, 7], 'its list shows id 7 2 times: the list moved while it was read, or its ids are not those of the objects'],
    [[7, 9, 7], '2 objects have the same name (id 7, id 9)'],
  ])('names no object twice where its list shows the ids %j', async (ids, detail) => {
    const items = ids.map((id, at) => ({ ...item(id, 'one'), text: String(at) }))
    expect(await read({ [list]: { body: { items } } })).toMatchObject({ kind: 'unknown', reason: 'ambiguous', detail })
  })

  it('treats a missing part as absent where the document allows that', async () => {
    const result = await read({ 'GET /things/7/notes': { status: 404, body: {} } })
    expect(result).toMatchObject({ kind: 'present' })
    expect(result).not.toHaveProperty('attributes.text')
  })

  it('answers the object of a stored id, whatever its name is, without a search by name', async () => {
    const target = { address: 'api_thing.one', attributes: { name: 'One' }, ids: { id: '7' } }
    const reading = async (found: Parameters<typeof answers>[0]) => {
      const api = anApi(answers({ [list]: new Error('nobody asks for the name'), ...found }))
      return typeWith().read(target, { transport: api })
    }
    const renamed = { body: { data: { id: 7, name: 'renamed' } } }
    expect(await reading({ 'GET /things/7': renamed })).toMatchObject({
      kind: 'present',
      ids: { id: '7' },
      attributes: { name: 'renamed' },
    })
    expect(await reading({ 'GET /things/7': { status: 404, body: {} } })).toEqual({ kind: 'absent' })
    expect(await reading({ 'GET /things/7': { status: 403 } })).toMatchObject({ reason: 'forbidden' })
    const another = { body: { data: { id: 8, name: 'one' } } }
    expect(await reading({ 'GET /things/7': another })).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
  })
})

describe('the pages of a list', () => {
  const page = (n: number, items: Json[], more: object = {}) =>
    [`GET /things?name=One&page=${n}`, { body: { items, ...more } }] as const
  const numbered = '{ style: page, param: page, maxPages: 3, end: [400] }'

  it.each([
    ['an empty page', [page(1, [item(1, 'x')]), page(2, [item(7, 'one')]), page(3, [])]],
    [
      'a status of the document',
      [
        page(1, [item(1, 'x')]),
        page(2, [item(7, 'one')]),
        ['GET /things?name=One&page=3', { status: 400, body: {} }] as const,
      ],
    ],
  ])('end with %s', async (_, pages) => {
    expect(await read(Object.fromEntries(pages), numbered)).toMatchObject({ kind: 'present', ids: { id: '7' } })
  })

  it('end with the number in the answer', async () => {
    const counted = '{ style: page, param: page, pages: page_count, query: { page_size: 1 } }'
    const at = (n: number, items: Json[]) =>
      [`GET /things?name=One&page_size=1&page=${n}`, { body: { items, page_count: 2 } }] as const
    const pages = Object.fromEntries([at(1, [item(1, 'x')]), at(2, [item(7, 'one')])])
    expect(await read(pages, counted)).toMatchObject({ kind: 'present' })
  })

  it('are unknown beyond their limit, although the object was seen', async () => {
    const pages = Object.fromEntries([1, 2, 3].map((n) => page(n, [item(n === 1 ? 7 : n, n === 1 ? 'one' : 'x')])))
    expect(await read(pages, numbered)).toMatchObject({ kind: 'unknown', reason: 'page_limit' })
  })

  it('are unknown where one fails', async () => {
    const pages = Object.fromEntries([
      page(1, [item(7, 'one')]),
      ['GET /things?name=One&page=2', { status: 502 }] as const,
    ])
    expect(await read(pages, numbered)).toMatchObject({ kind: 'unknown', reason: 'server_error' })
  })

  it('follow links, on the same host only', async () => {
    const linked = '{ style: link }'
    const next = (url: string) => ({
      [list]: { body: { items: [item(1, 'x')] }, headers: { link: `<${url}>; rel="next"` } },
    })
    const second = { 'GET /things?after=1': { body: { items: [item(7, 'one')] } } }
    expect(await read({ ...next('/things?after=1'), ...second }, linked)).toMatchObject({ kind: 'present' })
    expect(await read(next('http://other.test/things'), linked)).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
  })
})

describe('a link to a next page', () => {
  it('cannot read what another target answered', async () => {
    const link = { link: '</things?leak={after:other.one:/attributes/token}>; rel="next"' }
    const api = anApi(answers({ [list]: { body: { items: [] }, headers: link } }))
    const target = { address: 'api_thing.one', attributes: { name: 'One' } }
    await typeWith('{ style: link }').read(target, { transport: api })
    expect(api.sent.map(({ url }) => url)).toEqual([
      'http://api.test/things?name=One',
      'http://api.test/things?leak={after:other.one:/attributes/token}',
    ])
  })
})

describe('the variables of a path', () => {
  const anyText = fc.string({ unit: 'grapheme' })

  it('come back unchanged, and never leave their segment', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('full' as const, 'plain' as const), (text, encoding) => {
        const segment = encodeSegment(text, encoding)
        expect(decodeURIComponent(segment)).toBe(text)
        expect(segment).not.toMatch(/[/?#{}\s]/)
      }),
    )
  })

  it.each([
    ['/', '%2F', '%2F'],
    ['order.%2A~abc', 'order.%252A~abc', 'order.%252A~abc'],
    ["a(b)'*!", 'a%28b%29%27%2A%21', "a(b)'*!"],
    ['a:b@c=d', 'a%3Ab%40c%3Dd', 'a:b@c=d'],
  ])('encode %j as %s in full and as %s in plain', (text, full, plain) => {
    expect([encodeSegment(text, 'full'), encodeSegment(text, 'plain')]).toEqual([full, plain])
  })

  it.each(['', '.', '..'])('cannot be %j, which a URL would lose', async (id) => {
    const target = { address: 'api_thing.one', attributes: { name: 'One' }, ids: { id } }
    const result = await typeWith().read(target, { transport: anApi(answers()) })
    expect(result).toMatchObject({ kind: 'unknown', reason: 'unresolved' })
  })
})

describe('a list whose items are the members of an object', () => {
  const type = typeOf(
    providerOf(
      `
provider: { id: things, baseUrl: "http://api.test" }
resources:
  api_ref:
    operations:
      list: { method: GET, path: /refs }
      create: { method: POST, path: /refs }
      delete: { method: DELETE, path: "/refs/{name}" }
    identity: { keys: [name] }
    lookup: { list: { items: refs, keyed: name }, match: [name] }
    parts: [{ name: main, read: list, attributes: { name: { immutable: true }, branch: { immutable: true } } }]
`,
      given,
    ),
    'api_ref',
  )
  const target = { address: 'api_ref.one', attributes: { name: 'a' } }

  it.each<[Json, unknown]>([
    [{ refs: { a: { branch: 'main' } } }, { kind: 'present', attributes: { name: 'a', branch: 'main' } }],
    [{ refs: { b: { branch: 'main' } } }, { kind: 'absent' }],
    [{ refs: {} }, { kind: 'absent' }],
    [{ refs: { a: 'main' } }, { kind: 'unknown', reason: 'bad_body' }],
    [
      { refs: [] },
      { kind: 'unknown', detail: 'GET http://api.test/refs answered a list where an object was expected' },
    ],
    [{}, { kind: 'unknown', detail: 'GET http://api.test/refs answered nothing where an object was expected' }],
  ])('is read by the name of the member: %j', async (body, expected) => {
    expect(await type.read(target, { transport: anApi({ 'GET /refs': { body } }) })).toMatchObject(expected as object)
  })
})
