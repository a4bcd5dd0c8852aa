import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Transport } from '../../../core/command/transport.ts'
import type { Request, Response } from '../../../core/schema/command.ts'
import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { isObject } from '../../../core/schema/json.ts'
import { configureText, providerOf, typeOf } from '../../builders/rest.ts'

const documentText = (pagination: string, list = '{ method: GET, path: /things }'): string => `
provider:
  id: things
  baseUrl: "http://api.test"
  pagination: ${pagination}
resources:
  api_thing:
    operations:
      list: ${list}
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace }
    discover: { op: list, items: items }
    parts:
      - { name: main, read: { op: list, select: { in: items, where: { id: "{id}" } } }, attributes: { name: { immutable: true } } }
`

type Answering = (request: Request, n: number) => Partial<Response>

const server = (answer: Answering): Transport & { readonly sent: Request[] } => {
  const sent: Request[] = []
  return {
    sent,
    send: async (request) => {
      sent.push(request)
      return { status: 200, headers: {}, body: null, ...answer(request, sent.length) }
    },
  }
}

const names = ['a', 'b', 'c', 'd', 'e']
const all: readonly JsonObject[] = names.map((name, n) => ({ id: `n${n}`, name }))

const discover = (pagination: string, transport: Transport, list?: string) =>
  typeOf(providerOf(documentText(pagination, list), {}), 'api_thing').list?.(
    [{ address: 'api_thing.one', attributes: { name: 'a' } }],
    { transport },
  )
const found = async (pagination: string, transport: Transport, list?: string): Promise<unknown> => {
  const listing = await discover(pagination, transport, list)
  return listing?.kind === 'listed' ? listing.objects.map(({ identity }) => identity['name']).join('') : listing
}

const parameters = ({ url }: Request): URLSearchParams => new URL(url).searchParams
const numberOf = (request: Request, name: string): number => Number(parameters(request).get(name))
const urls = ({ sent }: { readonly sent: readonly Request[] }): readonly string[] =>
  sent.map(({ url }) => url.replace('http://api.test', ''))

/** A server that counts items from a number, and gives `cap` at most. */
const counting =
  (
    cap: number,
    more: (offset: number) => Partial<Response> & { readonly body?: JsonObject } = () => ({}),
    first = 0,
  ): Answering =>
  (request) => {
    const offset = numberOf(request, 'offset') - first
    const extra = more(offset)
    return { ...extra, body: { items: all.slice(offset, offset + cap), ...extra.body } }
  }

describe('pages by offset', () => {
  it.each<[string, string, Answering, string[]]>([
    ['end with an empty one', 'param: offset', counting(2), ['0', '2', '4', '5']],
    [
      'count what was given, not what was asked for',
      'param: offset, size: { param: limit, value: 9 }',
      counting(2),
      ['0', '2', '4', '5'],
    ],
    [
      'end with a short one where the API says so',
      'param: offset, size: { param: limit, value: 2 }, shortEnds: true',
      counting(2),
      ['0', '2', '4'],
    ],
    [
      'end with the number of all',
      'param: offset, total: meta.total',
      counting(2, () => ({ body: { meta: { total: 5 } } })),
      ['0', '2', '4'],
    ],
    [
      'end with the number of all in a header',
      'param: offset, total: { header: X-Total-Count }',
      counting(2, () => ({ headers: { 'x-total-count': '5' } })),
      ['0', '2', '4'],
    ],
    ['may count from 1', 'param: offset, first: 1', counting(3, undefined, 1), ['1', '4', '6']],
    [
      'end with a status of the document',
      'param: offset, end: [404]',
      (request, n) => (numberOf(request, 'offset') === 5 ? { status: 404 } : counting(2)(request, n)),
      ['0', '2', '4', '5'],
    ],
  ])('%s', async (_, keys, answer, offsets) => {
    const api = server(answer)
    expect(await found(`{ style: offset, ${keys} }`, api)).toBe('abcde')
    expect(api.sent.map((request) => parameters(request).get('offset'))).toEqual(offsets)
  })

  it.each<[string, string, Answering, string]>([
    [
      'a total that moves',
      'total: total',
      counting(2, (offset) => ({ body: { total: 5 + offset } })),
      'another number of items',
    ],
    ['no total', 'total: total', counting(2), 'no number of items at total'],
    [
      'a total that is no number',
      'total: { header: n }',
      counting(2, () => ({ headers: { n: 'many' } })),
      'no number of items at the header n',
    ],
    [
      'nothing before the end',
      'total: total',
      counting(2, () => ({ body: { total: 7 } })),
      'no more items after 5 of 7',
    ],
    ['one page for ever', 'maxPages: 9', () => ({ body: { items: all } }), 'the same items'],
  ])('with %s are unknown', async (_, keys, answer, detail) => {
    expect(await found(`{ style: offset, param: offset, ${keys} }`, server(answer))).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('whole lists come whole, whatever the server gives at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        fc.nat({ max: 9 }),
        async (caps, size) => {
          const items = Array.from({ length: size }, (__, n) => ({ id: `n${n}`, name: `${n}` }))
          const api = server((request, n) => {
            const offset = numberOf(request, 'offset')
            return { body: { items: items.slice(offset, offset + (caps[n % caps.length] ?? 1)) } }
          })
          expect(await found('{ style: offset, param: offset }', api)).toBe(items.map(({ name }) => name).join(''))
        },
      ),
    ))
})

