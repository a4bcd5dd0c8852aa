import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Request } from '../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray, isObject } from '../../../core/engine/schema/json.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { decodeBody } from '../../../functions/adapters/transport/http/body.ts'
import { actor, testDeps, yaml } from '../workspaces/workspace.ts'

/*
 * Generated documents for one small API, and everything that can come back instead of an answer: the sweep of faults is
 * their product. An answer is bytes with headers, decoded by the real transport's decoder.
 */

const lookups = ['retrieve', 'list', 'list and retrieve', 'list and follow'] as const
const pagings = ['none', 'link', 'page', 'offset', 'cursor'] as const

export interface Shape {
  readonly lookup: (typeof lookups)[number]
  readonly paging: (typeof pagings)[number]
  readonly withId: boolean
  /** A part with a read of its own. */
  readonly withNote: boolean
}

const paginations: Readonly<Record<Shape['paging'], JsonObject>> = {
  none: { style: 'none' },
  link: { style: 'link' },
  page: { style: 'page', param: 'page', pages: 'pages' },
  offset: { style: 'offset', param: 'offset', total: 'total' },
  cursor: { style: 'cursor', param: 'after', next: 'next', more: 'more' },
}

const keyOf = ({ lookup }: Shape): string => (lookup === 'retrieve' || lookup === 'list' ? 'name' : 'id')

const documentOf = (shape: Shape): string => {
  const { lookup, paging, withId, withNote } = shape
  const key = keyOf(shape)
  const path = `/things/{${key}}`
  const list = { list: { items: 'items' }, match: ['name'] }
  const lookupOf = {
    retrieve: { retrieve: true },
    list,
    'list and retrieve': list,
    'list and follow': { ...list, follow: 'retrieve' },
  }
  const retrieves = lookup !== 'list'
  return JSON.stringify({
    provider: { id: 'things', baseUrl: 'http://api.test', pagination: paginations[paging], reads: { absent: [404] } },
    resources: {
      api_thing: {
        operations: {
          ...(lookup === 'retrieve' ? {} : { list: { method: 'GET', path: '/things' } }),
          ...(retrieves ? { retrieve: { method: 'GET', path } } : {}),
          ...(withNote
            ? { note: { method: 'GET', path: `${path}/note` }, setNote: { method: 'PUT', path: `${path}/note` } }
            : {}),
          create: { method: 'POST', path: '/things' },
          update: { method: 'PATCH', path },
          delete: { method: 'DELETE', path },
        },
        identity: { keys: ['name'] },
        lookup: lookupOf[lookup],
        ...(withId ? { serverId: { id: 'id' } } : {}),
        parts: [
          {
            name: 'main',
            read: retrieves ? 'retrieve' : 'list',
            write: { op: 'update' },
            attributes: {
              name: { required: true, immutable: true },
              size: { type: 'number', required: true },
              label: {},
            },
          },
          ...(withNote
            ? [
                {
                  name: 'note',
                  read: 'note',
                  onCreate: 'after',
                  write: { op: 'setNote' },
                  attributes: { note: { required: true } },
                },
              ]
            : []),
        ],
      },
    },
  })
}

export type Site = 'list' | 'page 2' | 'retrieve' | 'note'
interface Wire {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}
interface Honest {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonObject
}

export interface Fault {
  readonly name: string
  fits?(site: Site, shape: Shape, state: 'fresh' | 'recorded declared' | 'leaving'): boolean
  answer(honest: Honest, asked: { readonly site: Site; readonly request: Request }): Wire | Error
}

const json = { 'content-type': 'application/json' }
const wire = (status: number, body: string | Uint8Array | null, headers: Record<string, string> = json): Wire => ({
  status,
  headers,
  body,
})
const told = ({ status, headers = {}, body }: Honest): Wire =>
  wire(status, JSON.stringify(body), { ...json, ...headers })

