import type { IncomingHttpHeaders } from 'node:http'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { startServer } from './loopback.ts'

/*
 * A stand-in of a JSON API on a loopback port: routes as a table, everything that came in on the socket as a list.
 */

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Absent where nothing was sent; a text that is no JSON is a text. */
  readonly body?: Json
  /** By the names of the route's `:segments`, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (asked: Asked) => Answered
/** `GET /things/:id`. */
export type Routes = Readonly<Record<string, Handler>>

export interface RoutesOptions {
  /** Answers before any route does: a refused key, a fault of the test. */
  readonly guard?: (asked: Asked) => Answered | undefined
  /** What stands in front of every path. */
  readonly prefix?: string
  /** A slash at the end is the same path. */
  readonly looseSlash?: boolean
  readonly notFound?: Answered
  /** A port that somebody knows, instead of one of its own. */
  readonly port?: number
  /** Called with each answer. */
  readonly answered?: (asked: Asked, answer: Answered) => void
}

const compile = (routes: Routes) =>
  Object.entries(routes).map(([route, handler]) => {
    const [method, path = ''] = route.split(' ')
    const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    return { method, pattern, handler }
  })

const parsed = (text: string): { readonly body?: Json } => {
  if (text === '') return {}
  try {
    return { body: JSON.parse(text) as Json }
  } catch {
    return { body: text }
  }
}

/** On a port of its own; `await using` ends it. `behaviour.guard` may change while it runs. */
export const startRoutes = async (routes: Routes, options: RoutesOptions = {}) => {
  const { prefix = '', looseSlash = false, notFound = { status: 404, body: { detail: 'Not found.' } } } = options
  const { port = 0, answered } = options
  const table = compile(routes)
  const received: Asked[] = []
  const behaviour: { guard: RoutesOptions['guard'] } = { guard: options.guard }

  const answerTo = (asked: Omit<Asked, 'params'>): Answered => {
    const guarded = behaviour.guard?.({ ...asked, params: {} })
    if (guarded !== undefined) return guarded
    if (!asked.path.startsWith(prefix)) return notFound
    const whole = asked.path.slice(prefix.length)
    const path = looseSlash && whole.length > 1 ? whole.replace(/\/$/, '') : whole
    for (const { method, pattern, handler } of table) {
      const found = method === asked.method ? pattern.exec(path) : null
      if (found === null) continue
      const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      return handler({ ...asked, params: Object.fromEntries(params) as Asked['params'] })
    }
    return notFound
  }

  const server = await startServer(
    ({ method, url, headers: sent, body: text }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://stand.in')
      const asked = { method, path: pathname, query: searchParams, headers: sent, ...parsed(text) }
      received.push({ ...asked, params: {} })
      const answer = answerTo(asked)
      answered?.({ ...asked, params: {} }, answer)
      const { status, body, headers = {} } = answer
      response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    },
    { port, host: '127.0.0.1' },
  )

  const spell = ({ method, path, query }: Asked): string => {
    const text = query.toString()
    return `${method} ${path.slice(prefix.length)}${text === '' ? '' : `?${text}`}`
  }
  const writes = (): readonly Asked[] => received.filter(({ method }) => !['GET', 'HEAD'].includes(method))
  return {
    ...server,
    received,
    behaviour,
    writes,
    /** Every request in one line. */
    lines: (): readonly string[] => received.map(spell),
    /** Every write: a line, and its body where it has one. */
    written: (): readonly (readonly [string, Json?])[] =>
      writes().map((asked) => (asked.body === undefined ? [spell(asked)] : [spell(asked), asked.body])),
    forget: (): void => void received.splice(0),
  }
}

export const objectOf = (body: Json | undefined): JsonObject =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : {}

export const ok = (body: Json, status = 200): Answered => ({ status, body })

/** Everything that a stand-in holds, as data: its maps become objects. */
export const dumpOf = (state: unknown): Json =>
  JSON.parse(
    JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value)),
  ) as Json
