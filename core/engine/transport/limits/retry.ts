import { type AppError, isAppError } from '../../errors/errors.ts'
import { isIdempotent, type Request, type Response } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import type { Transport } from '../transport.ts'

export interface RetryOptions {
  /** Requests including the first one. */
  readonly attempts: number
  readonly clock: Clock
  /** From 0 up to but not including 1. */
  readonly random: () => number
}

/** Longest wait before the second attempt; doubled for each further one. */
const firstWaitMs = 250

/** If Retry-After asks for a longer wait, the answer is returned, because a retry would be too early. */
const longestWaitMs = 30_000

type Attempt = { readonly response: Response } | { readonly error: AppError<'REQUEST_FAILED'> }

/**
 * Repeats requests that may be sent twice. Reads and sign-ins: on network errors, time-outs, 429, 502, 503 and 504.
 * Writes: only if the server names a time for a retry, on 429, which means that nothing was done, and on 503 if the
 * write is idempotent. After the last attempt, its answer or error is the result. Waits are exponential with full
 * jitter.
 */
export const retry = (inner: Transport, options: RetryOptions): Transport => ({
  send: async (request, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(inner, request, signal)
      const isLast = attempt >= options.attempts || signal?.aborted
      const wait = isLast ? undefined : waitBefore(request, outcome, attempt, options)
      if (wait !== undefined) await options.clock.sleep(wait, signal)
      else if ('response' in outcome) return outcome.response
      else throw outcome.error
    }
  },
})

const attemptOnce = async (inner: Transport, request: Request, signal?: AbortSignal): Promise<Attempt> => {
  try {
    return { response: await inner.send(request, signal) }
  } catch (error) {
    if (isAppError(error, 'REQUEST_FAILED')) return { error }
    throw error
  }
}

/** Milliseconds; `undefined` if the request must not be sent again. */
const waitBefore = (request: Request, outcome: Attempt, attempt: number, options: RetryOptions): number | undefined => {
  const { random, clock } = options
  const backoff = random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  const isHarmless = request.effect !== 'write'
  if ('error' in outcome) return isHarmless && outcome.error.payload.reason !== 'cancelled' ? backoff : undefined
  const { headers, limited } = outcome.response
  const status = limited === undefined ? outcome.response.status : 429
  const asked = limited === undefined ? askedWait(headers, clock.now()) : limited.seconds * 1000
  if (asked !== undefined && (status === 429 || (status === 503 && (isHarmless || isIdempotent(request))))) {
    return asked <= longestWaitMs ? Math.max(asked, backoff) : undefined
  }
  return isHarmless && [429, 502, 503, 504].includes(status) ? backoff : undefined
}

type Headers = Response['headers']

/**
 * Milliseconds that an answer asks to wait: by Retry-After (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after),
 * otherwise until the limit that it names resets (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers
 * and earlier forms). `undefined` if it contains no valid time.
 */
const askedWait = (headers: Headers, now: Date): number | undefined =>
  retryAfter(headers['retry-after'], now) ?? limitReset(headers, now)

/**
 * Milliseconds that an answer asks to wait though it is no refusal. Most answers say when a limit resets; that is a request
 * only where nothing is left of it.
 */
export const askedPause = (headers: Headers, now: Date): number | undefined =>
  retryAfter(headers['retry-after'], now) ?? (isUsedUp(headers) ? limitReset(headers, now) : undefined)

const isUsedUp = (headers: Headers): boolean =>
  /(?:^|[;,\s])(?:r|remaining)=0\b/.test(headers['ratelimit'] ?? '') ||
  remainders.some((name) => /^\s*0+\s*$/.test(headers[name] ?? ''))

const remainders = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']

export const retryAfter = (value: string | undefined, now: Date): number | undefined => {
  if (value === undefined) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

const limitReset = (headers: Headers, now: Date): number | undefined => {
  const { ratelimit } = headers
  const inField = ratelimit === undefined ? undefined : /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(ratelimit)?.[1]
  const text = inField ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset']
  return resetIn(text, now)
}

/** Milliseconds until a time in one of the usual forms. */
export const resetIn = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  const value = Number(text)
  // APIs count seconds from now, seconds since 1970 or milliseconds since 1970. No limit lasts for years, so the size
  // of the number decides.
  if (value < 1e8) return value * 1000
  return Math.max(0, (value < 1e11 ? value * 1000 : value) - now.getTime())
}