const always = (name: string, answer: Fault['answer'], fits?: Fault['fits']): Fault => ({
  name,
  answer,
  ...(fits === undefined ? {} : { fits }),
})
const fixed = (name: string, answer: Wire, fits?: Fault['fits']): Fault => always(name, () => answer, fits)
/** Another body under an honest status. */
const said = (name: string, change: (body: JsonObject) => Json, fits?: Fault['fits']): Fault =>
  always(name, (honest) => wire(200, JSON.stringify(change(honest.body)), { ...json, ...honest.headers }), fits)

const html = { 'content-type': 'text/html; charset=utf-8' }
const login = '<!doctype html><title>Log in</title>'
const isList = (site: Site): boolean => site === 'list' || site === 'page 2'
const onLists: Fault['fits'] = isList
const onObjects: Fault['fits'] = (site) => !isList(site)
const onItself: Fault['fits'] = (site) => site === 'retrieve'
const itemsWith = (body: JsonObject, change: (item: JsonObject) => Json): JsonObject => ({
  ...body,
  items: isArray(body['items']) ? body['items'].map((item) => (isObject(item) ? change(item) : item)) : [],
})
const without = (object: JsonObject, name: string): JsonObject => {
  const { [name]: _, ...rest } = object
  return rest
}
const refused = (reason: 'network' | 'timeout'): Fault =>
  always(
    reason,
    (_, { request: { method, url } }) =>
      new AppError('REQUEST_FAILED', { method, url: String(url), detail: 'cut', reason }),
  )

const statuses = [
  202, 203, 206, 207, 226, 302, 304, 400, 401, 403, 405, 408, 409, 410, 412, 418, 422, 429, 451, 500, 501, 502, 503,
  504, 507,
]

