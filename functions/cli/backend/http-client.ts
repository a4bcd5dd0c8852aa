import * as z from 'zod'
import {
  AppError,
  defined,
  type ErrorCode,
  type ErrorPayload,
  foreignWords,
  type Issue,
  isAppError,
  isErrorCode,
} from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Endpoint } from '../context.ts'

type Query = Readonly<Record<string, string>>

interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface TextPart {
  readonly text: string
  readonly next?: URLSearchParams
}

export interface Client {
  readonly url: string
  get<Answer>(path: string, query?: Query): Promise<Answer>
  /** Fetches a text, or a part of it; `next` requests the following part. */
  getText(path: string, mediaType: string, query?: URLSearchParams): Promise<TextPart>
  put<Answer>(path: string, body: unknown, query?: Query): Promise<Answer>
  post<Answer>(path: string, query: Query, sent?: Sent): Promise<Answer>
  delete(path: string, query: Query): Promise<unknown>
}

export const part = encodeURIComponent
export const pathOf = (workspace: string): string => `/v1/workspaces/${part(workspace)}`

/** This is longer than the endpoint may wait. */
const timeoutMs = 40_000

const problemShape = z.object({
  code: z.string(),
  detail: z.string(),
  issues: z.array(z.custom<Issue>()).exactOptional(),
})

const refusal = (endpoint: string, status: number, text: string): AppError => {
  const { data: problem } = problemShape.safeParse(jsonIn(text))
  if (problem !== undefined && isErrorCode(problem.code))
    // Only the texts were sent; nothing reads the payload except the issues of a configuration.
    return new AppError<ErrorCode>(problem.code, { issues: problem.issues ?? [] } as ErrorPayload<ErrorCode>, {
      told: problem.detail,
    })
  if (status === 401) return new AppError('UNAUTHENTICATED', { detail: `${endpoint} does not accept the token` })
  return new AppError('ENDPOINT_FAILED', { endpoint, detail: `status ${status}` })
}

interface Answered {
  readonly text: string
  readonly link: string | null
}

/** Rejects with ENDPOINT_FAILED, in words that quote nothing of the request or of the answer. */
export const fetchFrom = async <Result>(
  endpoint: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  try {
    return await work(AbortSignal.timeout(timeoutMs))
  } catch (cause) {
    if (isAppError(cause)) throw cause
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    // Fetch puts the reason into the cause of its error.
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
    const detail = isLate ? `nothing within ${timeoutMs / 1000} seconds` : `nothing (${foreignWords(reason)})`
    throw new AppError('ENDPOINT_FAILED', { endpoint, detail }, { cause })
  }
}

/** Sends JSON over HTTP. Every failure is an AppError; none contains the token. */
export const createClient = ({ url, token }: Endpoint, version: string): Client => {
  const send = (method: string, path: string, { body, headers = {} }: Sent): Promise<Answered> =>
    fetchFrom(url, timeoutMs, async (signal) => {
      const bearer = await token()
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'error',
        signal,
        headers: {
          accept: 'application/json',
          'user-agent': `plumbline/${version}`,
          ...defined({
            authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
            'content-type': body === undefined ? undefined : 'application/json',
          }),
          ...headers,
        },
        ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.ok) return { text, link: response.headers.get('link') }
      throw refusal(url, response.status, text)
    })
  const call = async <Answer>(method: string, path: string, query: Query, sent: Sent): Promise<Answer> => {
    const search = new URLSearchParams(query).toString()
    const { text } = await send(method, search === '' ? path : `${path}?${search}`, sent)
    const answer = jsonIn(text)
    if (answer === undefined)
      throw new AppError('ENDPOINT_FAILED', { endpoint: url, detail: 'something that is not JSON' })
    return answer as Answer
  }
  return {
    url,
    get: (path, query = {}) => call('GET', path, query, {}),
    getText: async (path, accept, query = new URLSearchParams()) => {
      const { text, link } = await send('GET', query.size === 0 ? path : `${path}?${query}`, { headers: { accept } })
      const [, next] = /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? []
      return { text, ...defined({ next: next === undefined ? undefined : new URLSearchParams(next) }) }
    },
    put: (path, body, query = {}) => call('PUT', path, query, { body }),
    post: (path, query, sent = {}) => call('POST', path, query, sent),
    delete: (path, query) => call('DELETE', path, query, {}),
  }
}
