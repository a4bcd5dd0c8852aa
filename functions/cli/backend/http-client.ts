import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { AppError, defined, foreignWords, isAppError, parseForeign } from '#core'
import { jsonFaults } from '../../adapters/json-in.ts'
import { readAll } from '../../adapters/read-all.ts'
import type { Signed } from '../../adapters/transport/http/sign-aws.ts'
import type { Endpoint, Vouched } from '../context.ts'
import { refusal } from './refusal.ts'

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

/** Adds what says who sends the request: a signature or a token. */
const vouch = async ({ token, sign }: Endpoint, request: Signed): Promise<Vouched> => {
  if (sign !== undefined) return (await sign())(request)
  const bearer = await token()
  if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`)
  return request
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

const packs = promisify(gzip)
/** Shorter bodies are sent as they are. */
const worthPacking = 16_000

interface Packed {
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A packed body has no Content-Type, and so is JSON to the endpoint: API Gateway takes a body with that of JSON for
 * text, also where it is packed, and its bytes would be lost.
 */
const packedBody = async (body: unknown): Promise<Packed> => {
  if (body === undefined) return { headers: {} }
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  if (bytes.byteLength <= worthPacking) return { bytes, headers: { 'content-type': 'application/json' } }
  return { bytes: new Uint8Array(await packs(bytes)), headers: { 'content-encoding': 'gzip' } }
}

/** An endpoint answers at most 6 MB; this is for those that are none. */
const maxAnswerBytes = 64_000_000

const textOf = async ({ body }: Response, endpoint: string): Promise<string> => {
  const bytes = body === null ? Buffer.alloc(0) : await readAll(body, maxAnswerBytes)
  if (bytes === undefined)
    throw new AppError('ENDPOINT_FAILED', { endpoint, detail: `more than ${maxAnswerBytes} bytes` })
  return bytes.toString('utf8')
}

/** What is over soon: the endpoint is busy, or has closed a connection that it kept. A redirect or a wrong address stays. */
const isPassing = (error: unknown): boolean => {
  if (!isAppError(error) || !error.retryable) return false
  if (!isAppError(error, 'ENDPOINT_FAILED')) return true
  const { code = '' } = ((error.cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException
  return /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code) || /^status (429|50[234])$/.test(error.payload.detail)
}

/** Milliseconds before a read is asked again. */
const pauses = [200, 1_000] as const

/**
 * Asks a read again, which changes nothing: that an endpoint is busy, or has closed a connection, says nothing about what is
 * read, and who waits for an apply must not lose sight of it.
 */
const patiently = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  for (const pause of pauses) {
    try {
      return await read()
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await setTimeout(pause)
  }
  return read()
}

/** Sends JSON over HTTP. Every failure is an AppError; none contains the token. */
export const createClient = (endpoint: Endpoint, version: string): Client => {
  const { url } = endpoint
  const send = (method: string, path: string, { body: value, headers: more = {} }: Sent): Promise<Answered> =>
    fetchFrom(url, timeoutMs, async (signal) => {
      const { bytes, headers: kinds } = await packedBody(value)
      const headers = new Headers({
        accept: 'application/json',
        'user-agent': `plumbline/${version}`,
        ...kinds,
        ...more,
      })
      const body = bytes ?? null
      const sent = await vouch(endpoint, { method, url: new URL(`${url}${path}`), headers, body })
      const response = await fetch(sent.url, { method, redirect: 'error', signal, headers: sent.headers, body })
      const text = await textOf(response, url)
      if (response.ok) return { text, link: response.headers.get('link') }
      const refused = { endpoint: url, status: response.status, text }
      throw sent.refusal?.(refused, response.headers.get('date')) ?? refusal(refused)
    })
  const call = async <Answer>(method: string, path: string, query: Query, sent: Sent): Promise<Answer> => {
    const search = new URLSearchParams(query).toString()
    const { text } = await send(method, search === '' ? path : `${path}?${search}`, sent)
    const parsed = parseForeign(text)
    if ('value' in parsed) return parsed.value as Answer
    throw new AppError('ENDPOINT_FAILED', { endpoint: url, detail: `something that ${jsonFaults[parsed.fault]}` })
  }
  return {
    url,
    get: (path, query = {}) => patiently(() => call('GET', path, query, {})),
    getText: async (path, accept, query = new URLSearchParams()) => {
      const asked = query.size === 0 ? path : `${path}?${query}`
      const { text, link } = await patiently(() => send('GET', asked, { headers: { accept } }))
      const [, next] = /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? []
      return { text, ...defined({ next: next === undefined ? undefined : new URLSearchParams(next) }) }
    },
    put: (path, body, query = {}) => call('PUT', path, query, { body }),
    post: (path, query, sent = {}) => call('POST', path, query, sent),
    delete: (path, query) => call('DELETE', path, query, {}),
  }
}
