import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { startRoutes } from '../../../builders/servers/json-routes.ts'
import { driveDocument } from '../../../builders/servers/things-api.ts'

/* A list that says of itself that it goes on is not all there is, whatever the document describes. */

const things = [
  { id: '1', name: 'a' },
  { id: '2', name: 'b' },
]

interface Answer {
  readonly body: Json
  readonly headers?: Record<string, string>
  readonly items?: string
  readonly query?: string
}

const documentOf = ({ items = '', query = '{}' }: Answer, pagination: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }${pagination} }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things, query: ${query} }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things, produces: { id: id } }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: { items: "${items}" }, match: [name] }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`

/** What a check plans for a thing that is on no page that was read. */
const check = async (answer: Answer, pagination = '') => {
  const { body, headers = {} } = answer
  await using server = await startRoutes({ 'GET /things': () => ({ status: 200, body, headers }) })
  const { check: look } = driveDocument(server, documentOf(answer, pagination), [
    { type: 'api_thing', name: 'z', spec: { name: 'z' } },
  ])
  const { plan } = await look()
  return [
    ...plan.changes.map(({ action }) => action),
    ...plan.unchecked.map(({ reason, detail }) => `${reason}: ${detail}`),
  ]
}

const inItems = (more: Record<string, Json>): Answer => ({ body: { items: things, ...more }, items: 'items' })

const sure: readonly (readonly [string, Answer])[] = [
  ['Link', { body: things, headers: { link: '</things?page=2>; rel="next"' } }],
  ['Content-Range', { body: things, headers: { 'content-range': 'items 0-1/319' } }],
  ['"next"', inItems({ next: '/things?page=2' })],
  ['"next"', inItems({ next: { href: '/things?page=2' } })],
  ['"has_more" true', inItems({ has_more: true })],
  ['"hasNextPage" true', inItems({ hasNextPage: true })],
  ['"nextPageToken"', inItems({ nextPageToken: 'abc' })],
  ['"@odata.nextLink"', { body: { value: things, '@odata.nextLink': 'https://x/things?$skip=2' }, items: 'value' }],
  ['"meta.next_page"', inItems({ meta: { next_page: 2 } })],
  ['"_links.next"', inItems({ _links: { next: { href: '/things?page=2' } } })],
  [
    '"data.pageInfo.hasNextPage" true',
    { body: { data: { nodes: things, pageInfo: { hasNextPage: true } } }, items: 'data.nodes' },
  ],
  ['"IsTruncated" true', inItems({ IsTruncated: true })],
  ['"last" false', inItems({ last: false })],
  ['"metadata.continue"', inItems({ metadata: { continue: 'abc' } })],
  ['"links.0.href"', inItems({ links: [{ rel: 'next', href: '/things?page=2' }] })],
  ['"meta.cursor.next"', inItems({ meta: { cursor: { next: 'abc' } } })],
  ['x-next-page', { body: things, headers: { 'x-next-page': '2' } }],
]

const numbers: readonly (readonly [string, Answer])[] = [
  ['x-total-count', { body: things, headers: { 'x-total-count': '3' } }],
  ['"total" 3', inItems({ total: 3 })],
  ['"meta.total" 3', inItems({ meta: { total: 3 } })],
  ['"count" 3', inItems({ count: 3 })],
  ['"page.totalElements" 3', inItems({ page: { size: 2, totalElements: 3 } })],
  ['"total_pages" 2', inItems({ page: 1, total_pages: 2 })],
  ['"limit" 2', inItems({ limit: 2 })],
  ['"meta.pagination.total" 3', inItems({ meta: { pagination: { total: 3 } } })],
  ['"total" "3"', inItems({ total: '3' })],
  ['"cursor" "abc"', inItems({ cursor: 'abc' })],
  ['"meta.marker" "abc"', inItems({ meta: { marker: 'abc' } })],
  ['Content-Range with *', { body: things, headers: { 'content-range': 'crates 0-1/*' } }],
  ['"remainingItemCount" 1', inItems({ remainingItemCount: 1 })],
  ['"done" false', inItems({ done: false })],
  ['x-total-pages with 2', { body: things, headers: { 'x-total-pages': '2' } }],
  ['x-per-page with 2', { body: things, headers: { 'x-per-page': '2' } }],
  ['as many items as $top=2 of the request allows', { body: things, query: '{ $top: 2 }' }],
]

describe('a list that goes on', () => {
  eachOf(it, 9)(sure)('by %s is unknown, also where the document says that it is one answer', async (sign, answer) => {
    for (const pagination of ['', ', pagination: { style: none }']) {
      const [what = '', ...more] = await check(answer, pagination)
      const [, despite] = /add despite: (\[.*\]) to pagination/.exec(what) ?? []
      // A header says nothing else; what a member says, a document may know better.
      expect(despite === undefined).toBe(answer.headers !== undefined)
      if (despite !== undefined)
        expect(await check(answer, `, pagination: { style: none, despite: ${despite} }`)).toEqual(['create'])
      expect(more).toEqual([])
      expect(what).toMatch(/^bad_body: GET \S+ answered a list that goes on, by /)
      expect(what).toContain(sign)
      expect(what).toContain('describe its pages under pagination')
    }
  })

  it.each(numbers)('by %s is unknown, unless the document says what its pages are', async (sign, answer) => {
    const [what] = await check(answer)
    expect(what).toContain(`a list that goes on, by `)
    expect(what).toContain(sign)
    expect(what).toContain('or write style: none if this is all of it')
    expect(await check(answer, ', pagination: { style: none }')).toEqual(['create'])
  })
})

describe('pages that end before a total that only the answer names', () => {
  const paged = [
    '{ style: link',
    '{ style: page, param: page, size: { param: size, value: 50 }, shortEnds: true',
    '{ style: page, param: page, pages: pages',
    '{ style: cursor, next: meta.next, param: cursor',
  ]

  it.each(paged)('are unknown, until the document says that it counts something else: %s', async (pagination) => {
    const answer = inItems({ total: 45, pages: 1 })
    const [what] = await check(answer, `, pagination: ${pagination} }`)
    expect(what).toMatch(/^bad_body: .* "total" 45, although pagination has it end here/)
    expect(await check(answer, `, pagination: ${pagination}, total: false }`)).toEqual(['create'])
  })

  it('are unknown where the cursor is at another place than the document says', async () => {
    const answer = inItems({ next_cursor: 'abc' })
    const [what] = await check(answer, `, pagination: ${paged[3]} }`)
    expect(what).toContain('a list that goes on, by "next_cursor"')
  })
})

/** The example of the message, with a name for each word that a reader replaces. */
const proposed = (message = ''): string =>
  /pagination, for example (\{.*?\})(?:, or\b|$)/.exec(message)?.[1]?.replaceAll(/<\w+>/g, 'page') ?? 'none'

describe('what the message proposes', () => {
  eachOf(it, 16)([...sure, ...numbers])(
    'where a list goes on by %s is valid, and describes its pages',
    async (_, answer) => {
      const [what] = await check(answer)
      const [again] = await check(answer, `, pagination: ${proposed(what)}`)
      expect(again).not.toContain('goes on')
    },
  )

  it.each<[string, Answer, string]>([
    ['a header', { body: things, headers: { link: '</things?page=2>; rel="next"' } }, '{ style: link }'],
    ['a URL', inItems({ meta: { next: '/things?page=2' } }), '{ style: cursor, next: meta.next }'],
    ['a URL in an object', inItems({ links: { next: { href: '/x' } } }), '{ style: cursor, next: links.next.href }'],
    ['a token', inItems({ nextPageToken: 'abc' }), '{ style: cursor, next: nextPageToken, param: page }'],
    [
      'a name with a dot',
      { body: { value: things, '@odata.nextLink': 'https://x/y' }, items: 'value' },
      '{ style: cursor, next: "/@odata.nextLink" }',
    ],
    ['a number', inItems({ meta: { total: 3 } }), '{ style: page, param: page, total: meta.total }'],
  ])('names the place of the sign: %s', async (_, answer, pagination) => {
    expect(proposed((await check(answer))[0])).toBe(pagination)
  })
})

describe('a list that ends', () => {
  it.each<[string, Answer]>([
    ['nothing is said', { body: things }],
    ['there is no next', inItems({ next: null })],
    ['next is empty', inItems({ next: '', has_more: false })],
    ['a cursor is left over', inItems({ next_cursor: 'x', has_more: false })],
    ['the total came', inItems({ total: 2, limit: 2 })],
    ['there is room for more', inItems({ limit: 50 })],
    ['another relation is linked', { body: things, headers: { link: '</things?page=1>; rel="first"' } }],
    ['bytes are counted', { body: things, headers: { 'content-range': 'bytes 0-1/319' } }],
    ['an item has such members', { body: [{ ...things[0], next: '/x', has_more: true, total: 9 }] }],
    ['it is empty', inItems({ limit: 0, total: 0 })],
    ['it is the last page, and a link is left over', inItems({ last: true, next: '/things?page=2' })],
    ['fewer than were asked for came', { body: things, query: '{ limit: 3 }' }],
    ['an unknown member has a total', inItems({ basket: { total: 45 } })],
  ])('is believed where %s', async (_, answer) => {
    expect(await check(answer)).toEqual(['create'])
  })
})
