import { type AppError, asAppError, isAppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import type { TokenAuth } from '../../schema/auth.ts'
import type { Request, Response } from '../../schema/command.ts'
import type { Clock, SignJwt } from '../../schema/ports.ts'
import { unknownFromError } from '../answer/unknown.ts'
import { retry } from '../limits/retry.ts'
import type { Lookups } from '../secrets/resolve-value.ts'
import type { Transport } from '../transport.ts'
import { signInFaults } from '../words.ts'
import { withBasic, withToken } from './authenticate.ts'
import { signInFailed, type Token, tokenRequest, tokensIn } from './token-request.ts'

export interface SignInOptions {
  readonly clock: Clock
  /** From 0 up to but not including 1. */
  readonly random: () => number
  readonly uuid: () => string
  readonly signJwt: SignJwt
  /** Called with every secret text, including tokens, before it is sent. */
  readonly learn?: (value: string) => void
  /** Called with tokens only. They are secrets that the configuration does not name. */
  readonly learnToken?: (value: string) => void
  /** Ends every sign-in, even if several requests wait for it. */
  readonly signal?: AbortSignal
}

export interface SignIn {
  /** Sends a request with a token, and again with a new token if the first one is refused. */
  send(request: Request, auth: TokenAuth, lookups: Lookups, signal?: AbortSignal): Promise<Response>
}

interface TokenSet {
  readonly all: readonly Token[]
  readonly fetchedAt: number
  /** Milliseconds; the tokens are not used from this time on. */
  readonly until: number
}

interface SignInSession {
  tokens?: Promise<TokenSet>
  failure?: { readonly error: AppError; readonly until: number }
  /** New tokens were refused like the former ones, so no further token is requested. */
  isUseless?: boolean
}

/** A token is replaced this long before it expires, or a tenth of its lifetime before if that is less. */
const marginMs = 60_000
/**
 * No new sign-in for this time after a sign-in that failed or whose token was refused, because repeated sign-ins can
 * lock an account.
 */
const pauseMs = 60_000
const attempts = 3

/**
 * Fetches tokens when they are needed, with one request for all callers, and keeps them until shortly before they
 * expire. An answer of 401 (or the API's own refusal of a token) means that the request had no effect, so it is sent
 * once more with a new token, even if it is a write.
 */
export const createSignIn = (
  inner: Transport,
  { clock, random, uuid, signJwt, learn, learnToken, signal: ending }: SignInOptions,
): SignIn => {
  const sessions = new Map<string, SignInSession>()
  const patient = retry(inner, { attempts, clock, random })
  const now = (): number => clock.now().getTime()

  const fetchTokens = async (auth: TokenAuth, lookups: Lookups): Promise<TokenSet> => {
    const fetchedAt = now()
    const request = await tokenRequest(auth, lookups, { signJwt, clock, uuid })
    const response = await patient.send(request, ending).catch((error: unknown) => {
      throw asFailure(auth, error)
    })
    const { tokens, seconds = Number.POSITIVE_INFINITY } = tokensIn(auth, response, clock.now())
    for (const { text } of tokens) {
      learn?.(text)
      learnToken?.(text)
    }
    const lifeMs = seconds * 1000
    return { all: tokens, fetchedAt, until: fetchedAt + lifeMs - Math.min(marginMs, lifeMs / 10) }
  }

  const fetchOnce = (session: SignInSession, auth: TokenAuth, lookups: Lookups): Promise<TokenSet> => {
    const tokens = fetchTokens(auth, lookups).catch((error: unknown) => {
      if (session.tokens === tokens) delete session.tokens
      session.failure = { error: asAppError(error), until: now() + pauseMs }
      throw error
    })
    session.tokens = tokens
    session.isUseless = false
    return tokens
  }

  const current = async (session: SignInSession, auth: TokenAuth, lookups: Lookups): Promise<TokenSet> => {
    const known = session.tokens
    const tokens = await known
    if (tokens !== undefined && tokens.until > now()) return tokens
    // Another request may already have fetched new tokens.
    if (session.tokens !== undefined && session.tokens !== known) return session.tokens
    if (session.failure !== undefined && session.failure.until > now()) throw session.failure.error
    return fetchOnce(session, auth, lookups)
  }

  /** The new tokens after a refusal; `undefined` if others would not help. */
  const renew = async (
    session: SignInSession,
    auth: TokenAuth,
    used: TokenSet,
    lookups: Lookups,
  ): Promise<TokenSet | undefined> => {
    const known = session.tokens
    // The failure is stored, and `current` throws it.
    const latest = await known?.catch(() => undefined)
    if (latest !== undefined && latest !== used) return latest
    if (session.tokens === known) {
      if (session.isUseless && used.fetchedAt + pauseMs > now()) return undefined
      // Refused tokens are dropped before they expire.
      delete session.tokens
    }
    return current(session, auth, lookups)
  }

  return {
    send: async (request, auth, lookups, signal) => {
      const key = digest(auth)
      const session = sessions.get(key) ?? {}
      sessions.set(key, session)
      const { basic, always = false, refused = [401] } = auth.kind === 'login' ? auth : {}
      const own = basic !== undefined && always ? await withBasic(request, basic, lookups) : request
      const tokens = await current(session, auth, lookups)
      const response = await inner.send(withTokens(own, tokens), signal)
      if (!refused.includes(response.status)) return response
      const next = await renew(session, auth, tokens, lookups)
      if (next === undefined) return response
      const again = await inner.send(withTokens(own, next), signal)
      if (refused.includes(again.status)) session.isUseless = true
      return again
    },
  }
}

const withTokens = (request: Request, { all }: TokenSet): Request =>
  all.reduce((signed, { send, text }) => withToken(signed, send, text), request)

/** Converts missing and unreadable answers to SIGN_IN_FAILED; a missing secret keeps its own error. */
const asFailure = (auth: TokenAuth, error: unknown): unknown => {
  const words = failureOf(error)
  return words === undefined ? error : signInFailed(auth, words, unknownFromError(error).reason, error)
}

const failureOf = (error: unknown): string | undefined => {
  if (isAppError(error, 'REQUEST_FAILED')) return signInFaults.noAnswer(error.payload.detail)
  if (isAppError(error, 'RESPONSE_INVALID')) return signInFaults.invalid(error.payload.detail)
  return isAppError(error, 'RESPONSE_TOO_LARGE') ? signInFaults.tooLarge : undefined
}
