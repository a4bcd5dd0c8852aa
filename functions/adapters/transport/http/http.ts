import {
  AppError,
  AsSent,
  defaultTimeoutMs,
  defined,
  type ErrorPayload,
  overridesMethod,
  type Request,
  type Response,
  type Transport,
  type WireRequest,
} from '#core'
import { createGate } from '../gate.ts'
import { type AddressGuard, refusedAddress } from './address-guard.ts'
import { bodyText, decodeBody } from './body.ts'
import { type BodySpelling, createSpelling } from './escapes.ts'
import { networkWords, socketDetail, type WireSocket } from './network-words.ts'
import { createNodeFetch, type Sending, type TlsMaterial, type Trailers } from './node-fetch.ts'

export interface HttpOptions {
  /** The limit for one whole exchange, redirects and body included. `defaultTimeoutMs` when absent. */
  readonly timeoutMs?: number
  /** The limit for a body after decompression. 16 MiB when absent. */
  readonly maxBodyBytes?: number
  /** Returns the certificates for https; called with the first request. */
  readonly tls?: () => Promise<TlsMaterial>
  /** True: reads without credentials follow redirects to another origin. */
  readonly otherOrigins?: boolean
  /** True: a redirect is the answer. */
  readonly noRedirects?: boolean
  /** All requests go here. Requests to another origin, or to another socket, are refused before they are sent. */
  readonly socket?: WireSocket
  /** Checks every address before a connection to it; Unix sockets are then refused too. */
  readonly guard?: AddressGuard
  readonly now?: () => Date
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])
/** Headers that may follow a redirect to another origin. Any other header could identify the caller. */
const harmless = new Set(['accept', 'accept-language', 'user-agent', 'if-none-match', 'if-modified-since'])

/**
 * Sends over http and https. Reads follow up to five redirects within their origin, and to another origin only if the
 * provider document allows it and the request contains nothing that identifies the caller; a redirect of a write is
 * returned as its answer.
 */
export const createHttpTransport = (options: HttpOptions = {}): Transport => {
  const { timeoutMs = defaultTimeoutMs, tls, socket, guard } = options
  const fetchOne = createNodeFetch(defined({ tls, socketPath: socket?.path, guard }))
  const spellings = new Map<string, BodySpelling>()
  return {
    send: async (request, signal) => {
      const deadline = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline
      const gate = createGate(request)
      try {
        return await exchange(request, { ...options, spellings }, (url, given) =>
          fetchOne(url, { ...given, signal: either, gate }),
        )
      } catch (error) {
        if (error instanceof AppError) throw error
        if (gate.isShut()) throw failure(request, 'its leave had ended before it left', 'unsent')
        const address = refusedAddress(error)
        if (address !== undefined) throw refused(request, address)
        if (signal?.aborted) throw failure(request, 'it was cancelled', 'cancelled')
        if (deadline.aborted) throw failure(request, `no whole answer within ${timeoutMs} ms`, 'timeout')
        throw failure(request, socketDetail(error, socket) ?? networkWords(error), 'network', error)
      }
    },
  }
}

type FetchOne = (url: URL, given: Omit<Sending, 'signal' | 'gate'>) => Promise<globalThis.Response>

interface ExchangeOptions extends HttpOptions {
  /** By origin. */
  readonly spellings: Map<string, BodySpelling>
}

const exchange = async (request: WireRequest, options: ExchangeOptions, fetchOne: FetchOne): Promise<Response> => {
  const { maxBodyBytes = 16 * 1024 * 1024, now = () => new Date() } = options
  const first = targetOf(request, request.url)
  if (hasDots(request.url)) throw invalid(request, 'a "." or ".." segment of its path would be lost on the way')
  requireSocket(request, first, options)
  const { method, signing } = request
  const spelling = options.spellings.get(first.origin) ?? createSpelling()
  options.spellings.set(first.origin, spelling)
  const body = bodyText(request, spelling.write)
  const plain = headersOf(request)
  const headers =
    signing === undefined
      ? plain
      : await (await import('./sign-aws.ts')).signAws(signing, { method, url: first, headers: plain, body }, now())
  // Where the document lets a read go elsewhere, it is known what is there.
  const isElsewhere = ({ origin }: URL): boolean => origin !== first.origin
  let url = first
  let isMoved = true
  const sent: string[] = []
  const redirected: Telling = (shown, words) => redirect(request, sent, shown, words)
  for (let followed = 0; ; followed += 1) {
    const trailers: Trailers = new Map()
    const answer = await fetchOne(url, { method, headers, body, trailers })
    const location = answer.headers.get('location')
    const isFollowed = redirects.has(answer.status) && options.noRedirects !== true && isPlainRead(request)
    if (!isFollowed || location === null) {
      if (endOf(url) !== endOf(first) && (answer.status >= 400 || !(isMoved || isElsewhere(url)))) {
        await answer.body?.cancel()
        throw redirected(url.pathname, (to) => `it redirects to ${to}, and that answers HTTP ${answer.status}`)
      }
      const response = await decodeBody(request, answer, maxBodyBytes, spelling.notice)
      return trailers.size === 0 ? response : { ...response, trailers: Object.fromEntries(trailers) }
    }
    await answer.body?.cancel()
    isMoved &&= answer.status === 301 || answer.status === 308
    if (followed === maxRedirects) throw invalid(request, `it redirects more than ${maxRedirects} times`)
    sent.push(location)
    url = targetOf(request, URL.parse(location, url.href)?.href ?? location)
    requireSocket(request, url, options, redirected)
    if (overridesMethod({ url: url.href })) throw invalid(request, 'it redirects to a request that is no read')
    const refused = url.origin === first.origin ? undefined : whyNot(request, headers, options)
    if (refused !== undefined) throw redirected(url.origin, (to) => `it redirects to ${to}, and ${refused}`)
  }
}

