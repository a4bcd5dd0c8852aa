import { AppError } from '../../errors/errors.ts'
import { fromPointer, valueAt } from '../../json/pointer.ts'
import {
  type Login,
  type OAuth2,
  type SignedClaims,
  signedSource,
  type TokenAuth,
  type TokenSource,
  type TokenUse,
} from '../../schema/auth.ts'
import type { Request, Response } from '../../schema/command.ts'
import { isObject, type Json } from '../../schema/json.ts'
import type { Clock, SignJwt } from '../../schema/ports.ts'
import type { UnknownReason } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { longestWords, usualWords } from '../answer/answer-errors.ts'
import { unknownFromStatus } from '../answer/unknown.ts'
import { type Lookups, resolveText, resolveValue } from '../secrets/resolve-value.ts'
import { signInFaults, tokenPlaces } from '../words.ts'
import { textOf, withBasic, withPair } from './authenticate.ts'

export const tokenRequest = async (auth: TokenAuth, lookups: Lookups, signing: Signing): Promise<Request> => {
  if (auth.kind === 'oauth2') return clientCredentials(auth, lookups)
  return loginRequest(auth, auth.jwt === undefined ? lookups : await withSigned(auth, auth.jwt, lookups, signing))
}

export interface Signing {
  readonly signJwt: SignJwt
  readonly clock: Pick<Clock, 'now'>
  readonly uuid: () => string
}

const withSigned = async (
  auth: Login,
  { algorithm, key, keyId, claims, seconds, skew, unique }: SignedClaims,
  lookups: Lookups,
  { signJwt, clock, uuid }: Signing,
): Promise<Lookups> => {
  const now = Math.floor(clock.now().getTime() / 1000)
  const times = { iat: now - skew, exp: now + seconds, ...defined({ jti: unique && uuid() }) }
  const header = { alg: algorithm, ...defined({ kid: keyId }) }
  const signed = await signJwt(header, { ...claims, ...times }, await textOf(key, lookups))
  if (signed === undefined) throw signInFailed(auth, signInFaults.noKey(algorithm), 'secret')
  lookups.learn?.(signed)
  return {
    ...lookups,
    secret: async (source, digest) => (source === signedSource ? signed : lookups.secret(source, digest)),
  }
}

const clientCredentials = async (auth: OAuth2, lookups: Lookups): Promise<Request> => {
  const [id, secret] = await Promise.all([textOf(auth.clientId, lookups), textOf(auth.clientSecret, lookups)])
  const own = auth.client === 'body' ? { client_id: id, client_secret: secret } : {}
  const parameters = (await resolveValue(auth.parameters, lookups)) as Readonly<Record<string, Json>>
  const request: Request = {
    method: 'POST',
    url: auth.tokenUrl,
    effect: 'signIn',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: { grant_type: 'client_credentials', ...own, ...parameters },
  }
  if (auth.client === 'body') return request
  // Both halves are encoded as in a form: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
  return withPair(request, `${formText(id)}:${formText(secret)}`, lookups)
}

const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const loginRequest = async (auth: Login, lookups: Lookups): Promise<Request> => {
  const { method, url, headers = {}, body, basic } = auth
  // A document that an earlier version stored may contain another method.
  if (method !== 'GET' && method !== 'POST') throw signInFailed(auth, signInFaults.otherMethod, 'unsupported')
  const texts = Object.entries(headers).map(async ([name, value]) => [name, await resolveText(value, lookups)] as const)
  const request: Request = {
    method,
    url,
    effect: 'signIn',
    headers: { accept: 'application/json', ...Object.fromEntries(await Promise.all(texts)) },
    ...defined({ body: body === undefined ? undefined : await resolveValue(body, lookups) }),
  }
  return basic === undefined ? request : withBasic(request, basic, lookups)
}

export interface Token {
  readonly text: string
  readonly send: TokenUse
}

export interface TokenAnswer {
  readonly tokens: readonly Token[]
  /** Lifetime in seconds, if the answer or the document tells it. */
  readonly seconds?: number
}

