import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { aLoopback } from './loopback.ts'

/*
 * Things in three places: the thing itself, its settings at a URL of their own, and rules that are written one by one or
 * together. After each write that it has done, somebody else may move any part.
 */

export interface Thing {
  main: Record<string, Json>
  settings: Record<string, Json>
  rules: Record<string, Json>[]
}

export interface GuardedOptions {
  /** What it does with If-Match, or with `version` in a body: refuses one that is stale, or takes everything. */
  readonly lock?: 'etag' | 'field'
  readonly honours?: boolean
  /** Somebody else, right after our nth write was done (from 1). */
  readonly after?: (n: number, things: Map<string, Thing>) => void
  /** Our nth write (from 1, those that are sent again too) is refused, and nothing done; somebody else may come meanwhile. */
  readonly refuse?: (
    n: number,
    things: Map<string, Thing>,
  ) => { status: number; headers?: Record<string, string> } | undefined
  /** The id that a create answers. */
  readonly answersId?: boolean
}

const tagOf = (value: Json): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}"`

type Answer = readonly [status: number, body?: Json, headers?: Record<string, string>]

const keyOf = (rule: Readonly<Record<string, Json>>): string => String(rule['key'])

const patchedBy = (object: Record<string, Json>, body: Json, type: string): Record<string, Json> => {
  if (Array.isArray(body)) {
    const next = { ...object }
    for (const { op, path, value } of body as { op: string; path: string; value?: Json }[]) {
      const name = path.slice(1)
      if (op === 'remove') delete next[name]
      else if (op !== 'test') next[name] = value ?? null
    }
    return next
  }
  const merged = { ...object, ...(body as JsonObject) }
  return type.includes('merge')
    ? Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    : merged
}

export const startGuarded = async (options: GuardedOptions = {}) => {
  const things = new Map<string, Thing>()
  const behaviour = { ...options }
  const writes: string[] = []
  let last = 0
  let sent = 0
  const find = (id: string): Thing | undefined => things.get(id)

  const isStale = (part: Json, body: Json, headers: Readonly<Record<string, unknown>>): boolean => {
    if (behaviour.honours !== true) return false
    if (behaviour.lock === 'etag') return headers['if-match'] !== undefined && headers['if-match'] !== tagOf(part)
    const told = Array.isArray(body)
      ? (body as { path?: string; value?: Json }[]).find(({ path }) => path === '/version')?.value
      : (body as JsonObject | null)?.['version']
    return told !== undefined && told !== (part as JsonObject)['version']
  }
  const count = (thing: Thing): void => {
    if (behaviour.lock === 'field') thing.main = { ...thing.main, version: Number(thing.main['version'] ?? 0) + 1 }
  }
  const shown = (part: Json): Answer => [200, part, behaviour.lock === 'etag' ? { etag: tagOf(part) } : {}]

  const act = (method: string, path: string, body: Json, headers: Readonly<Record<string, unknown>>): Answer => {
    const [, , id, place, element] = path.split('/')
    if (id === undefined) {
      if (method === 'GET') return [200, [...things.values()].map(({ main }) => main)]
      last += 1
      const given = String(100 + last)
      const main = { state: 'on', extra: 'x', ...(body as JsonObject), id: given }
      things.set(given, { main, settings: { color: 'grey', mode: 'auto' }, rules: [] })
      return [201, behaviour.answersId === false ? {} : main]
    }
    const thing = find(id)
    if (thing === undefined) return [404, {}]
    if (method === 'GET') {
      if (place === 'settings') return shown(thing.settings)
      return place === 'rules' ? shown({ items: thing.rules }) : shown(thing.main)
    }
    const part = place === 'settings' ? thing.settings : thing.main
    if (place === undefined || place === 'settings') {
      if (isStale(part, body, headers)) return [412, { error: 'stale' }]
    }
    if (method === 'DELETE' && place === undefined) return [things.delete(id) ? 204 : 404]
    if (place === 'stop') thing.main = { ...thing.main, state: 'off' }
    else if (place === 'rename') thing.main = { ...thing.main, title: (body as JsonObject)['title'] ?? null }
    else if (place === 'rules' && element !== undefined) {
      const rest = thing.rules.filter((rule) => keyOf(rule) !== element)
      thing.rules = method === 'DELETE' ? rest : [...rest, { ...(body as Record<string, Json>) }]
    } else if (place === 'rules') {
      const {
        put = [],
        remove = [],
        all,
      } = body as { put?: Record<string, Json>[]; remove?: JsonObject[]; all?: Record<string, Json>[] }
      const gone = new Set([...put, ...remove].map((rule) => String(rule['key'])))
      thing.rules = all ?? [...thing.rules.filter((rule) => !gone.has(keyOf(rule))), ...put]
    } else {
      const type = String(headers['content-type'] ?? '')
      const next =
        method === 'PUT' ? (body as Record<string, Json>) : patchedBy(part as Record<string, Json>, body, type)
      if (place === 'settings') thing.settings = next
      else
        thing.main = {
          ...next,
          id: thing.main['id'] ?? null,
          state: thing.main['state'] ?? null,
          ...('extra' in next ? {} : {}),
        }
    }
    count(thing)
    return [200, {}]
  }

  const server = await aLoopback((request, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    if (url === '/login') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"of one run"}')
      return
    }
    if (method !== 'GET') sent += 1
    const refusal = method === 'GET' ? undefined : behaviour.refuse?.(sent, things)
    if (refusal !== undefined) {
      writes.push(`${method} ${url} ${refusal.status}`)
      response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers }).end('{}')
      return
    }
    const [status, answer, headers = {}] = act(
      method,
      url.split('?')[0] ?? '',
      body === '' ? null : JSON.parse(body),
      request.headers,
    )
    if (method !== 'GET') {
      writes.push(`${method} ${url} ${status}`)
      if (status < 300) behaviour.after?.(writes.filter((line) => /2\d\d$/.test(line)).length, things)
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  return { ...server, things, behaviour, writes }
}

