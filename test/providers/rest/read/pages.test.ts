import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Request } from '../../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { isObject } from '../../../../core/engine/schema/json.ts'
import {
  type Answering,
  aListServer,
  type Besides,
  listItems,
  namesListed,
  numberOf,
  pagedDocument,
  parameters,
} from '../../../builders/servers/paged-lists.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/** A server that counts items from a number, and gives `cap` at most. */
const counting =
  (cap: number, more: (offset: number) => Besides = () => ({}), first = 0): Answering =>
  (request) => {
    const offset = numberOf(request, 'offset') - first
    const extra = more(offset)
    return { ...extra, body: { items: listItems.slice(offset, offset + cap), ...extra.body } }
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
      (request, n) => (numberOf(request, 'offset') === 5 ? { status: 404, body: {} } : counting(2)(request, n)),
      ['0', '2', '4', '5'],
    ],
  ])('are read to the end: they %s', async (_, keys, answer, offsets) => {
    const api = aListServer(answer)
    expect(await namesListed(`{ style: offset, ${keys} }`, api)).toBe('abcde')
    expect(api.sent.map((request) => parameters(request).get('offset'))).toEqual(offsets)
  })

  it.each([
    ['whole where the document calls them a success', ', success: [200, 206]', 'abcde'],
    ['no list where it does not', '', { kind: 'unknown', reason: 'unexpected_status' }],
  ])('are %s if they are a part of the list (206)', async (_, success, expected) => {
    const parts: Answering = (request, n) => ({ ...counting(2)(request, n), status: 206 })
    const list = `{ method: GET, path: /things${success} }`
    expect(await namesListed('{ style: offset, param: offset }', aListServer(parts), list)).toEqual(
      typeof expected === 'string' ? expected : expect.objectContaining(expected),
    )
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
    ['one page for ever', 'maxPages: 9', () => ({ body: { items: listItems } }), 'the same items'],
  ])('with %s are unknown', async (_, keys, answer, detail) => {
    expect(await namesListed(`{ style: offset, param: offset, ${keys} }`, aListServer(answer))).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('are read whole, however much the server gives at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        fc.nat({ max: 9 }),
        async (caps, size) => {
          const items = Array.from({ length: size }, (__, n) => ({ id: `n${n}`, name: `${n}` }))
          const api = aListServer((request, n) => {
            const offset = numberOf(request, 'offset')
            return { body: { items: items.slice(offset, offset + (caps[n % caps.length] ?? 1)) } }
          })
          expect(await namesListed('{ style: offset, param: offset }', api)).toBe(
            items.map(({ name }) => name).join(''),
          )
        },
      ),
    ))
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
          ? { body: { items: listItems.slice(3) } }
          : { body: { items: listItems.slice(0, 3), next: 'c-4' } },
      [body({ limit: 3 }), body({ limit: 3, cursor: 'c-4' })],
    ],
    [
      'offset',
      '{ style: offset, param: paging.offset, in: body, total: total }',
      (request) => ({ body: { items: listItems.slice(Number(at(request.body, 'offset'))).slice(0, 3), total: 5 } }),
      [body({ offset: 0 }), body({ offset: 3 })],
    ],
    [
      'page',
      '{ style: page, param: paging.page, in: body, pages: pages }',
      (request) => ({
        body: { items: at(request.body, 'page') === 1 ? listItems.slice(0, 3) : listItems.slice(3), pages: 2 },
      }),
      [body({ page: 1 }), body({ page: 2 })],
    ],
  ])('asks for its pages in the body: %s', async (_, pagination, answer, sent) => {
    const api = aListServer(answer)
    const operation = `${list.slice(0, -2)}, pagination: ${pagination} }`
    expect(await namesListed('{ style: none }', api, operation)).toBe('abcde')
    expect(bodies(api)).toEqual(sent)
    expect(api.sent.every(({ effect, url }) => effect === 'read' && url === 'http://api.test/search')).toBe(true)
  })
})

describe('the definition of a list', () => {
  const get = '{ method: GET, path: /things'
  it.each([
    [
      '{ style: offset, param: o, shortEnds: true }',
      undefined,
      'shortEnds cannot recognise a short page without a size',
    ],
    ['{ style: cursor, param: c }', undefined, 'the cursor is either in the answer or in its last item'],
    [
      '{ style: cursor, next: a, last: b, param: c }',
      undefined,
      'the cursor is either in the answer or in its last item',
    ],
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
  ])('%s with %s is refused: %s', (pagination, list, message) => {
    const configured = configureText(pagedDocument(pagination, list), {})
    expect(configured.ok ? [] : configured.issues.map((issue) => issue.message).join('\n')).toContain(message)
  })
})