/** Throws SIGN_IN_FAILED if a token is missing. */
export const tokensIn = (auth: TokenAuth, response: Response, now: Date): TokenAnswer => {
  const { status, body } = response
  // A form login is answered with a cookie and a redirect; a token in a body needs a status below 300.
  if (!isTaken(auth, status))
    throw signInFailed(auth, signInFaults.refused(status, codeOf(body), wordsOf(body)), notOurFault(status))
  const { token: first, also = [], expires } = answerOf(auth)
  const sources = [{ token: first, send: auth.send }, ...also]
  const tokens = sources.map(({ token, send }) => ({ text: tokenText(auth, token, response), send }))
  const seconds =
    typeof expires === 'object' ? lifetime(valueAt(body, fromPointer(expires.pointer)), response, now) : expires
  return { tokens, ...defined({ seconds: seconds !== undefined && seconds > 0 ? seconds : undefined }) }
}

/**
 * In seconds. The value is a number of seconds, or the end as a date or as seconds or milliseconds since 1970. No token
 * is valid for years, so the size of the number decides.
 */
const lifetime = (value: Json | undefined, { headers }: Response, now: Date): number | undefined => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (number < 1e8) return number
  const end = Number.isNaN(number) ? Date.parse(String(value)) : number < 1e11 ? number * 1000 : number
  // The end is relative to the clock of the server.
  const there = Date.parse(headers['date'] ?? '')
  return Number.isNaN(end) ? undefined : (end - (Number.isNaN(there) ? now.getTime() : there)) / 1000
}

/** Every other status means that the server refused the credentials. */
const notOurFault = (status: number): UnknownReason => {
  const { reason } = unknownFromStatus(status)
  return reason === 'server_error' || reason === 'rate_limited' || reason === 'timeout' ? reason : 'unauthorised'
}

const answerOf = (auth: TokenAuth): Pick<Login, 'token' | 'expires' | 'success' | 'also'> =>
  auth.kind === 'oauth2' ? { token: { pointer: '/access_token' }, expires: { pointer: '/expires_in' } } : auth

const isTaken = (auth: TokenAuth, status: number): boolean => {
  const { token, success } = answerOf(auth)
  const limit = 'pointer' in token ? 300 : 400
  return success === undefined ? status >= 200 && status < limit : success.includes(status)
}

const tokenText = (auth: TokenAuth, source: TokenSource, response: Response): string => {
  const token = loginToken(source, response)
  if ((typeof token === 'string' && token !== '') || typeof token === 'number') return String(token)
  throw signInFailed(auth, signInFaults.noToken(response.status, token === '', placeWords(source)), 'bad_body')
}

const loginToken = (token: TokenSource, { headers, body }: Response): Json | undefined => {
  if ('pointer' in token) return valueAt(body, fromPointer(token.pointer))
  if ('header' in token) return headers[token.header.toLowerCase()]
  const cookies = (headers['set-cookie'] ?? '').split('\n').map((line) => line.split(';')[0]?.trim() ?? '')
  return cookies.find((cookie) => cookie.startsWith(`${token.cookie}=`))?.slice(token.cookie.length + 1)
}

const placeWords = (token: TokenSource): string => {
  if ('pointer' in token) return tokenPlaces.body(token.pointer)
  return 'header' in token ? tokenPlaces.header(token.header) : tokenPlaces.cookie(token.cookie)
}

/** The error code of https://www.rfc-editor.org/rfc/rfc6749#section-5.2. */
const codeOf = (body: Json): string | undefined => {
  const code = isObject(body) ? body['error'] : undefined
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : undefined
}

/** They may repeat what was sent: whoever passes the error on removes secrets from it before it is cut. */
const wordsOf = (body: Json): string | undefined => {
  // No document describes the answers of a server of tokens.
  const words = usualWords(body)
  return words === codeOf(body) ? undefined : words?.slice(0, longestWords)
}

/**
 * `reason` is that of the reads that fail because of the sign-in. A server that is down has not refused the
 * credentials.
 */
export const signInFailed = (auth: TokenAuth, detail: string, reason: UnknownReason, cause?: unknown): AppError => {
  const [method, url] = auth.kind === 'oauth2' ? ['POST', auth.tokenUrl] : [auth.method, auth.url]
  return new AppError('SIGN_IN_FAILED', { method, url, detail, reason }, { cause })
}
