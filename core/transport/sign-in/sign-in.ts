import { digest } from '../../digest.ts'
import { type AppError, asAppError, isAppError } from '../../errors.ts'
import type { Request, Response, TokenAuth } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import { unknownFromError } from '../answer/unknown.ts'
import { retry } from '../limits/retry.ts'
import type { Lookups } from '../secrets/resolve-value.ts'
import type { Transport } from '../transport.ts'
import { withBasic, withToken } from './authenticate.ts'
import { signInFailed, type Token, tokenRequest, tokensIn } from './token-request.ts'

export interface SignInOptions {
  readonly clock: Clock
  /** From 0 up to but not 1. */
  readonly random: () => number
  /** Hears every secret text before it is sent, tokens included. */
  readonly learn?: (value: string) => void
  /** Hears the tokens alone, which nobody names: they are secrets like those of the configuration. */
  readonly learnToken?: (value: string) => void
  /** Ends every sign-in, also those that several requests wait for. */
  readonly signal?: AbortSignal
}

export interface SignIn {
  /** Sends a request with a token, and once more with a new one where the first is refused. */
  send(request: Request, auth: TokenAuth, lookups: Lookups, signal?: AbortSignal): Promise<Response>
}

/** The tokens of one answer. */
interface Tokens {
  readonly all: readonly Token[]
  readonly fetchedAt: number
  /** Milliseconds; from then on it is not used any more. */
  readonly until: number
}

/** What is known of one way to sign in, for as long as a run lasts. */
interface Held {
  token?: Promise<Tokens>
  failure?: { readonly error: AppError; readonly until: number }
  /** A new token was refused like the one before it: the next one would be too. */
  isUseless?: boolean
}

/** A token ends so much before its time, or a tenth of its lifetime where that is less. */
const marginMs = 60_000
/** So long nobody signs in again after an attempt that failed, or that did not help: a loop of them locks an account. */
const pauseMs = 60_000
const attempts = 3

/**
 * Fetches tokens when they are needed: one request for all that wait, kept until shortly before they end. An answer of 401
 * (or what the API refuses a token with) says that nothing was done, so that the request is sent again with a new token, a write too; once.
 */
export const createSignIn = (
  inner: Transport,
  { clock, random, learn, learnToken, signal: ending }: SignInOptions,
): SignIn => {
  const all = new Map<string, Held>()
  const patient = retry(inner, { attempts, clock, random })
  const now = (): number => clock.now().getTime()

  const fetchToken = async (auth: TokenAuth, lookups: Lookups): Promise<Tokens> => {
    const fetchedAt = now()
    const request = await tokenRequest(auth, lookups, learn)
    const response = await patient
      .send(request, ending)
      .catch((error: unknown) => Promise.reject(asFailure(auth, error)))
    const { tokens, seconds } = tokensIn(auth, response)
    for (const { text } of tokens) {
      learn?.(text)
      learnToken?.(text)
    }
    const lifeMs = (seconds ?? Number.POSITIVE_INFINITY) * 1000
    return { all: tokens, fetchedAt, until: fetchedAt + lifeMs - Math.min(marginMs, lifeMs / 10) }
  }

  const fetchOnce = (held: Held, auth: TokenAuth, lookups: Lookups): Promise<Tokens> => {
    const token = fetchToken(auth, lookups)
    held.token = token
    held.isUseless = false
    token.catch((error: unknown) => {
      if (held.token === token) delete held.token
      held.failure = { error: asAppError(error), until: now() + pauseMs }
    })
    return token
  }

  const current = async (held: Held, auth: TokenAuth, lookups: Lookups): Promise<Tokens> => {
    const known = held.token
    if (known !== undefined) {
      const token = await known
      if (token.until > now()) return token
      // Somebody else may have seen that it ended, too.
      if (held.token !== known && held.token !== undefined) return held.token
    }
    if (held.failure !== undefined && held.failure.until > now()) throw held.failure.error
    return fetchOnce(held, auth, lookups)
  }

  /** What takes the place of a token that was refused; `undefined` where another would not help. */
  const renew = async (held: Held, auth: TokenAuth, used: Tokens, lookups: Lookups): Promise<Tokens | undefined> => {
    const known = held.token
    // Its failure was told to whoever fetched it: here one is fetched anew.
    const latest = await known?.catch(() => undefined)
    if (latest !== undefined && latest !== used) return latest
    if (held.token === known) {
      if (held.isUseless && used.fetchedAt + pauseMs > now()) return undefined
      // A refusal does not wait for the end of the token's time.
      delete held.token
    }
    return current(held, auth, lookups)
  }

  return {
    send: async (request, auth, lookups, signal) => {
      const key = digest(auth)
      const held = all.get(key) ?? {}
      all.set(key, held)
      const { basic, always = false, refused = [401] } = auth.kind === 'login' ? auth : {}
      const own = basic !== undefined && always ? await withBasic(request, basic, lookups, learn) : request
      const token = await current(held, auth, lookups)
      const response = await inner.send(withTokens(own, token), signal)
      if (!refused.includes(response.status)) return response
      const next = await renew(held, auth, token, lookups)
      if (next === undefined) return response
      const again = await inner.send(withTokens(own, next), signal)
      if (refused.includes(again.status)) held.isUseless = true
      return again
    },
  }
}

const withTokens = (request: Request, { all }: Tokens): Request =>
  all.reduce((signed, { send, text }) => withToken(signed, send, text), request)

/** No answer, or none that can be read; a secret that is missing keeps its own name. */
const asFailure = (auth: TokenAuth, error: unknown): unknown => {
  const words = failureOf(error)
  return words === undefined ? error : signInFailed(auth, words, unknownFromError(error).reason)
}

const failureOf = (error: unknown): string | undefined => {
  if (isAppError(error, 'REQUEST_FAILED')) return `got no answer: ${error.payload.detail}`
  if (isAppError(error, 'RESPONSE_INVALID')) return `was not understood: ${error.payload.detail}`
  return isAppError(error, 'RESPONSE_TOO_LARGE') ? 'answered more than is read' : undefined
}
