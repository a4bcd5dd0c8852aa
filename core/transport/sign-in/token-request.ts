import { AppError } from '../../errors.ts'
import { fromPointer, valueAt } from '../../json/pointer.ts'
import type { Login, OAuth2, Request, Response, TokenAuth, TokenSource, TokenUse } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import type { UnknownReason } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { unknownFromStatus } from '../answer/unknown.ts'
import type { Lookups } from '../secrets/resolve-value.ts'
import { resolveText, resolveValue } from '../secrets/resolve-value.ts'
import { textOf, withBasic, withHeader } from './authenticate.ts'

type Learn = ((value: string) => void) | undefined

/** The request that fetches a token, secrets in clear. */
export const tokenRequest = (auth: TokenAuth, lookups: Lookups, learn: Learn): Promise<Request> =>
  auth.kind === 'oauth2' ? clientCredentials(auth, lookups, learn) : loginRequest(auth, lookups, learn)

const clientCredentials = async (auth: OAuth2, lookups: Lookups, learn: Learn): Promise<Request> => {
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
  // https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1: both halves are encoded as in a form.
  const pair = `${formText(id)}:${formText(secret)}`
  learn?.(pair)
  return withHeader(request, 'authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
}

const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const loginRequest = async (auth: Login, lookups: Lookups, learn: Learn): Promise<Request> => {
  const { method, url, headers = {}, body, basic } = auth
  // A stored document of before may say otherwise.
  if (method !== 'GET' && method !== 'POST')
    throw signInFailed(auth, 'was not sent: only GET and POST sign in', 'unsupported')
  const texts = await Promise.all(
    Object.entries(headers).map(async ([name, value]) => [name, await resolveText(value, lookups)] as const),
  )
  const request: Request = {
    method,
    url,
    effect: 'signIn',
    headers: { accept: 'application/json', ...Object.fromEntries(texts) },
    ...defined({ body: body === undefined ? undefined : await resolveValue(body, lookups) }),
  }
  return basic === undefined ? request : withBasic(request, basic, lookups, learn)
}

export interface Token {
  readonly text: string
  readonly send: TokenUse
}

export interface TokenAnswer {
  readonly tokens: readonly Token[]
  /** Lifetime in seconds, where the answer or the document tells it. */
  readonly seconds?: number
}

/** The tokens in an answer. Throws SIGN_IN_FAILED where one is missing. */
export const tokensIn = (auth: TokenAuth, response: Response): TokenAnswer => {
  const { status, body } = response
  // A form login answers with a cookie and a redirect; a token in a body needs a body.
  if (!isTaken(auth, status)) throw signInFailed(auth, `answered ${status}${codeOf(body)}`, notOurFault(status))
  const tokens = tokenSources(auth).map(({ token, send }) => ({ text: tokenText(auth, token, response), send }))
  const seconds = Number(lifetime(auth, body))
  return { tokens, ...defined({ seconds: seconds > 0 ? seconds : undefined }) }
}

/** Anything but these says that it does not want us. */
const notOurFault = (status: number): UnknownReason => {
  const { reason } = unknownFromStatus(status)
  return reason === 'server_error' || reason === 'rate_limited' || reason === 'timeout' ? reason : 'unauthorised'
}

const isTaken = (auth: TokenAuth, status: number): boolean => {
  if (auth.kind === 'oauth2') return status >= 200 && status < 300
  const limit = 'pointer' in auth.token ? 300 : 400
  return auth.success === undefined ? status >= 200 && status < limit : auth.success.includes(status)
}

const tokenSources = (auth: TokenAuth): readonly { readonly token: TokenSource; readonly send: TokenUse }[] =>
  auth.kind === 'oauth2'
    ? [{ token: { pointer: '/access_token' }, send: auth.send }]
    : [{ token: auth.token, send: auth.send }, ...(auth.also ?? [])]

const tokenText = (auth: TokenAuth, source: TokenSource, response: Response): string => {
  const token = loginToken(source, response)
  if (typeof token !== 'string' && typeof token !== 'number') {
    throw signInFailed(auth, `answered ${response.status} without a token ${placeWords(auth, source)}`, 'bad_body')
  }
  if (token === '')
    throw signInFailed(auth, `answered ${response.status} with an empty token ${placeWords(auth, source)}`, 'bad_body')
  return String(token)
}

const loginToken = (token: TokenSource, { headers, body }: Response): Json | undefined => {
  if ('pointer' in token) return valueAt(body, fromPointer(token.pointer))
  if ('header' in token) return headers[token.header.toLowerCase()]
  const cookies = (headers['set-cookie'] ?? '').split('\n').map((line) => line.split(';')[0]?.trim() ?? '')
  return cookies.find((cookie) => cookie.startsWith(`${token.cookie}=`))?.slice(token.cookie.length + 1)
}

const lifetime = (auth: TokenAuth, body: Json): Json | undefined => {
  if (auth.kind === 'oauth2') return valueAt(body, ['expires_in'])
  return typeof auth.expires === 'object' ? valueAt(body, fromPointer(auth.expires.pointer)) : auth.expires
}

const placeWords = (auth: TokenAuth, token: TokenSource): string => {
  if (auth.kind === 'oauth2') return 'at access_token'
  if ('pointer' in token) return `at ${token.pointer || 'its top'}`
  return 'header' in token ? `in its header ${token.header}` : `in its cookie ${token.cookie}`
}

/** The code of https://www.rfc-editor.org/rfc/rfc6749#section-5.2; anything longer could repeat what was sent. */
const codeOf = (body: Json): string => {
  const code = isObject(body) ? body['error'] : undefined
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : ''
}

/** `reason`: why nothing can be read then. A server that is down has not refused anybody. */
export const signInFailed = (auth: TokenAuth, detail: string, reason: UnknownReason): AppError => {
  const [method, url] = auth.kind === 'oauth2' ? ['POST', auth.tokenUrl] : [auth.method, auth.url]
  return new AppError('SIGN_IN_FAILED', { method, url, detail, reason })
}
