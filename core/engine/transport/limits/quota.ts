import { AppError } from '../../errors/errors.ts'
import type { Request, Response } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import { isGraphqlLimit } from '../answer/graphql-answer.ts'
import { isRead } from '../read-only.ts'
import type { Transport } from '../transport.ts'
import { createLefts, type Left, longestWindowMs, type QuotaHeaders, serverTime } from './lefts.ts'
import { resetIn, retryAfter } from './retry.ts'
import { createSpacer, type Spacer, type Spacing, type Spent } from './spacing.ts'

export interface Quota extends Spacing {
  readonly headers?: QuotaHeaders
  /** Statuses that mean a limit if the answer also tells when to try again, that nothing is left, or one of `words`. */
  readonly statuses: readonly number[]
  readonly words: readonly string[]
  /** Share of the limit that is left to other programs. */
  readonly reserve: number
}

export interface Gauge extends Pick<Spacer, 'spent' | 'waitedMs'> {
  around(inner: Transport): Transport
  left(): Left | undefined
}

export interface GaugeOptions {
  /** Replaces `reserve` of the quota. */
  readonly reserve?: number
  /** What an earlier run spent in the last minute. */
  readonly spent?: readonly Spent[]
}

/** A request that must wait longer is left to a later run. */
const longestWaitMs = 30_000
/** Used if a refusal names no time; doubled after each further one. */
const firstPauseMs = 60_000
const longestPauseMs = 900_000

/**
 * Does not send requests that the API would refuse. While it is unknown what is left, requests are sent one after the
 * other. A request waits a short time, but is rejected with LIMIT_REACHED if it would have to wait longer.
 */
export const createGauge = (
  quota: Quota,
  clock: Clock,
  { reserve = quota.reserve, spent }: GaugeOptions = {},
): Gauge => {
  const lefts = createLefts(quota.headers, clock)
  const spacer = createSpacer(quota, clock, spent)
  const probes = new Map<string, Promise<void>>()
  const now = (): number => clock.now().getTime()
  let closed = { until: 0, pauses: 0 }

  const judged = (request: Request, response: Response): Response => {
    const wait = refusalWait(quota, request, response, now())
    if (wait === undefined) {
      closed = { until: 0, pauses: 0 }
      return response
    }
    const pauses = closed.pauses + 1
    const ms = wait > 0 ? wait : Math.min(longestPauseMs, firstPauseMs * 2 ** (pauses - 1))
    closed = { until: now() + ms, pauses }
    return { ...response, limited: { seconds: Math.ceil(ms / 1000) } }
  }

  const exchange = async (inner: Transport, request: Request, signal?: AbortSignal): Promise<Response> => {
    const end = lefts.begin(lefts.nameFor(request))
    let answered = (): void => {}
    try {
      answered = await spacer.take(!isRead(request), signal)
      const response = await inner.send(request, signal)
      lefts.learn(request, response)
      return judged(request, response)
    } finally {
      answered()
      end()
    }
  }

  const probe = (name: string, inner: Transport, request: Request, signal?: AbortSignal): Promise<Response> => {
    const alone = exchange(inner, request, signal)
    const ended = (): void => void probes.delete(name)
    probes.set(name, alone.then(ended, ended))
    return alone
  }

  const send = async (inner: Transport, request: Request, signal?: AbortSignal): Promise<Response> => {
    for (;;) {
      const name = lefts.nameFor(request)
      const wait = Math.max(closed.until - now(), lefts.waitFor(name, reserve))
      const probing = probes.get(name)
      if (wait > longestWaitMs) throw reached(request, wait)
      if (wait > 0) await clock.sleep(wait, signal)
      else if (!lefts.isUnknown(name)) return exchange(inner, request, signal)
      else if (probing === undefined) return probe(name, inner, request, signal)
      else await probing
    }
  }

  return {
    left: lefts.most,
    spent: spacer.spent,
    waitedMs: spacer.waitedMs,
    around: (inner) => ({ ...inner, send: (request, signal) => send(inner, request, signal) }),
  }
}

const reached = ({ method, url }: Request, wait: number): AppError =>
  new AppError('LIMIT_REACHED', { method, url, seconds: Math.ceil(wait / 1000) })

/**
 * Milliseconds to wait after a refusal, 0 if the answer names no time; `undefined` if the answer is not a refusal
 * because of a limit.
 */
const refusalWait = (quota: Quota, request: Request, response: Response, now: number): number | undefined => {
  const { headers, body } = response
  const status = isGraphqlLimit(request, response) ? 429 : response.status
  if (status !== 429 && !quota.statuses.includes(status)) return undefined
  const asked = retryAfter(headers['retry-after'], serverTime(headers, now))
  const rest = quota.headers === undefined ? undefined : headers[quota.headers.remaining]
  const isSpent = rest !== undefined && Number(rest) <= 0
  const text = quota.words.length === 0 ? '' : JSON.stringify(body).toLowerCase()
  const isSaid = quota.words.some((word) => text.includes(word.toLowerCase()))
  if (status !== 429 && asked === undefined && !isSpent && !isSaid) return undefined
  const until = isSpent && quota.headers ? resetIn(headers[quota.headers.reset], serverTime(headers, now)) : undefined
  const wait = asked ?? until ?? 0
  return wait > longestWindowMs ? 0 : wait
}
