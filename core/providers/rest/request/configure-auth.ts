import {
  type Auth,
  type Login,
  type OAuth2,
  type SignedClaims,
  signedSource,
  type TokenSource,
  type TokenUse,
} from '../../../engine/schema/auth.ts'
import { isStraight } from '../../../engine/schema/base-url.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { isSecret, type SecretMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { partsOf } from '../../../engine/values/marks/marks.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import {
  type AuthEntries,
  type AuthEntry,
  type JwtEntry,
  type LoginEntry,
  type TokenSourceEntry,
  type TokenUseEntry,
  type Way,
  waysOf,
} from '../document/api/auth.ts'
import type { RestSettings } from '../document/api/provider.ts'
import { fill, neededIn, pointerOf, type Scope } from '../document/shared/template.ts'
import type { Configuration, RestContext } from './context.ts'
import { refusals } from './words.ts'

/**
 * The way to sign in that the settings of the workspace choose: of several, the one whose variables all have a value.
 * Optional settings of another way may not be given too, because nobody would know which of them counts.
 */
export const chooseWay = (
  entries: AuthEntries,
  settings: RestSettings,
  { scope, refuse }: Configuration,
): Way | undefined => {
  const needs = waysOf(entries).map(({ at, way }) => ({
    way: { at, way },
    names: [...new Set(neededIn(way as Json).flatMap(settingIn))],
  }))
  const [first] = needs
  if (needs.length === 1) return first?.way
  const given = (name: string): boolean => scope(['with', name]) !== undefined
  const complete = needs.filter(({ names }) => names.every(given))
  const [chosen] = complete
  const isExtra = (name: string): boolean =>
    settings.with?.[name]?.optional === true && given(name) && chosen?.names.includes(name) === false
  const sets = needs.map(({ names }) => names)
  if (chosen === undefined) return refuse(refusals.noWay(sets))
  return complete.length > 1 || sets.flat().some(isExtra) ? refuse(refusals.severalWays(sets)) : chosen.way
}

const settingIn = ({ variable: [first, name] }: { readonly variable: Path }): readonly string[] =>
  first === 'with' && name !== undefined ? [String(name)] : []

/** How requests sign in with the values of the workspace; `undefined` if they are invalid. */
export const configureAuth = (entry: AuthEntry, configuration: Configuration): Auth | undefined => {
  if ('basic' in entry) {
    const pair = pairOf(entry.basic, configuration)
    return pair && { kind: 'basic', ...pair }
  }
  if ('oauth2' in entry) return oauth2Of(entry.oauth2, configuration)
  if ('login' in entry) return loginOf(entry.login, configuration)
  if ('sigv4' in entry) return sigv4Of(entry.sigv4, configuration)
  if ('query' in entry) {
    const secret = secretOf(entry.query.secret, configuration)
    return secret && { kind: 'query', name: entry.query.name, secret }
  }
  const { name, template, ...own } =
    'header' in entry ? entry.header : { name: 'Authorization', template: 'Bearer {secret}', ...entry.bearer }
  const secret = secretOf(own.secret, configuration)
  return secret && { kind: 'header', name, template, secret }
}

/** A request that fetches a token, and all its parts that may contain texts. */
export const signInOf = ({ auth, way }: Pick<RestContext, 'auth' | 'way'>) => {
  if (auth === undefined || way === undefined) return undefined
  if (auth.kind === 'oauth2') return { ...way, key: 'oauth2' as const, url: auth.tokenUrl, sent: [] }
  if (auth.kind !== 'login') return undefined
  return { ...way, key: 'login' as const, url: auth.url, sent: [auth.body ?? null, auth.headers ?? null] }
}

const secretOf = (template: string, { scope, refuse }: Configuration): SecretMark | undefined => {
  const value = fill(template, scope)
  return isSecret(value) ? value : refuse(refusals.noSecret())
}

/** A name that may be a secret or a plain text. */
const userOf = (template: string, { scope, refuse }: Configuration): string | SecretMark | undefined => {
  const value = fill(template, scope)
  return (typeof value === 'string' && value !== '') || isSecret(value) ? value : refuse(refusals.noUser())
}

type UserAndPassword = { readonly user: string | SecretMark; readonly password: SecretMark | '' }

const pairOf = (
  entry: { readonly user: string; readonly password: string },
  configuration: Configuration,
): UserAndPassword | undefined => {
  const password = entry.password === '' ? '' : secretOf(entry.password, configuration)
  const user = userOf(entry.user, configuration)
  if (password === undefined || user === undefined) return undefined
  return password === '' && typeof user === 'string' ? configuration.refuse(refusals.noSecret()) : { user, password }
}

const useOf = (entry: TokenUseEntry): TokenUse => {
  const { template } = entry
  if ('header' in entry) return { in: 'header', name: entry.header, template }
  return 'query' in entry
    ? { in: 'query', name: entry.query, template }
    : { in: 'cookie', name: entry.cookie, template }
}