const faults: readonly Fault[] = [
  ...statuses.map((status) =>
    always(`${status} with the whole body`, (honest) => ({
      ...told(honest),
      status,
      ...(status === 304 ? { body: null } : {}),
    })),
  ),
  ...[200, 203, 404, 410, 500, 503].map((status) => fixed(`${status} with a page of HTML`, wire(status, login, html))),
  ...[200, 404, 410].map((status) => fixed(`${status} without a body`, wire(status, null, {}))),
  fixed('404 in plain text', wire(404, '404 page not found', { 'content-type': 'text/plain' })),
  fixed('404 as XML', wire(404, '<error/>', { 'content-type': 'application/xml' })),
  fixed('404 that calls HTML JSON', wire(404, login)),
  fixed('HTML that calls itself JSON', wire(200, login)),
  fixed('204', wire(204, null, {})),
  fixed('205', wire(205, null, {})),
  fixed('an error', wire(200, '{"error":"database"}')),
  fixed('an error with a code', wire(200, '{"code":500,"message":"database"}')),
  fixed('an empty object', wire(200, '{}')),
  fixed('null', wire(200, 'null')),
  fixed('an empty list', wire(200, '[]')),
  fixed('a text', wire(200, '"ok"')),
  fixed('a number', wire(200, '0')),
  fixed('true', wire(200, 'true')),
  fixed('bytes of nothing', wire(200, new Uint8Array([0x1f, 0x8b, 0x08, 0x00, 0xff, 0xfe, 0x00]))),
  fixed('bytes that are no UTF-8', wire(200, new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]))),
  always('UTF-16', (honest) =>
    wire(200, new Uint8Array(Buffer.from(JSON.stringify(honest.body), 'utf16le')), {
      'content-type': 'application/json; charset=utf-16',
    }),
  ),
  always('JSON that ends early', (honest) => wire(200, JSON.stringify(honest.body).slice(0, -3))),
  always('JSON that calls itself text', (honest) =>
    wire(200, JSON.stringify(honest.body), { 'content-type': 'text/plain' }),
  ),
  always('JSON twice', (honest) => wire(200, JSON.stringify(honest.body).repeat(2))),
  said('a list around it', (body) => [body]),
  said('an envelope around it', (body) => ({ data: body })),
  said('members in capitals', (body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toUpperCase(), value])),
  ),
  always(
    'more than is taken',
    (_, { request: { method, url } }) => new AppError('RESPONSE_TOO_LARGE', { method, url: String(url), limit: 1 }),
  ),
  refused('network'),
  refused('timeout'),
  said('no key', (body) => without(body, 'name'), onItself),
  said('null for the key', (body) => ({ ...body, name: null }), onItself),
  // Under the stored id of what leaves, another fixed key is another object: servers use ids again.
  said(
    'another key',
    (body) => ({ ...body, name: 'other' }),
    (site, _, state) => site === 'retrieve' && state !== 'leaving',
  ),
  said(
    'no id',
    (body) => without(body, 'id'),
    (site, { withId }) => site === 'retrieve' && withId,
  ),
  said(
    'an object for an id',
    (body) => ({ ...body, id: { n: 1 } }),
    (site, { withId }) => site === 'retrieve' && withId,
  ),
  said(
    'another id',
    (body) => ({ ...body, id: 'n9' }),
    (site, { withId, lookup }) => site === 'retrieve' && withId && lookup !== 'retrieve',
  ),
  said('no required attribute', (body) => without(without(body, 'size'), 'note'), onObjects),
  said('a number as text', (body) => ({ ...body, size: '1' }), onItself),
  said(
    'without an attribute',
    (body) => without(body, 'label'),
    (site, _, state) => site === 'retrieve' && state !== 'leaving',
  ),
  said('no list in it', (body) => without(body, 'items'), onLists),
  said('null for the list', (body) => ({ ...body, items: null }), onLists),
  said('an object for the list', (body) => ({ ...body, items: {} }), onLists),
  said('a list of texts', (body) => ({ ...body, items: ['mine'] }), onLists),
  said('a list of lists', (body) => ({ ...body, items: [[]] }), onLists),
  said('null among the items', (body) => ({ ...body, items: [...(body['items'] as Json[]), null] }), onLists),
  said('items without a key', (body) => itemsWith(body, (item) => without(item, 'name')), onLists),
  said('null for the keys', (body) => itemsWith(body, (item) => ({ ...item, name: null })), onLists),
  said('empty items', (body) => itemsWith(body, () => ({})), onLists),
  said(
    'items without an id',
    (body) => itemsWith(body, (item) => without(item, 'id')),
    (site, { withId, lookup }) => isList(site) && withId && lookup !== 'list and follow',
  ),
  said(
    'an item of the page before',
    (body) => ({
      ...body,
      items: [{ id: 'n0', name: 'x0', size: 1, label: 'l' }, ...(body['items'] as Json[]).slice(1)],
    }),
    (site) => site === 'page 2',
  ),
  said(
    'no number of pages or items',
    (body) => without(without(body, 'pages'), 'total'),
    (site, { paging }) => isList(site) && (paging === 'page' || paging === 'offset'),
  ),
  said(
    'a number that is none',
    (body) => ({ ...body, pages: 'many', total: 'many' }),
    (site, { paging }) => isList(site) && (paging === 'page' || paging === 'offset'),
  ),
  said(
    'another number',
    (body) => ({ ...body, pages: 9, total: 99 }),
    (site, { paging }) => site === 'page 2' && (paging === 'page' || paging === 'offset'),
  ),
  said(
    'nothing on it',
    (body) => ({ ...body, items: [] }),
    (site, { paging }) => site === 'page 2' && (paging === 'page' || paging === 'offset'),
  ),
  said(
    'more, and no cursor',
    (body) => ({ ...body, more: true, next: null }),
    (site, { paging }) => isList(site) && paging === 'cursor',
  ),
  said(
    'neither more nor less',
    (body) => ({ ...body, more: 'yes' }),
    (site, { paging }) => isList(site) && paging === 'cursor',
  ),
  said(
    'no word of more',
    (body) => without(body, 'more'),
    (site, { paging }) => isList(site) && paging === 'cursor',
  ),
  said(
    'the cursor again',
    (body) => ({ ...body, more: true, next: '2' }),
    (site, { paging }) => site === 'page 2' && paging === 'cursor',
  ),
  ...[
    'garbage',
    '</things?after=2>; rel="next',
    '<http://other.test/>; rel="next"',
    '</things>; rel=next, </things?after=9>; rel=next',
    '</things>; rel="prev next"',
  ].map((link) =>
    always(
      `the links ${link}`,
      (honest) => told({ ...honest, headers: { link } }),
      (site, { paging }) => site === 'list' && paging === 'link',
    ),
  ),
]

