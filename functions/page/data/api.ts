import type { ReaderSession } from '../session/session.ts'

/** RFC 9457, as the API writes it. `status` 0: no answer came. */
export interface PageProblem {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint: string
  readonly instance?: string
  readonly applyId?: string
}

export type ApiAnswer<Value> =
  | {
      readonly ok: true
      readonly status: number
      readonly value: Value
      /** The query of the next part, where the answer names one. */
      readonly next?: string
    }
  | { readonly ok: false; readonly problem: PageProblem }

interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A list as the API answers it. */
export interface ApiPage<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}

export interface PageApi {
  /** `path`: below `/v1`, for example `/workspaces`. Never rejects, except when `signal` ends it. */
  call<Value>(path: string, options?: CallOptions): Promise<ApiAnswer<Value>>
  /** All items of a list, page by page. */
  all<Item>(path: string, options?: CallOptions & { readonly most?: number }): Promise<ApiAnswer<readonly Item[]>>
}

const noAnswer: PageProblem = {
  status: 0,
  code: 'NO_ANSWER',
  detail: 'the endpoint does not answer',
  hint: 'check the network, and try again',
}

/** An approval carries a key, so that it is one however often it arrives. */
const notKnown: PageProblem = {
  ...noAnswer,
  detail: 'the endpoint does not answer: it is not known whether the request has arrived',
  hint: 'check the network, and press again: what has arrived is not done twice',
}

export const signedOutProblem: PageProblem = {
  status: 401,
  code: 'UNAUTHENTICATED',
  detail: 'your session has ended',
  hint: 'sign in again: you come back to this place, and what you have typed is kept',
}

/** A browser takes `..` for the folder above. */
const isPath = (path: string): boolean => !path.split('/').some((part) => part === '.' || part === '..')

const noSuchPath: PageProblem = {
  status: 404,
  code: 'ROUTE_NOT_FOUND',
  detail: 'there is nothing of this name',
  hint: 'check the address',
}

const addressOf = (path: string, query: CallOptions['query'] = {}): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `v1${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

const problemIn = async (answer: Response): Promise<PageProblem> => {
  const unreadable = { code: 'UNREADABLE', detail: `the endpoint answers ${answer.status}`, hint: 'try again later' }
  try {
    return { ...unreadable, ...((await answer.json()) as PageProblem), status: answer.status }
  } catch {
    return { ...unreadable, status: answer.status }
  }
}

/** `Link: <.../export?cursor=abc>; rel="next"` */
const nextIn = (answer: Response): { readonly next?: string } => {
  const [, query] = /<[^>?]*\?([^>]*)>; *rel="next"/.exec(answer.headers.get('link') ?? '') ?? []
  return query === undefined ? {} : { next: query }
}

const valueIn = async (answer: Response, isText: boolean): Promise<unknown> => (isText ? answer.text() : answer.json())

/** `ended` is called when a request needs a sign-in. */
export const createApi = (session: ReaderSession, ended: () => void): PageApi => {
  const call = async <Value>(path: string, options: CallOptions = {}): Promise<ApiAnswer<Value>> => {
    const { method = 'GET', query, body, accept = 'application/json', headers, signal } = options
    const refused = (): ApiAnswer<Value> => {
      ended()
      return { ok: false, problem: signedOutProblem }
    }
    if (!isPath(path)) return { ok: false, problem: noSuchPath }
    const token = await session.token()
    if (token === undefined) return refused()
    try {
      const answer = await fetch(addressOf(path, query), {
        method,
        ...(signal && { signal }),
        cache: 'no-store',
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (answer.status === 401) return refused()
      if (!answer.ok) return { ok: false, problem: await problemIn(answer) }
      // `application/x-ndjson` is lines of JSON, and no JSON itself.
      const isText = !/[/+]json$/.test(accept)
      return { ok: true, status: answer.status, value: (await valueIn(answer, isText)) as Value, ...nextIn(answer) }
    } catch (error) {
      if (signal?.aborted) throw error
      return { ok: false, problem: method === 'GET' ? noAnswer : notKnown }
    }
  }
  const all: PageApi['all'] = async <Item>(
    path: string,
    { most = 100_000, ...options }: Parameters<PageApi['all']>[1] = {},
  ) => {
    const items: Item[] = []
    let cursor: string | undefined
    do {
      const answered = await call<ApiPage<Item>>(path, {
        ...options,
        query: { limit: String(Math.min(200, most)), ...options.query, cursor },
      })
      if (!answered.ok) return answered
      items.push(...answered.value.items)
      cursor = answered.value.next
    } while (cursor !== undefined && items.length < most)
    return { ok: true, status: 200, value: items }
  }
  return { call, all }
}
