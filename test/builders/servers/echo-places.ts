import type { RequestListener } from 'node:http'

/* A server that knows our key and says it wherever an API can say anything. */

export const canary = 'c4n4ry"sesame/ü +&<1>'

export const document = `
provider:
  id: api
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {}, key: { secret: true } }
  auth: { bearer: { secret: "{with.key}" } }
  pagination: { style: link }
  errors: { message: "" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things, produces: { id: id }, wait: { poll: { location: true }, when: [202], state: state, ok: [OK], error: [BAD], message: message, intervalSeconds: 1, timeoutSeconds: 1 } }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lock: { etag: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: {}, size: { type: number }, tags: { type: map }, extra: { type: any, partial: true } }
`

type Answer = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly trailers?: Record<string, string>
  readonly body?: unknown
}
/** What the server says instead, by what it is asked. */
export interface Echo {
  readonly list?: (said: string) => Answer
  readonly read?: (said: string) => Answer
  readonly write?: (said: string) => Answer
  readonly poll?: (said: string) => Answer
  /** What stands in a file of the machine. */
  readonly file?: (said: string) => string
}

const thing = { id: 't-1', name: 'a', size: 1 }
export const header = (text: string): string => encodeURIComponent(text)

export const places: Readonly<Record<string, Echo>> = {
  'the text of a failure': { read: (said) => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: said }) },
  'the JSON of a failure': { read: (said) => ({ status: 500, body: { error: { detail: said } } }) },
  'a page of HTML': { read: (said) => ({ headers: { 'content-type': 'text/html' }, body: `<p>${said}</p>` }) },
  'JSON that is cut off': { read: (said) => ({ headers: { 'x-raw': '1' }, body: `{"name":"${said}` }) },
  'a value': { read: (said) => ({ body: { ...thing, extra: { note: said } } }) },
  'the name of a member': { read: (said) => ({ body: { ...thing, extra: { [said]: 1 } } }) },
  'the key of a map': { read: (said) => ({ body: { ...thing, tags: { [said]: 'x' } } }) },
  'an id': { list: (said) => ({ body: [{ ...thing, id: said }] }), read: (said) => ({ body: { ...thing, id: said } }) },
  'an ETag': { read: (said) => ({ headers: { etag: `"${header(said)}"` }, body: thing }) },
  'a trailer': { read: (said) => ({ trailers: { etag: `"${header(said)}"` }, body: thing }) },
  'another header': { read: (said) => ({ status: 503, headers: { 'x-debug': header(said) }, body: {} }) },
  'the address of a next page': {
    list: (said) => ({ headers: { link: `<http://x.test/?${header(said)}>; rel="next"` }, body: [thing] }),
  },
  'the address of a next page here': {
    list: (said) => ({ headers: { link: `</nowhere?${header(said)}>; rel="next"` }, body: [thing] }),
  },
  'a redirect': { read: (said) => ({ status: 302, headers: { location: `http://127.0.0.1:9/${header(said)}` } }) },
  'a redirect here': { read: (said) => ({ status: 302, headers: { location: `/gone?k=${header(said)}` } }) },
  'the name of what nobody declared': { list: (said) => ({ body: [thing, { id: 't-2', name: said }] }) },
  'the refusal of a write': { write: (said) => ({ status: 422, body: { error: said } }) },
  'the id of what was made': { write: (said) => ({ status: 201, body: { id: said } }) },
  'the Location of what was begun': {
    write: (said) => ({ status: 202, headers: { location: `/jobs/${header(said)}` }, body: { id: 't-9' } }),
  },
  'the state of a job': {
    write: () => ({ status: 202, headers: { location: '/jobs/1' }, body: { id: 't-9' } }),
    poll: (said) => ({ body: { state: said, message: said } }),
  },
  'the content of a file': { file: (said) => `key = ${said}\n` },
  'the reason of a job': {
    write: () => ({ status: 202, headers: { location: '/jobs/1' }, body: { id: 't-9' } }),
    poll: (said) => ({ body: { state: 'BAD', message: `no: ${said}` } }),
  },
}

export const listenerOf = (echo: Echo, said: string): RequestListener => {
  const made = { ...thing }
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const own: Answer =
      request.method !== 'GET'
        ? (echo.write?.(said) ?? { status: 200, body: made })
        : path === '/things'
          ? (echo.list?.(said) ?? { body: echo.write === undefined ? [made] : [] })
          : path.startsWith('/jobs')
            ? (echo.poll?.(said) ?? { status: 500, body: { path: request.url } })
            : (echo.read?.(said) ?? { body: made })
    const isRaw = typeof own.body === 'string'
    const { 'x-raw': _raw, ...headers } = { 'content-type': 'application/json', ...own.headers } as Record<
      string,
      string
    >
    response.writeHead(own.status ?? 200, {
      ...headers,
      ...(own.trailers ? { trailer: Object.keys(own.trailers).join() } : {}),
    })
    response.write(isRaw ? String(own.body) : JSON.stringify(own.body ?? null))
    if (own.trailers) response.addTrailers(own.trailers)
    response.end()
  }
}