export const scenarios = ['equal', 'differs', 'missing', 'leaving'] as const
export type Scenario = (typeof scenarios)[number]

const others: readonly JsonObject[] = ['x0', 'x1', 'x2', 'x3'].map((name, n) => ({
  id: `n${n}`,
  name,
  size: 1,
  label: 'l',
}))
const mine: JsonObject = { id: 'n7', name: 'mine', size: 1, label: 'l' }

/** The API as it is; `hit` counts answers that a fault took the place of. */
const server = (shape: Shape) => {
  const state: {
    there: boolean
    size: number
    fault?: { readonly fault: Fault; readonly site: Site } | undefined
    hit: number
    writes: number
  } = {
    there: true,
    size: 1,
    hit: 0,
    writes: 0,
  }
  const objects = (): readonly JsonObject[] =>
    state.there ? [...others.slice(0, 3), { ...mine, size: state.size }, ...others.slice(3)] : others
  const honestList = (url: URL): Honest => {
    const all = objects()
    const from = { none: 0, link: 'after', page: 'page', offset: 'offset', cursor: 'after' }[shape.paging]
    const asked = from === 0 ? 0 : Number(url.searchParams.get(String(from)) ?? (from === 'page' ? 1 : 0))
    const start = shape.paging === 'page' ? (asked - 1) * 2 : asked
    const items = shape.paging === 'none' ? all : all.slice(start, start + 2)
    const after = start + items.length
    const more = after < all.length
    return {
      status: 200,
      ...(shape.paging === 'link' && more ? { headers: { link: `</things?after=${after}>; rel="next"` } } : {}),
      body: {
        items,
        pages: Math.ceil(all.length / 2),
        total: all.length,
        more: shape.paging !== 'none' && more,
        next: more ? String(after) : null,
      },
    }
  }
  const honestOne = (path: string): Honest => {
    const [, , id = '', part] = path.split('/')
    const found = objects().find((each) => each[keyOf(shape)] === id)
    if (found === undefined) return { status: 404, body: { error: 'there is none' } }
    return { status: 200, body: part === 'note' ? { note: 'n' } : found }
  }
  const siteOf = (url: URL): Site => {
    if (url.pathname.endsWith('/note')) return 'note'
    if (url.pathname !== '/things') return 'retrieve'
    const [first] = [...url.searchParams.values()]
    return first === undefined || first === '0' || (shape.paging === 'page' && first === '1')
      ? 'list'
      : first === '2'
        ? 'page 2'
        : 'note'
  }
  const transport: Transport = {
    send: async (request) => {
      if (request.method !== 'GET') state.writes += 1
      const url = new URL(request.url)
      const honest = url.pathname === '/things' ? honestList(url) : honestOne(url.pathname)
      const site = url.pathname === '/things' && siteOf(url) === 'note' ? undefined : siteOf(url)
      // What is not there has no faulty form of itself: its absence is the answer that is replaced.
      const chosen = state.fault !== undefined && state.fault.site === site ? state.fault.fault : undefined
      if (chosen !== undefined) state.hit += 1
      const answer = chosen?.answer(honest, { site: site ?? 'list', request }) ?? told(honest)
      if (answer instanceof Error) throw answer
      const { status, headers, body } = answer
      return decodeBody(
        request,
        new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers }),
        1_000_000,
        () => undefined,
      )
    },
  }
  return { state, transport }
}

export interface Swept {
  readonly hit: number
  readonly inSync: boolean
  readonly status: string
  readonly changes: readonly string[]
  readonly unchecked: readonly string[]
  readonly writes: number
}

