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
  /** From 0 up to but not 1. */
  readonly random: () => number
  readonly uuid: () => string
  readonly signJwt: SignJwt
  /** Called with every secret text, tokens included, before it is sent. */
  readonly learn?: (value: string) => void
  /** Called with tokens only. They are secrets like those of the configuration, but the configuration does not name them. */
  readonly learnToken?: (value: string) => void
  /** Ends every sign-in, also those that several requests wait for. */
  readonly signal?: AbortSignal
}

export interface SignIn {
  /** Sends a request with a token, and once more with a new one where the first is refused. */
  send(request: Request, auth: TokenAuth, lookups: Lookups, signal?: AbortSignal): Promise<Response>
}

/** The tokens of one answer. */
interface TokenSet {
  readonly all: readonly Token[]
  readonly fetchedAt: number
  /** Milliseconds; from then on it is not used any more. */
  readonly until: number
}

/** The state of one sign-in during a run. */
interface SignInSession {
  tokens?: Promise<TokenSet>
  failure?: { readonly error: AppError; readonly until: number }
  /** New tokens were refused like the former ones, so no further token is requested. */
  isUseless?: boolean
}

/** A token is replaced this long before it expires, or a tenth of its lifetime before if that is less. */
const marginMs = 60_000
/** No new sign-in for this time after one that failed or whose token was refused: a loop of sign-ins can lock an account. */
const pauseMs = 60_000
const attempts = 3

/**
 * Fetches tokens when they are needed: one request for all that wait, kept until shortly before they end. An answer of 401
 * (or the API's own refusal of a token) means that the request had no effect, so it is sent once more with a new token, also
 * a write.
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
    // Another request may have fetched new tokens already.
    if (session.tokens !== undefined && session.tokens !== known) return session.tokens
    if (session.failure !== undefined && session.failure.until > now()) throw session.failure.error
    return fetchOnce(session, auth, lookups)
  }

  /** What takes the place of tokens that were refused; `undefined` where others would not help. */
  const renew = async (
    session: SignInSession,
    auth: TokenAuth,
    used: TokenSet,
    lookups: Lookups,
  ): Promise<TokenSet | undefined> => {
    const known = session.tokens
    // Its failure is kept: `current` throws it.
    const latest = await known?.catch(() => undefined)
    if (latest !== undefined && latest !== used) return latest
    if (session.tokens === known) {
      if (session.isUseless && used.fetchedAt + pauseMs > now()) return undefined
      // A refusal does not wait for the end of the token's time.
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

/** No answer, or none that can be read; a secret that is missing keeps its own name. */
const asFailure = (auth: TokenAuth, error: unknown): unknown => {
  const words = failureOf(error)
  return words === undefined ? error : signInFailed(auth, words, unknownFromError(error).reason)
}

const failureOf = (error: unknown): string | undefined => {
  if (isAppError(error, 'REQUEST_FAILED')) return signInFaults.noAnswer(error.payload.detail)
  if (isAppError(error, 'RESPONSE_INVALID')) return signInFaults.invalid(error.payload.detail)
  return isAppError(error, 'RESPONSE_TOO_LARGE') ? signInFaults.tooLarge : undefined
}
