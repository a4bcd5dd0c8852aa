import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  type Answering,
  aListServer,
  type Besides,
  listItems,
  listNames,
  namesListed,
  parameters,
  urls,
} from '../../../builders/servers/paged-lists.ts'

/** Pages of two, by a cursor that names the next item. */
const chained =
  (put: (cursor: string | undefined, items: readonly JsonObject[]) => Besides): Answering =>
  (request) => {
    const start = listNames.indexOf(parameters(request).get('after') ?? 'a')
    const items = listItems.slice(start, start + 2)
    const answer = put(listNames[start + 2], items)
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
  ])('are read to the end wherever the cursor stands: %s', async (_, keys, answer, asked) => {
    const api = aListServer(answer)
    expect(await namesListed(`{ style: cursor, ${keys} }`, api)).toBe('abcde')
    expect(urls(api)).toEqual(asked)
  })

  const byLast: Answering = (request) => {
    const start = listNames.indexOf(parameters(request).get('after') ?? '') + 1
    const items = listItems.slice(start, start + 2)
    return { body: { items, more: start + 2 < listItems.length } }
  }
  it.each([
    ['until it is empty', '', ['/things', '/things?after=b', '/things?after=d', '/things?after=e']],
    ['until it says so', ', more: more', ['/things', '/things?after=b', '/things?after=d']],
  ])('can start from the last item, %s', async (_, keys, asked) => {
    const api = aListServer(byLast)
    expect(await namesListed(`{ style: cursor, last: name, param: after${keys} }`, api)).toBe('abcde')
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
      (_, n) => ({ body: { items: listItems, next: `x${n}` } }),
      'the same items',
    ],
  ])('with %s are unknown', async (_, keys, answer, detail) => {
    expect(await namesListed(`{ style: cursor, ${keys} }`, aListServer(answer))).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('are unknown beyond their limit', async () => {
    const endless: Answering = (_, n) => ({ body: { items: [{ id: n, name: `${n}` }], next: `c${n}` } })
    const api = aListServer(endless)
    expect(await namesListed('{ style: cursor, next: next, param: after, maxPages: 7 }', api)).toMatchObject({
      reason: 'page_limit',
    })
    expect(api.sent).toHaveLength(7)
  })

  it('cannot read what another target answered', async () => {
    const api = aListServer((_, n) => ({
      body: { items: [{ id: n, name: `${n}` }], next: n === 1 ? '/x?{after:other.one:/token}' : null },
    }))
    await namesListed('{ style: cursor, next: next }', api)
    expect(urls(api)[1]).toBe('/x?{after:other.one:/token}')
  })
})