/** One check, after an honest one where something is recorded. */
export const sweepOne = async (
  shape: Shape,
  scenario: Scenario,
  recorded: boolean,
  fault?: { readonly fault: Fault; readonly site: Site },
): Promise<Swept> => {
  const { state, transport } = server(shape)
  const spec = { name: 'mine', size: 1, label: 'l', ...(shape.withNote ? { note: 'n' } : {}) }
  const bundle = (declared: boolean) =>
    yaml(
      JSON.stringify({
        workspace: 'sweep',
        providers: { api: { source: 'rest', definition: './api.yaml' } },
        resources: declared ? [{ type: 'api_thing', name: 'mine', spec }] : [],
      }),
      { 'api.yaml': documentOf(shape) },
    )
  const { deps, current } = testDeps({ bundle: bundle(true), transport: () => transport })
  const check = () => checkWorkspace({ workspace: 'sweep', trigger: 'cli', actor }, deps)
  if (recorded) await check()
  if (scenario === 'leaving') current.bundle = bundle(false)
  if (scenario === 'missing') state.there = false
  if (scenario === 'differs') state.size = 2
  state.hit = 0
  state.fault = fault
  const { run, plan } = await check()
  return {
    hit: state.hit,
    inSync: plan?.inSync ?? false,
    status: run.status,
    changes: (plan?.changes ?? []).map(({ action }) => action),
    unchecked: (plan?.unchecked ?? []).map(({ address }) => address),
    writes: state.writes,
  }
}

/** All shapes that make a document. */
export const shapes: readonly Shape[] = lookups.flatMap((lookup) =>
  (lookup === 'retrieve' ? (['none'] as const) : pagings).flatMap((paging) =>
    [true, false]
      .filter((withId) => withId || lookup === 'retrieve' || lookup === 'list')
      .flatMap((withId) => [true, false].map((withNote) => ({ lookup, paging, withId, withNote }))),
  ),
)

const sitesOf = ({ lookup, paging, withNote }: Shape): readonly Site[] => [
  ...(lookup === 'retrieve' ? [] : (['list'] as const)),
  ...(lookup === 'retrieve' || paging === 'none' ? [] : (['page 2'] as const)),
  ...(lookup === 'list' ? [] : (['retrieve'] as const)),
  ...(withNote ? (['note'] as const) : []),
]

export interface FaultCase {
  readonly shape: Shape
  readonly scenario: Scenario
  readonly recorded: boolean
  readonly site: Site
  readonly fault: Fault
}

export const statesOf = (scenario: Scenario): readonly boolean[] => (scenario === 'leaving' ? [true] : [false, true])

export const faultCases: readonly FaultCase[] = shapes.flatMap((shape) =>
  sitesOf(shape).flatMap((site) =>
    scenarios.flatMap((scenario) =>
      statesOf(scenario).flatMap((recorded) =>
        faults
          .filter(
            ({ fits }) =>
              fits === undefined ||
              fits(site, shape, scenario === 'leaving' ? 'leaving' : recorded ? 'recorded declared' : 'fresh'),
          )
          .map((fault) => ({ shape, scenario, recorded, site, fault })),
      ),
    ),
  ),
)

export const shapeName = ({ lookup, paging, withId, withNote }: Shape): string =>
  `${lookup}, pages: ${paging}${withId ? ', ids' : ''}${withNote ? ', two parts' : ''}`

/** `met`: the fault was answered; `wrong`: what was made of it, where that is more than "not known". */
export const judgeCase = async (each: FaultCase): Promise<{ readonly met: boolean; readonly wrong?: string }> => {
  const { shape, scenario, recorded, site, fault } = each
  const swept = await sweepOne(shape, scenario, recorded, { fault, site })
  if (swept.hit === 0) return { met: false }
  const { inSync, status, changes, unchecked, writes } = swept
  // A refusal of one part, or one attribute that is missing, says nothing about the others.
  const isPart = (site === 'note' && fault.name.startsWith('403')) || fault.name === 'without an attribute'
  const isOther = isPart && scenario === 'differs'
  if (!inSync && status === 'incomplete' && (changes.length === 0 || isOther) && unchecked.length === 1 && writes === 0)
    return { met: true }
  const name = `${shapeName(shape)}: ${scenario}, ${recorded ? 'recorded' : 'fresh'}: ${site}: ${fault.name}`
  return { met: true, wrong: `${name}: ${JSON.stringify(swept)}` }
}
