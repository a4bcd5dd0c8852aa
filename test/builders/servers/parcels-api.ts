import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { actor, testDeps, yaml } from '../workspaces/workspace.ts'
import { startServer } from './loopback.ts'
import { heldBack } from './silence.ts'

/*
 * An API with everything that can go wrong on the way: a login, names that are resolved, lists in pages, an object in two parts, creates that only
 * begin something, versions, errors inside a 200. Its behaviour can be replaced at any call.
 */

/** What is called, whatever the object. */
export type Site =
  | 'login'
  | 'resolver'
  | 'list'
  | 'list page 2'
  | 'retrieve'
  | 'part read'
  | 'create'
  | 'update'
  | 'part write'
  | 'delete'

/** Instead of the answer: `body` is sent as it is; `cut` leaves the end of it out. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly body?: string; readonly headers?: JsonObject }
  | { readonly kind: 'reset' }
  | { readonly kind: 'drip' }
  /** The right answer, and the connection ends in the middle of it. */
  | { readonly kind: 'cut' }

export interface Call {
  readonly site: Site
  /** The object's path. */
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

interface Parcel {
  readonly name: string
  readonly size: number
  readonly note: string
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly tag?: string
}

const token = 'parcel-token-1'
const pageSize = 2

const siteOf = (method: string, path: string, query: URLSearchParams): Site => {
  if (path === '/login') return 'login'
  if (path === '/zones') return 'resolver'
  if (path === '/parcels' && method === 'GET') return query.get('page') === '2' ? 'list page 2' : 'list'
  const isPart = path.endsWith('/note')
  if (method === 'GET') return isPart ? 'part read' : 'retrieve'
  if (isPart) return 'part write'
  return method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'update'
}

const tagOf = (parcel: Parcel): string => `"${parcel.size}"`

/** The real behaviour. A parcel that was just made is `pending` once. */
const createParcels = () => {
  const parcels = new Map<number, Parcel>()
  const pending = new Set<number>()
  const page = (number: number): Answer => {
    const all = [...parcels].map(([id, { name }]) => ({ id, name }))
    const items = all.slice((number - 1) * pageSize, number * pageSize)
    return { status: 200, body: { items, pages: Math.max(1, Math.ceil(all.length / pageSize)) } }
  }
  const shown = (id: number, { name, size }: Parcel): Answer => {
    const state = pending.delete(id) ? 'pending' : 'ready'
    return { status: 200, body: { id, name, size, state, zone: 'z1' }, tag: tagOf({ name, size, note: '' }) }
  }
  const create = ({ name, size }: Partial<Parcel>): Answer => {
    const id = Math.max(0, ...parcels.keys()) + 1
    parcels.set(id, { name: String(name), size: Number(size), note: '' })
    pending.add(id)
    return { status: 202, body: { id, name, size, state: 'pending' } }
  }
  const change = (id: number, there: Parcel, { site, headers }: Call, body: Partial<Parcel>): Answer => {
    if (site === 'update' && headers['if-match'] !== tagOf(there)) return { status: 412, body: { error: 'stale' } }
    if (site === 'delete') parcels.delete(id)
    else parcels.set(id, { ...there, ...body })
    return site === 'update' ? { status: 200, body: { id, ...there, ...body } } : { status: 204 }
  }
  const answer = (call: Call, query: URLSearchParams, body: JsonObject): Answer => {
    if (call.site === 'login') return { status: 200, body: { token } }
    if (call.headers.authorization !== `Bearer ${token}`) return { status: 401, body: { error: 'who' } }
    if (call.site === 'resolver') return { status: 200, body: { items: [{ id: 'z1', name: 'north' }], pages: 1 } }
    if (call.path === '/parcels') return call.method === 'GET' ? page(Number(query.get('page') ?? 1)) : create(body)
    const id = Number(call.path.split('/')[2])
    const there = parcels.get(id)
    if (there === undefined) return { status: 404, body: { error: 'nothing' } }
    if (call.site === 'part read') return { status: 200, body: { note: there.note } }
    return call.site === 'retrieve' ? shown(id, there) : change(id, there, call, body)
  }
  return { parcels, answer }
}

const send = (response: ServerResponse, { status, body, tag }: Answer, fault: Fault | undefined): void => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(tag === undefined ? {} : { etag: tag }),
  }
  switch (fault?.kind) {
    case undefined:
      return void response.writeHead(status, headers).end(text)
    case 'answer':
      return void response
        .writeHead(fault.status, { 'content-type': 'application/json', ...(fault.headers as Record<string, string>) })
        .end(fault.body ?? '')
    case 'reset':
      return void response.destroy()
    case 'drip':
      return void response.writeHead(200, headers).write('{')
    case 'cut':
      response.writeHead(status < 300 ? 200 : status, { ...headers, 'content-length': text.length + 40 })
      response.write(text.slice(0, text.length / 2))
      return void setImmediate(() => response.destroy())
  }
}

