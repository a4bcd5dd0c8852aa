import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import { yaml } from '../workspaces/workspace.ts'
import { startServer } from './loopback.ts'

/** What came in on the socket, before anything was made of it. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string | undefined
  /** As it was sent. */
  readonly body: string
}

export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly body?: string; readonly headers?: JsonObject }
  /** The connection is cut before an answer. */
  | { readonly kind: 'reset' }
  /** Nothing is ever answered. */
  | { readonly kind: 'silence' }
  /** The real answer, cut off in the middle. */
  | { readonly kind: 'truncate' }
  /** The request is done and the answer lost. */
  | { readonly kind: 'lost' }

interface Answer {
  readonly status: number
  readonly body?: Json
}

interface Row {
  readonly key: string
  readonly value: string
}

/** What the shop holds. Ids are made by the server, and nothing keeps two objects of one name apart. */
export interface ShopState {
  readonly lists: Map<number, JsonObject>
  readonly items: Map<number, JsonObject>
  readonly labels: Map<string, JsonObject>
  readonly boards: Map<string, { readonly title: string; readonly rows: readonly Row[] }>
}

const pageSize = 2

/** Pages of `pageSize`, in an envelope that says how many there are. */
const pageOf = (all: readonly Json[], page: number): Answer => ({
  status: 200,
  body: {
    items: all.slice((page - 1) * pageSize, page * pageSize),
    pages: Math.max(1, Math.ceil(all.length / pageSize)),
  },
})

const missing: Answer = { status: 404, body: { error: 'there is none' } }

const parse = (text: string): JsonObject => (text === '' ? {} : (JSON.parse(text) as JsonObject))

/** The whole shop: one function from a request to an answer, over the state. */
const shopOf = (state: ShopState) => {
  let last = 100
  const nextId = (): number => {
    last += 1
    return last
  }
  const object = (found: JsonObject | undefined): Answer => (found ? { status: 200, body: found } : missing)
  const change = <Key>(of: Map<Key, JsonObject>, key: Key, body: JsonObject): Answer => {
    const found = of.get(key)
    if (found === undefined) return missing
    of.set(key, { ...found, ...body })
    return { status: 200, body: of.get(key) ?? null }
  }
  const remove = <Key>(of: Map<Key, unknown>, key: Key): Answer => (of.delete(key) ? { status: 204 } : missing)

  const lists = (method: string, id: number | undefined, page: number, body: JsonObject): Answer => {
    if (id === undefined && method === 'GET') return pageOf([...state.lists.values()], page)
    if (id === undefined) {
      const made = { id: nextId(), ...body }
      state.lists.set(made.id, made)
      return { status: 201, body: made }
    }
    if (method === 'GET') return object(state.lists.get(id))
    return method === 'PATCH' ? change(state.lists, id, body) : remove(state.lists, id)
  }
  const itemsOf = (method: string, list: number, page: number, body: JsonObject): Answer => {
    if (!state.lists.has(list)) return missing
    if (method === 'GET')
      return pageOf(
        [...state.items.values()].filter((item) => item['list'] === list),
        page,
      )
    const made = { id: nextId(), list, ...body }
    state.items.set(made.id, made)
    return { status: 201, body: made }
  }
  const labels = (method: string, name: string, body: JsonObject): Answer => {
    if (method === 'GET') return object(state.labels.get(name))
    if (method === 'DELETE') return remove(state.labels, name)
    if (method === 'PATCH') return change(state.labels, name, body)
    state.labels.set(name, { name, ...body })
    return { status: 201, body: { name } }
  }
  const boards = (method: string, name: string, body: JsonObject): Answer => {
    const found = state.boards.get(name)
    if (method === 'PUT') {
      state.boards.set(name, { title: String(body['title']), rows: found?.rows ?? [] })
      return { status: 200, body: {} }
    }
    if (found === undefined) return missing
    if (method === 'GET') return { status: 200, body: { name, ...found } as unknown as Json }
    if (method === 'DELETE') return remove(state.boards, name)
    const changes = (body['rows'] ?? []) as unknown as readonly { key: string; value?: string }[]
    const rows = new Map(found.rows.map((row) => [row.key, row]))
    for (const { key, value } of changes) {
      if (value === undefined) rows.delete(key)
      else rows.set(key, { key, value })
    }
    state.boards.set(name, { title: String(body['title'] ?? found.title), rows: [...rows.values()] })
    return { status: 200, body: {} }
  }

  return ({ method, url, body }: Received): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://shop')
    const [, kind, key, inner] = pathname.split('/').map(decodeURIComponent)
    const page = Number(searchParams.get('page') ?? 1)
    const sent = parse(body)
    if (kind === 'lists' && inner === 'items') return itemsOf(method, Number(key), page, sent)
    if (kind === 'lists') return lists(method, key === undefined ? undefined : Number(key), page, sent)
    if (kind === 'items' && method === 'GET') return object(state.items.get(Number(key)))
    if (kind === 'items' && method === 'PATCH') return change(state.items, Number(key), sent)
    if (kind === 'items') return remove(state.items, Number(key))
    if (kind === 'labels' && key !== undefined) return labels(method, key, sent)
    return kind === 'boards' && key !== undefined ? boards(method, key, sent) : missing
  }
}