/**
 * Under another name than the one that was asked for is another thing, such as a page to sign in: what it answers says nothing of the
 * object. Only what moved for good may have another name, and then it is there.
 */
const endOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase() ?? ''

const whyNot = (request: WireRequest, headers: Headers, { otherOrigins, tls }: HttpOptions): string | undefined => {
  if (otherOrigins !== true) return 'requests stay on their origin unless the provider document allows another one'
  const isBare = request.isAnonymous === true && request.body === undefined && tls === undefined
  const isPlain = [...headers.keys()].every((name) => harmless.has(name))
  return isBare && isPlain ? undefined : 'credentials are not sent to another origin'
}

/** Requests of a provider with a socket go only to that socket, and no other request goes there. */
const requireSocket = (
  request: Request,
  { origin }: URL,
  { socket, guard }: HttpOptions,
  telling: Telling = (shown, words) => invalid(request, words(shown)),
): void => {
  if (guard !== undefined && socket !== undefined) throw refused(request, socket.path)
  if (request.socket !== undefined && request.socket !== socket?.path) {
    throw invalid(request, `it is for the socket ${request.socket}, and this is not the way there`)
  }
  if (socket !== undefined && origin !== socket.origin) {
    throw telling(origin, (to) => `only ${socket.origin} is asked at the socket ${socket.path}, and not ${to}`)
  }
}

/**
 * Finds dot segments, also percent-encoded ones: a URL parser resolves `.` and `..`, and the request would go to
 * another object.
 */
const hasDots = (url: string): boolean => /\/(\.|%2e){1,2}(?=[/?#]|$)/i.test(url.split(/[?#]/)[0] ?? '')

const isPlainRead = ({ effect, method }: Request): boolean => effect === 'read' && /^(GET|HEAD)$/i.test(method)

const targetOf = (request: Request, text: string): URL => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(request, 'the address is no http(s) URL')
  if (url.username !== '' || url.password !== '') {
    const shown = { ...request, url: text === request.url ? `${url.origin}${url.pathname}` : request.url }
    throw invalid(shown, 'the address holds a user name or password; use `auth`')
  }
  return url
}

/** Checks the values, because fetch would quote a malformed value, perhaps a secret with a line feed, in its error. */
const headersOf = (request: Request): Headers => {
  const headers = new Headers({ accept: 'application/json, */*;q=0.5', 'user-agent': 'plumbline' })
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    try {
      headers.set(name, value)
    } catch {
      throw invalid(request, `the header "${name}" has characters that cannot be sent, a line feed perhaps`)
    }
  }
  return headers
}

type Failing = ErrorPayload<'REQUEST_FAILED'>['reason'] & {}

const refused = ({ method, url }: Request, address: string): AppError =>
  new AppError('ADDRESS_REFUSED', { method, url, address })

const failure = ({ method, url }: Request, detail: string, reason: Failing, cause?: unknown): AppError =>
  new AppError('REQUEST_FAILED', { method, url, detail, reason }, { cause })

const invalid = ({ method, url }: Request, detail: string, cause?: unknown): AppError =>
  new AppError('RESPONSE_INVALID', { method, url, detail }, { cause })

/** Builds the error that says where a redirect leads. */
type Telling = (shown: string, words: (to: string) => string) => AppError

/** A parser turns `\\` to `/`, removes tabs, and writes hosts in its own way: so each Location of the way comes along as it was sent. */
const redirect = (
  request: Request,
  sent: readonly string[],
  shown: string,
  words: (to: string) => string,
): AppError => {
  const all = sent.flatMap((each) => [each, each.replaceAll('\t', '')])
  return invalid(request, words(shown), new AsSent(all.join('\n'), words('(secret)')))
}