export const startParcels = async () => {
  const { parcels, answer } = createParcels()
  const calls: Call[] = []
  const behaviour: { fault: (call: Call, earlier: readonly Call[]) => Fault | undefined } = { fault: () => undefined }
  const { heard: isHeard, wire } = heldBack()
  const server = await startServer(({ method, headers, body: text, ...heard }, response) => {
    const url = new URL(heard.url, 'http://parcels.test')
    const call: Call = { site: siteOf(method, url.pathname, url.searchParams), path: url.pathname, method, headers }
    const fault = behaviour.fault(call, calls)
    calls.push(call)
    const body = text === '' ? {} : (JSON.parse(text) as JsonObject)
    // What fails does nothing; what is cut off was done.
    const isDone = fault === undefined || fault.kind === 'cut' || method === 'GET'
    send(response, isDone ? answer(call, url.searchParams, body) : { status: 200 }, fault)
    if (fault?.kind === 'drip') isHeard(method, heard.url)
  })
  return {
    ...server,
    parcels,
    calls,
    behaviour,
    wire,
    writes: () => calls.filter(({ site, method }) => site !== 'login' && method !== 'GET'),
  }
}
export type ParcelsServer = Awaited<ReturnType<typeof startParcels>>

const document = `
provider:
  id: parcels
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {}, password: { secret: true } }
  auth: { login: { url: /login, body: { password: "{with.password}" }, token: token } }
  pagination: { style: page, param: page, pages: pages }
  reads: { absent: [404] }
  errors: { message: error, when: [{ place: error, exists: true, means: 500 }] }
  maxBodyBytes: 20000
resolvers:
  zone: { list: { method: GET, path: /zones }, items: items }
resources:
  parcel_box:
    operations:
      list: { method: GET, path: /parcels }
      retrieve: { method: GET, path: "/parcels/{id}" }
      note: { method: GET, path: "/parcels/{id}/note" }
      create: { method: POST, path: /parcels, success: [202], produces: { id: id } }
      update: { method: PATCH, path: "/parcels/{id}", success: [200], wait: none }
      setNote: { method: PUT, path: "/parcels/{id}/note", success: [204], wait: none }
      delete: { method: DELETE, path: "/parcels/{id}", success: [204], wait: none }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    serverId: { id: id }
    lock: { etag: true }
    wait: { poll: retrieve, state: state, ok: [ready], error: [broken], intervalSeconds: 1, timeoutSeconds: 3 }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { required: true, immutable: true }
          size: { type: number }
          zone: { ref: { resolver: zone, emit: id } }
      - name: note
        read: note
        onCreate: after
        write: { op: setNote }
        attributes: { note: { default: "" } }
`

const bundleOf = (url: string, boxes: readonly Parcel[]) =>
  yaml(
    JSON.stringify({
      workspace: 'parcels',
      providers: {
        parcels: {
          source: 'rest',
          definition: './parcels.provider.yaml',
          with: { baseUrl: url, password: { secret: 'env:PASSWORD' } },
        },
      },
      resources: boxes.map((box) => ({ type: 'parcel_box', name: box.name, spec: { ...box, zone: 'north' } })),
    }),
    { 'parcels.provider.yaml': document },
  )

/** The workflows over the server, for the boxes that a configuration wants. */
export const driveParcels = (server: ParcelsServer, boxes: readonly Parcel[]) => {
  const given = testDeps({ bundle: bundleOf(server.url, boxes), wire: server.wire })
  given.secrets['env:PASSWORD'] = 'parcel-password'
  const workspace = 'parcels'
  return {
    ...given,
    want: (next: readonly Parcel[]): void => {
      given.current.bundle = bundleOf(server.url, next)
    },
    check: () => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps),
    apply: async (digest: string, mode: 'check' | 'execute' = 'execute') => {
      const { id } = await requestApply({ workspace, mode, digest, reason: 'test', actor }, given.deps)
      return runApply({ workspace, applyId: id }, given.deps)
    },
  }
}