/** An absolute URL, or a path below the base URL. It must not contain secrets, because it is shown. */
const addressOf = (template: string, { scope, baseUrl, refuse }: Configuration): string | undefined => {
  const value = fill(template, scope)
  const url = typeof value === 'string' ? URL.parse(value.startsWith('/') ? `${baseUrl}${value}` : value) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === ''
  return isPlain && typeof value === 'string' && isStraight(value) ? url.href : refuse(refusals.noAddress())
}

type OAuth2Entry = Extract<AuthEntry, { readonly oauth2: unknown }>['oauth2']

const oauth2Of = (entry: OAuth2Entry, configuration: Configuration): OAuth2 | undefined => {
  const tokenUrl = addressOf(entry.tokenUrl, configuration)
  const clientId = userOf(entry.clientId, configuration)
  const clientSecret = secretOf(entry.clientSecret, configuration)
  if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const scope = entry.scope === undefined ? undefined : [entry.scope].flat().join(' ')
  const own = defined({ scope, audience: entry.audience })
  const parameters = fill({ ...own, ...entry.parameters }, configuration.scope) as JsonObject
  return { kind: 'oauth2', tokenUrl, clientId, clientSecret, client: entry.client, parameters, send: useOf(entry.send) }
}

const loginOf = (entry: LoginEntry, configuration: Configuration): Login | undefined => {
  const { baseUrl, refuse } = configuration
  const { method, otherHost, token, expires, send, success, refused, always, also } = entry
  const url = addressOf(entry.url, configuration)
  const { origin } = new URL(baseUrl)
  if (url === undefined) return undefined
  if (!otherHost && new URL(url).origin !== origin) return refuse(refusals.otherHost(origin, url))
  const basic = entry.basic && pairOf(entry.basic, configuration)
  const jwt = entry.jwt && jwtOf(entry.jwt, configuration)
  const scope = withSigned(configuration.scope, jwt)
  const headers = entry.headers && (fill(entry.headers, scope) as JsonObject)
  const body = entry.body === undefined ? undefined : fill(entry.body, scope)
  // A session may need no credentials; a login that sends a user must send a secret.
  const isNamed = headers !== undefined || body !== undefined
  if (entry.basic === undefined && isNamed && !holdsSecret([headers ?? null, body ?? null])) {
    return refuse(refusals.noSecret())
  }
  return {
    kind: 'login',
    method,
    url,
    token: sourceOf(token),
    send: useOf(send),
    ...defined({
      headers,
      body,
      basic,
      jwt,
      expires: typeof expires === 'string' ? { pointer: pointerOf(expires) } : expires,
      success,
      refused,
      always: always === true ? always : undefined,
      also: also?.map((more) => ({ token: sourceOf(more.token), send: useOf(more.send) })),
    }),
  }
}

/** `{jwt}` stands for what is signed right before each call. */
const withSigned =
  (scope: Scope, jwt: SignedClaims | undefined): Scope =>
  (path) =>
    path[0] !== 'jwt' ? scope(path) : path.length === 1 && jwt !== undefined ? { $secret: signedSource } : undefined

const jwtOf = (entry: JwtEntry, configuration: Configuration): SignedClaims | undefined => {
  const { algorithm, keyId, issuer, subject, audience, claims, seconds, skew, unique } = entry
  const { scope, refuse } = configuration
  const key = secretOf(entry.key, configuration)
  const named = fill(defined({ iss: issuer, sub: subject, aud: audience, kid: keyId }), scope) as JsonObject
  const isWhole = Object.values(named).every(
    (value) => typeof value === 'number' || (typeof value === 'string' && value !== ''),
  )
  const texts = mapMembers(named, String)
  const { kid, ...identity } = texts
  const more = fill(claims ?? {}, scope) as JsonObject
  if (key === undefined) return undefined
  // A claim can be read by everybody who sees the token.
  if (!isWhole || texts['iss'] === undefined || holdsSecret(more)) return refuse(refusals.noClaims())
  return {
    algorithm,
    key,
    claims: { ...more, ...identity },
    seconds,
    skew,
    ...defined({ keyId: kid, unique: unique === true ? unique : undefined }),
  }
}

const sourceOf = (token: TokenSourceEntry): TokenSource =>
  typeof token === 'string' ? { pointer: pointerOf(token) } : token

const holdsSecret = (value: Json): boolean => partsOf(value).some(isSecret)

type Sigv4Entry = Extract<AuthEntry, { readonly sigv4: unknown }>['sigv4']

const sigv4Of = (entry: Sigv4Entry, configuration: Configuration): Auth | undefined => {
  const { scope, refuse } = configuration
  const [region, service] = [fill(entry.region, scope), fill(entry.service, scope)]
  if (typeof region !== 'string' || typeof service !== 'string') return refuse(refusals.noRegion())
  const accessKeyId = fill(entry.accessKeyId, scope)
  const isKnown = (typeof accessKeyId === 'string' && accessKeyId !== '') || isSecret(accessKeyId)
  const secretAccessKey = secretOf(entry.secretAccessKey, configuration)
  const sessionToken = entry.sessionToken === undefined ? undefined : secretOf(entry.sessionToken, configuration)
  if (!isKnown) return refuse(refusals.noSecret())
  return (
    secretAccessKey && { kind: 'sigv4', region, service, accessKeyId, secretAccessKey, ...defined({ sessionToken }) }
  )
}