/** Pages of two, by a cursor that names the next item. */
const chained =
  (
    put: (cursor: string | undefined, items: readonly JsonObject[]) => Partial<Response> & { body?: JsonObject },
  ): Answering =>
  (request) => {
    const start = names.indexOf(parameters(request).get('after') ?? 'a')
    const items = all.slice(start, start + 2)
    const answer = put(names[start + 2], items)
    return { ...answer, body: { items, ...answer.body } }
  }

describe('pages by cursor', () => {
  const three = ['/things', '/things?after=c', '/things?after=e']
  it.each<[string, string, Answering, readonly string[]]>([
    [
      'in the body, missing at the end',
      'next: meta.next, param: after',
      chained((next) => (next === undefined ? {} : { body: { meta: { next } } })),
      three,
    ],
    [
      'in the body, null at the end',
      'next: next, param: after',
      chained((next) => ({ body: { next: next ?? null } })),
      three,
    ],
    [
      'in the body, empty at the end',
      'next: next, param: after',
      chained((next) => ({ body: { next: next ?? '' } })),
      three,
    ],
    [
      'in a header',
      'next: { header: X-Next }, param: after',
      chained((next) => ({ headers: next === undefined ? {} : { 'x-next': next } })),
      three,
    ],
    [
      'with a word that there is more',
      'next: next, more: has_more, param: after',
      chained((next) => ({ body: { next: next ?? 'ignored', has_more: next !== undefined } })),
      three,
    ],
    [
      'as the whole URL',
      'next: links.next',
      chained((next) => ({ body: { links: { next: next === undefined ? null : `/things?after=${next}` } } })),
      three,
    ],
    [
      'with a size, all else as it was',
      'next: next, param: after, size: { param: "page[size]", value: 2 }, query: { order: "a b" }',
      chained((next) => ({ body: { next: next ?? null } })),
      [
        '/things?order=a%20b&page%5Bsize%5D=2',
        '/things?order=a%20b&page%5Bsize%5D=2&after=c',
        '/things?order=a%20b&page%5Bsize%5D=2&after=e',
      ],
    ],
  ])('%s', async (_, keys, answer, asked) => {
    const api = server(answer)
    expect(await found(`{ style: cursor, ${keys} }`, api)).toBe('abcde')
    expect(urls(api)).toEqual(asked)
  })

  const byLast: Answering = (request) => {
    const start = names.indexOf(parameters(request).get('after') ?? '') + 1
    const items = all.slice(start, start + 2)
    return { body: { items, more: start + 2 < all.length } }
  }
  it.each([
    ['until it is empty', '', ['/things', '/things?after=b', '/things?after=d', '/things?after=e']],
    ['until it says so', ', more: more', ['/things', '/things?after=b', '/things?after=d']],
  ])('from the last item, %s', async (_, keys, asked) => {
    const api = server(byLast)
    expect(await found(`{ style: cursor, last: name, param: after${keys} }`, api)).toBe('abcde')
    expect(urls(api)).toEqual(asked)
  })

  it.each<[string, string, Answering, string]>([
    [
      'the same cursor for ever',
      'next: next, param: after',
      (_, n) => ({ body: { items: [{ id: n, name: `${n}` }], next: 'x' } }),
      'a cursor that it has answered before',
    ],
    [
      'a circle of cursors',
      'next: next, param: after',
      (_, n) => ({ body: { items: [{ id: n, name: `${n}` }], next: `x${n % 3}` } }),
      'a cursor that it has answered before',
    ],
    [
      'an object for a cursor',
      'next: next, param: after',
      chained(() => ({ body: { next: {} } })),
      'an object where a cursor was expected',
    ],
    [
      'true for a cursor',
      'next: next, param: after',
      chained(() => ({ body: { next: true } })),
      'a boolean where a cursor was expected',
    ],
    [
      'more to come and no cursor',
      'next: next, more: more, param: after',
      chained(() => ({ body: { more: true } })),
      'no cursor, and more to come',
    ],
    [
      'no word whether there is more',
      'next: next, more: more, param: after',
      chained((next) => ({ body: { next: next ?? null } })),
      'neither true nor false at more',
    ],
    ['a last item without a cursor', 'last: key, param: after', chained(() => ({})), 'no cursor, and more to come'],
    [
      'a URL of another host',
      'next: next',
      chained(() => ({ body: { next: 'http://evil.test/things' } })),
      'on another host',
    ],
    [
      'a URL of another scheme',
      'next: next',
      chained(() => ({ body: { next: 'https://api.test/things' } })),
      'on another host',
    ],
    ['its own URL', 'next: next', chained(() => ({ body: { next: '/things' } })), 'a link to itself'],
    [
      'the same page for ever',
      'next: next, param: after',
      (_, n) => ({ body: { items: all, next: `x${n}` } }),
      'the same items',
    ],
  ])('with %s are unknown', async (_, keys, answer, detail) => {
    expect(await found(`{ style: cursor, ${keys} }`, server(answer))).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('that are more than allowed are unknown', async () => {
    const endless: Answering = (_, n) => ({ body: { items: [{ id: n, name: `${n}` }], next: `c${n}` } })
    const api = server(endless)
    expect(await found('{ style: cursor, next: next, param: after, maxPages: 7 }', api)).toMatchObject({
      reason: 'page_limit',
    })
    expect(api.sent).toHaveLength(7)
  })

  it('cannot ask for what another target answered', async () => {
    const api = server((_, n) => ({
      body: { items: [{ id: n, name: `${n}` }], next: n === 1 ? '/x?{after:other.one:/token}' : null },
    }))
    await found('{ style: cursor, next: next }', api)
    expect(urls(api)[1]).toBe('/x?%7Bafter:other.one:/token%7D')
  })
})

describe('a list by POST', () => {
  const list = '{ method: POST, path: /search, effect: read, body: { filter: { kind: x }, paging: { order: up } } }'
  const bodies = ({ sent }: { readonly sent: readonly Request[] }): readonly Json[] =>
    sent.map(({ body }) => body ?? null)
  const at = (body: Json | undefined, member: string): Json | undefined => {
    const paging = isObject(body) ? body['paging'] : undefined
    return isObject(paging) ? paging[member] : undefined
  }
  const body = (paging: JsonObject): JsonObject => ({ filter: { kind: 'x' }, paging: { order: 'up', ...paging } })

  it.each<[string, string, Answering, readonly JsonObject[]]>([
    [
      'cursor',
      '{ style: cursor, next: next, param: paging.cursor, in: body, size: { param: paging.limit, value: 3 } }',
      (request) =>
        at(request.body, 'cursor') === 'c-4'
          ? { body: { items: all.slice(3) } }
          : { body: { items: all.slice(0, 3), next: 'c-4' } },
      [body({ limit: 3 }), body({ limit: 3, cursor: 'c-4' })],
    ],
    [
      'offset',
      '{ style: offset, param: paging.offset, in: body, total: total }',
      (request) => ({ body: { items: all.slice(Number(at(request.body, 'offset'))).slice(0, 3), total: 5 } }),
      [body({ offset: 0 }), body({ offset: 3 })],
    ],
    [
      'page',
      '{ style: page, param: paging.page, in: body, pages: pages }',
      (request) => ({ body: { items: at(request.body, 'page') === 1 ? all.slice(0, 3) : all.slice(3), pages: 2 } }),
      [body({ page: 1 }), body({ page: 2 })],
    ],
  ])('asks for its pages in the body: %s', async (_, pagination, answer, sent) => {
    const api = server(answer)
    const operation = `${list.slice(0, -2)}, pagination: ${pagination} }`
    expect(await found('{ style: none }', api, operation)).toBe('abcde')
    expect(bodies(api)).toEqual(sent)
    expect(api.sent.every(({ effect, url }) => effect === 'read' && url === 'http://api.test/search')).toBe(true)
  })
})

describe('the document of a list', () => {
  const get = '{ method: GET, path: /things'
  it.each([
    ['{ style: offset, param: o, shortEnds: true }', undefined, 'nobody knows which page is short without a size'],
    ['{ style: cursor, param: c }', undefined, 'a cursor is in the answer or in its last item'],
    ['{ style: cursor, next: a, last: b, param: c }', undefined, 'a cursor is in the answer or in its last item'],
    ['{ style: cursor, last: b }', undefined, 'no param takes it'],
    ['{ style: cursor, next: b, in: body }', undefined, 'a body needs a place for the cursor'],
    [
      '{ style: none }',
      `${get}, pagination: { style: cursor, next: a, param: c, in: body } }`,
      'a GET that lists has no body to ask in',
    ],
    ['{ style: none }', `${get}, body: { a: 1 } }`, 'a GET sends no body'],
    ['{ style: none }', `${get}/../x }`, 'segment of a path is lost'],
    ['{ style: none }', `${get}//x }`, 'segment of a path is lost'],
    ['{ style: none }', `${get}/%2e%2e }`, 'segment of a path is lost'],
    [
      '{ style: none }',
      `${get}, absent: [404], unknown: { 404: forbidden } }`,
      'status 404 is both absent and unknown',
    ],
  ])('%s %s is told: %s', (pagination, list, message) => {
    const configured = configureText(documentText(pagination, list), {})
    expect(configured.ok ? [] : configured.issues.map((issue) => issue.message).join('\n')).toContain(message)
  })
})