const write = (response: ServerResponse, { status, body }: Answer): void => {
  if (body === undefined) response.writeHead(status).end()
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const fail = (response: ServerResponse, fault: Fault, answer: () => Answer): void => {
  if (fault.kind === 'silence') return
  if (fault.kind === 'answer') {
    const headers = { 'content-type': 'application/json', ...(fault.headers as Record<string, string>) }
    response.writeHead(fault.status, headers).end(fault.body ?? '{}')
    return
  }
  if (fault.kind === 'truncate') {
    const text = JSON.stringify(answer().body ?? null)
    // No length: a body that ends early is told from a whole one by its content alone.
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
    response.end(text.slice(0, Math.max(1, text.length / 2)))
    return
  }
  if (fault.kind === 'lost') answer()
  response.socket?.destroy()
}

/** A small shop with state, on a port of its own; `await using` ends it. It counts what reaches its socket. */
export const startShop = async () => {
  const state: ShopState = { lists: new Map(), items: new Map(), labels: new Map(), boards: new Map() }
  const answer = shopOf(state)
  const received: Received[] = []
  const behaviour: { fault: (request: Received, earlier: readonly Received[]) => Fault | undefined } = {
    fault: () => undefined,
  }
  const server = await startServer(({ headers: { authorization }, ...heard }, response) => {
    const request = { ...heard, authorization }
    const earlier = [...received]
    received.push(request)
    const fault = behaviour.fault(request, earlier)
    if (fault === undefined) write(response, answer(request))
    else fail(response, fault, () => answer(request))
  })
  return {
    ...server,
    state,
    received,
    behaviour,
    writes: () => received.filter(({ method }) => method !== 'GET' && method !== 'HEAD'),
  }
}

export type Shop = Awaited<ReturnType<typeof startShop>>

/** The shop's API as a document of the provider `rest`. */
const shopDocument = (timeoutMs = 10_000, writeConcurrency = 1): string => `
provider:
  id: shop
  with:
    baseUrl: {}
    key: { secret: true }
  baseUrl: "{with.baseUrl}"
  auth: { header: { name: Authorization, template: "Bearer {secret}", secret: "{with.key}" } }
  pagination: { style: page, param: page, pages: pages, maxPages: 4 }
  reads: { absent: [404] }
  timeoutMs: ${timeoutMs}
  writeConcurrency: ${writeConcurrency}
resources:
  shop_list:
    operations:
      list: { method: GET, path: /lists }
      retrieve: { method: GET, path: "/lists/{id}" }
      create: { method: POST, path: /lists, success: [201], produces: { id: id } }
      update: { method: PATCH, path: "/lists/{id}", success: [200] }
      delete: { method: DELETE, path: "/lists/{id}", success: [204] }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    serverId: { id: id }
    discover: { op: list, items: items }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: changed }
        attributes:
          name: { required: true }
          colour: {}
  shop_item:
    operations:
      list: { method: GET, path: "/lists/{list}/items" }
      retrieve: { method: GET, path: "/items/{id}" }
      create: { method: POST, path: "/lists/{list}/items", success: [201], produces: { id: id } }
      update: { method: PATCH, path: "/items/{id}", success: [200] }
      delete: { method: DELETE, path: "/items/{id}", success: [204] }
    identity: { keys: [list, title] }
    lookup: { list: { items: items, absent: [404] }, match: [title] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: changed }
        attributes:
          list: { type: number, required: true, in: path }
          title: { required: true }
          size: { type: number }
  shop_label:
    operations:
      retrieve: { method: GET, path: "/labels/{name}" }
      create: { method: PUT, path: "/labels/{name}", success: [201] }
      update: { method: PATCH, path: "/labels/{name}", success: [200] }
      delete: { method: DELETE, path: "/labels/{name}", success: [204] }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: changed }
        attributes:
          name: { required: true, in: path }
          kind: { immutable: true }
          list: {}
          text: {}
          password: { sensitive: true }
          pin: { sensitive: true, writeOnly: true }
  shop_board:
    operations:
      retrieve: { method: GET, path: "/boards/{name}" }
      create: { method: PUT, path: "/boards/{name}", success: [200] }
      update: { method: PATCH, path: "/boards/{name}", success: [200] }
      delete: { method: DELETE, path: "/boards/{name}", success: [204] }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: changed }
        attributes:
          name: { required: true, in: path }
          title: {}
      - name: rows
        read: retrieve
        onCreate: after
        collection:
          field: rows
          key: [key]
          element: { key: { required: true }, value: {} }
          write: { op: update, batch: 2, body: { rows: "{changes}" }, upsert: "{el}", remove: "{key}" }
`

export const shopKey = { source: 'env:SHOP_KEY', value: 'k3y of the-shop/+=' } as const

interface ShopOptions {
  readonly more?: string
  readonly timeoutMs?: number
  readonly writeConcurrency?: number
}

/** A workspace `shop`: resources as lines of YAML. */
export const shopBundle = (
  url: string,
  resources: readonly string[],
  { more = '', timeoutMs, writeConcurrency }: ShopOptions = {},
): Bundle =>
  yaml(
    `
workspace: shop
providers:
  shop: { source: rest, definition: ./shop.provider.yaml, with: { baseUrl: "${url}", key: { secret: "${shopKey.source}" } } }
${more}
resources:${resources.length === 0 ? ' []' : ''}
${resources.map((each) => `  - ${each}`).join('\n')}
`,
    { 'shop.provider.yaml': shopDocument(timeoutMs, writeConcurrency) },
  )