export interface GuardedShape {
  readonly send: 'full' | 'changed' | 'object' | 'jsonPatch' | 'mergePatch'
  readonly rules: 'each' | 'goes and comes' | 'batch' | 'all'
  readonly lock: 'none' | 'etag' | 'field'
  readonly action: boolean
  readonly order: 'deleteFirst' | 'createFirst'
}

/** The API as the insides of a resource. */
export const guardedResource = ({ send, rules, lock, action, order }: GuardedShape): string => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  settings: { method: GET, path: "/things/{id}/settings" }
  rules: { method: GET, path: "/things/{id}/rules" }
  create: { method: POST, path: /things, produces: { id: id } }
  update: { method: ${send.includes('Patch') || send === 'changed' ? 'PATCH' : 'PUT'}, path: "/things/{id}" }
  set: { method: PATCH, path: "/things/{id}/settings"${lock === 'field' ? ', lock: false' : ''} }
${
  rules === 'batch' || rules === 'all'
    ? ''
    : `  put_rule: { method: PUT, path: "/things/{id}/rules/{el.key}" }
  drop_rule: { method: DELETE, path: "/things/{id}/rules/{el.key}" }`
}
  write_rules: { method: PATCH, path: "/things/{id}/rules"${lock === 'field' ? ', lock: false' : ''} }
  rename: { method: POST, path: "/things/{id}/rename" }
  stop: { method: POST, path: "/things/{id}/stop", body: none, affects: [power] }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
lifecycle: { onImmutable: replace, replace: { order: ${order} }, beforeDelete: [stop] }
${lock === 'none' ? '' : `lock: ${lock === 'etag' ? '{ etag: true }' : '{ field: version, send: version }'}`}
${action ? 'actions: { rename: { on: [title], op: rename, body: { title: "{desired.title}" } } }' : ''}
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send}${send === 'object' ? ', drop: [id, state, version]' : ''} }
    attributes:
      name: { immutable: true }
      kind: { immutable: true }
      title: {}
      note: {}
      extra: {}
      power: { path: state, computed: true }
      version: { type: number, computed: true }
  - name: settings
    read: settings
    onCreate: after
    write: { op: set }
    attributes: { color: {}, mode: {} }
  - name: rules
    read: rules
    onCreate: after
    collection:
      field: rules
      path: items
      key: [key]
      element: { key: {}, value: {} }
      write: ${
        rules === 'each'
          ? '{ each: { create: put_rule, update: put_rule, remove: drop_rule } }'
          : rules === 'goes and comes'
            ? '{ each: { create: put_rule, remove: drop_rule } }'
            : rules === 'batch'
              ? '{ op: write_rules, batch: 1, body: { put: "{upserts}", remove: "{removes}" } }'
              : '{ op: write_rules, body: { all: "{all}" } }'
      }
`
