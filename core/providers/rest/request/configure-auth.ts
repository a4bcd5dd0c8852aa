import type { Auth, Login, OAuth2, TokenSource, TokenUse } from '../../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, toPointer } from '../../../schema/json.ts'
import { isStraight } from '../../../schema/url.ts'
import { isSecret, type SecretMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import type { AuthEntry, LoginEntry, TokenSourceEntry, TokenUseEntry } from '../document/auth.ts'
import type { Wrong } from '../document/problem.ts'
import { fill, placeOf, type Scope } from '../document/template.ts'

const noSecret: Wrong = {
  message: 'the provider signs in with a secret and got none',
  fix: 'refer to it under with, for example { secret: "env:NAME" }',
}
const noUser: Wrong = {
  message: 'the provider signs in with a user name and got none',
  fix: 'give it under with',
}

export const isWrong = (value: object | string): value is Wrong => typeof value === 'object' && 'fix' in value

/** How requests sign in, with what the workspace gave. */
export const configureAuth = (entry: AuthEntry, baseUrl: string, scope: Scope): Auth | Wrong => {
  if ('basic' in entry) {
    const pair = pairOf(entry.basic, scope)
    return isWrong(pair) ? pair : { kind: 'basic', ...pair }
  }
  if ('oauth2' in entry) return oauth2Of(entry.oauth2, baseUrl, scope)
  if ('login' in entry) return loginOf(entry.login, baseUrl, scope)
  if ('sigv4' in entry) return sigv4Of(entry.sigv4, scope)
  if ('query' in entry) {
    const secret = secretOf(entry.query.secret, scope)
    return secret === undefined ? noSecret : { kind: 'query', name: entry.query.name, secret }
  }
  const {
    name,
    template,
    secret: text,
  } = 'header' in entry ? entry.header : { name: 'Authorization', template: 'Bearer {secret}', ...entry.bearer }
  const secret = secretOf(text, scope)
  return secret === undefined ? noSecret : { kind: 'header', name, template, secret }
}

const secretOf = (template: string, scope: Scope): SecretMark | undefined => {
  const value = fill(template, scope)
  return isSecret(value) ? value : undefined
}

/** Something that may be a secret and need not. */
const partOf = (template: string, scope: Scope): string | SecretMark | undefined => {
  const value = fill(template, scope)
  return (typeof value === 'string' && value !== '') || isSecret(value) ? value : undefined
}

type Pair = { readonly user: string | SecretMark; readonly password: SecretMark | '' }

const pairOf = (entry: { readonly user: string; readonly password: string }, scope: Scope): Pair | Wrong => {
  const password = entry.password === '' ? '' : secretOf(entry.password, scope)
  if (password === undefined) return noSecret
  const user = partOf(entry.user, scope)
  if (user === undefined) return noUser
  return password === '' && typeof user === 'string' ? noSecret : { user, password }
}

const useOf = (entry: TokenUseEntry): TokenUse => {
  const { template } = entry
  if ('header' in entry) return { in: 'header', name: entry.header, template }
  return 'query' in entry
    ? { in: 'query', name: entry.query, template }
    : { in: 'cookie', name: entry.cookie, template }
}

/** An absolute URL, or a path below the base URL. Secrets do not belong in it: it is shown. */
const addressOf = (template: string, baseUrl: string, scope: Scope): string | Wrong => {
  const value = fill(template, scope)
  const url = typeof value === 'string' ? URL.parse(value.startsWith('/') ? `${baseUrl}${value}` : value) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === ''
  if (isPlain && typeof value === 'string' && isStraight(value)) return url.href
  return {
    message: 'the address to sign in at is no http or https URL and no path, or holds credentials or a secret',
    fix: 'give one such as https://id.example.com/token or /login, and send secrets in headers or the body',
  }
}

type OAuth2Entry = Extract<AuthEntry, { readonly oauth2: unknown }>['oauth2']

const oauth2Of = (entry: OAuth2Entry, baseUrl: string, scope: Scope): OAuth2 | Wrong => {
  const tokenUrl = addressOf(entry.tokenUrl, baseUrl, scope)
  const clientId = partOf(entry.clientId, scope)
  const clientSecret = secretOf(entry.clientSecret, scope)
  if (isWrong(tokenUrl)) return tokenUrl
  if (clientSecret === undefined) return noSecret
  if (clientId === undefined) return noUser
  const scopes = entry.scope === undefined ? {} : { scope: [entry.scope].flat().join(' ') }
  const audience = defined({ audience: entry.audience })
  const parameters = fill({ ...scopes, ...audience, ...entry.parameters }, scope) as JsonObject
  return {
    kind: 'oauth2',
    tokenUrl,
    clientId,
    clientSecret,
    client: entry.client,
    parameters,
    send: useOf(entry.send),
  }
}

const loginOf = (entry: LoginEntry, baseUrl: string, scope: Scope): Login | Wrong => {
  const { method, otherHost, token, expires, send, success, refused, always, also } = entry
  const url = addressOf(entry.url, baseUrl, scope)
  if (isWrong(url)) return url
  if (!otherHost && new URL(url).origin !== new URL(baseUrl).origin) {
    return {
      message: `the login is on another host than ${new URL(baseUrl).origin}: ${url}`,
      fix: 'correct the URL, or allow it with otherHost: true',
    }
  }
  const basic = entry.basic === undefined ? undefined : pairOf(entry.basic, scope)
  if (basic !== undefined && isWrong(basic)) return basic
  const headers = entry.headers === undefined ? undefined : (fill(entry.headers, scope) as JsonObject)
  const body = entry.body === undefined ? undefined : fill(entry.body, scope)
  // A session may be had for nothing; what names somebody proves it, too.
  const isNamed = headers !== undefined || body !== undefined
  if (basic === undefined && isNamed && !holdsSecret([headers ?? null, body ?? null])) return noSecret
  return {
    kind: 'login',
    method,
    url,
    ...defined({ headers, body, basic }),
    token: sourceOf(token),
    ...defined({
      expires:
        expires === undefined
          ? undefined
          : typeof expires === 'number'
            ? expires
            : { pointer: toPointer(placeOf(expires)) },
      success,
      refused,
      always: always === true ? always : undefined,
    }),
    send: useOf(send),
    ...defined({ also: also?.map((more) => ({ token: sourceOf(more.token), send: useOf(more.send) })) }),
  }
}

const sourceOf = (token: TokenSourceEntry): TokenSource =>
  typeof token === 'string' ? { pointer: toPointer(placeOf(token)) } : token

const holdsSecret = (value: Json): boolean => {
  if (isSecret(value)) return true
  if (isArray(value)) return value.some(holdsSecret)
  return isObject(value) && Object.values(value).some(holdsSecret)
}

type Sigv4Entry = Extract<AuthEntry, { readonly sigv4: unknown }>['sigv4']

const sigv4Of = (entry: Sigv4Entry, scope: Scope): Auth | Wrong => {
  const [region, service] = [fill(entry.region, scope), fill(entry.service, scope)]
  const accessKeyId = partOf(entry.accessKeyId, scope)
  const secretAccessKey = secretOf(entry.secretAccessKey, scope)
  const sessionToken = entry.sessionToken === undefined ? undefined : secretOf(entry.sessionToken, scope)
  if (typeof region !== 'string' || typeof service !== 'string') {
    return { message: 'the provider signs for a region and a service of AWS and got none', fix: 'give them under with' }
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) return noSecret
  if (entry.sessionToken !== undefined && sessionToken === undefined) return noSecret
  const session = defined({ sessionToken })
  return { kind: 'sigv4', region, service, accessKeyId, secretAccessKey, ...session }
}
