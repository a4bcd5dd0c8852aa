import { createHash, timingSafeEqual } from 'node:crypto'
import { scopes } from '../../rights.ts'
import { openBrowserSessions, secret } from './browser-sessions.ts'
import type { Issuer } from './issuer.ts'

/** What the server of this machine answers by itself, without the functions. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

export interface OwnRequest {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly cookie: string
  readonly body: () => Promise<string>
}

interface SignInOptions {
  readonly issuer: Pick<Issuer, 'issue' | 'url'>
  readonly subject: string
  /** Of a token, written as `12h`. */
  readonly lifetime: string
  /** Called when the link was used: gets the next one. */
  readonly used: (link: string) => void
}

/** The only client, which can come back only to this server. */
export const pageClient = 'plumbline-page'

const codeMs = 60_000
const isEqual = (given: string, right: string): boolean => {
  const [one, other] = [given, right].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

const text = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: `${body}\n`,
})

const failed = (error: string): Reply => ({ status: 400, headers: { 'cache-control': 'no-store' }, body: { error } })

interface Waiting {
  readonly scope: string
  readonly challenge: string
  readonly redirect: string
  readonly until: number
}

/** A token has no more than was asked for: a person may want one that can only read. */
const scopeOf = (query: URLSearchParams): string => {
  const asked = (query.get('scope') ?? '').split(' ')
  return scopes.filter((scope) => asked.includes(scope)).join(' ')
}

const sent = (location: string): Reply => ({ status: 302, headers: { location, 'cache-control': 'no-store' } })

/** What is wrong with a request for a code. Then nobody is sent anywhere. */
const flawOf = (query: URLSearchParams, page: string): string | undefined => {
  if (query.get('client_id') !== pageClient || query.get('redirect_uri') !== page)
    return 'only the page of this server signs in here; on this machine the command needs no sign-in'
  const isCode = query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256'
  return isCode && query.get('code_challenge') ? undefined : 'a code with PKCE (S256) is needed'
}

/**
 * Signs in the person who reads the terminal: the link works once, and gives the browser a session, for which it gets
 * tokens as from any issuer, by a code with PKCE. The API itself knows no cookies.
 */
export const openSignIn = ({ issuer, subject, lifetime, used }: SignInOptions) => {
  const page = `${issuer.url}/`
  let key = secret()
  const browsers = openBrowserSessions(new URL(page).port)
  const waiting = new Map<string, Waiting>()
  const link = (): string => `${page}sign-in/${key}`

  const open = (given: string): Reply => {
    if (!isEqual(given, key))
      return text(
        403,
        `This link does not work any more. The terminal shows the one that does.\nWho has signed in already: ${page}`,
      )
    key = secret()
    used(link())
    const headers = { location: page, 'set-cookie': browsers.begin(), 'cache-control': 'no-store' }
    return { status: 303, headers }
  }

  const authorise = (query: URLSearchParams, cookie: string): Reply => {
    const flaw = flawOf(query, page)
    if (flaw !== undefined) return text(400, flaw)
    const back = new URL(page)
    const state = query.get('state')
    if (state !== null) back.searchParams.set('state', state)
    back.searchParams.set('iss', issuer.url)
    if (!browsers.has(cookie)) {
      back.searchParams.set('error', 'login_required')
      return sent(back.href)
    }
    const code = secret()
    const challenge = query.get('code_challenge') ?? ''
    waiting.set(code, { scope: scopeOf(query), challenge, redirect: page, until: Date.now() + codeMs })
    back.searchParams.set('code', code)
    return sent(back.href)
  }

  /** The browser has to open the link of the terminal again. */
  const signOut = (cookie: string): Reply => {
    const location = `${page}?error=login_required`
    return { status: 303, headers: { location, 'set-cookie': browsers.end(cookie), 'cache-control': 'no-store' } }
  }

  const exchange = async (form: URLSearchParams): Promise<Reply> => {
    if (form.get('grant_type') !== 'authorization_code') return failed('unsupported_grant_type')
    const code = form.get('code') ?? ''
    const found = waiting.get(code)
    waiting.delete(code)
    if (found === undefined || found.until < Date.now() || form.get('redirect_uri') !== found.redirect)
      return failed('invalid_grant')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isEqual(challenge, found.challenge)) return failed('invalid_grant')
    const hours = Number.parseInt(lifetime, 10)
    const body = {
      access_token: await issuer.issue(subject, lifetime, found.scope),
      scope: found.scope,
      token_type: 'Bearer',
      expires_in: hours * 3_600,
    }
    return { status: 200, headers: { 'cache-control': 'no-store' }, body }
  }

  return {
    link,
    /** `undefined` if the request is about something else. */
    answer: async ({ method, path, query, cookie, body }: OwnRequest): Promise<Reply | undefined> => {
      if (method === 'GET' && path.startsWith('/sign-in/')) return open(path.slice('/sign-in/'.length))
      if (method === 'GET' && path === '/authorize') return authorise(query, cookie)
      if (method === 'GET' && path === '/authorize/sign-out') return signOut(cookie)
      if (method === 'POST' && path === '/token') return exchange(new URLSearchParams(await body()))
      return undefined
    },
  }
}

export type SignIn = ReturnType<typeof openSignIn>
