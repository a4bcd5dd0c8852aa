import { startServer } from './loopback.ts'

/*
 * A server that takes its time: each write is accepted (202) and done only after the object, or its operation, was asked for
 * so many times. It keeps a log of what reached its socket.
 */

interface Thing {
  readonly id: string
  name: string
  size: number
  state: string
  reason?: string
  left: number
  end: 'OK' | 'ERRED' | 'gone'
}

export interface SlowOptions {
  /** Reads of an object until what was begun with it is done. */
  readonly reads?: number
  readonly ends?: 'OK' | 'ERRED'
  /** Whether an object that is being made can be read, and is in the list. */
  readonly hidden?: boolean
  /** Answers instead, once for each status. */
  readonly faults?: number[]
  /** The query of the Location that an answer names; empty for none. */
  readonly location?: string
}

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>]

export const startSlow = async (options: SlowOptions = {}) => {
  const behaviour: { -readonly [Key in keyof SlowOptions]: SlowOptions[Key] } = { ...options }
  const things = new Map<string, Thing>()
  const log: string[] = []
  let last = 0

  const settle = (thing: Thing): void => {
    if (thing.left > 0) thing.left -= 1
    if (thing.left > 0 || thing.state === 'OK' || thing.state === 'ERRED') return
    if (thing.end === 'gone') things.delete(thing.id)
    else thing.state = thing.end
    if (thing.end === 'ERRED') thing.reason = 'no quota'
  }
  const begin = (thing: Thing, state: string, end: Thing['end']): void => {
    Object.assign(thing, { state, end, left: behaviour.reads ?? 2 })
  }
  const shown = ({ left: _, end: __, ...thing }: Thing) => thing
  const isHidden = ({ state }: Thing): boolean => behaviour.hidden === true && state === 'CREATING'
  const accepted = (thing: Thing): Answer =>
    behaviour.location !== undefined
      ? [202, { accepted: true }, { location: `/operations/${thing.id}${behaviour.location}` }]
      : [202, shown(thing)]

  const answer = (method: string, path: string, body: Record<string, unknown>): Answer => {
    const [, kind, id = ''] = path.split('/')
    if (kind === 'operations') {
      const thing = things.get(id)
      if (thing !== undefined) settle(thing)
      return things.get(id)?.state === 'OK' || !things.has(id) ? [200, { done: true }] : [202, { done: false }]
    }
    if (id === '' && method === 'GET') return [200, [...things.values()].filter((each) => !isHidden(each)).map(shown)]
    if (id === '' && method === 'POST') {
      last += 1
      const thing = { id: `t-${last}`, name: '', size: 0, ...body, state: '', left: 0, end: 'OK' as const }
      begin(thing, 'CREATING', behaviour.ends ?? 'OK')
      things.set(thing.id, thing)
      return accepted(thing)
    }
    const thing = things.get(id)
    if (thing === undefined) return [404, {}]
    if (method === 'GET') {
      settle(thing)
      const now = things.get(id)
      return now === undefined || isHidden(now) ? [404, {}] : [200, shown(now)]
    }
    if (method === 'DELETE') begin(thing, 'DELETING', 'gone')
    else {
      Object.assign(thing, body)
      begin(thing, 'UPDATING', behaviour.ends ?? 'OK')
    }
    return accepted(thing)
  }

  const server = await startServer(({ method, url, body: text }, response) => {
    log.push(`${method} ${url}`)
    const fault = url.split('/').length > 2 && method === 'GET' ? behaviour.faults?.shift() : undefined
    const [status, body, headers = {}] =
      fault === undefined ? answer(method, url.split('?')[0] ?? '', text === '' ? {} : JSON.parse(text)) : [fault, {}]
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body ?? null))
  })
  return {
    ...server,
    things,
    behaviour,
    log,
    writes: () => log.filter((line) => !line.startsWith('GET')),
  }
}

/** Its API as the insides of a resource; `wait` is put in as it is. */
export const slowResource = (
  wait = 'wait: { poll: retrieve, state: state, ok: [OK], error: [ERRED], message: reason, intervalSeconds: 1, timeoutSeconds: 60 }',
): string => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things, produces: { id: id } }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
lifecycle: { states: { at: state, busy: [CREATING, UPDATING, DELETING], error: [ERRED], message: reason } }
${wait}
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes: { name: {}, size: { type: number } }
`
