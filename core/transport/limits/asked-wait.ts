import type { Response } from '../../schema/command.ts'

type Headers = Response['headers']

/**
 * Milliseconds that an answer asks to wait: by Retry-After (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), else
 * until the limit that it names begins anew (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers and
 * its forerunners). `undefined` where it says nothing that can be read.
 */
export const askedWait = (headers: Headers, now: Date): number | undefined =>
  retryAfter(headers['retry-after'], now) ?? limitReset(headers, now)

/** Seconds or an HTTP date. */
const retryAfter = (value: string | undefined, now: Date): number | undefined => {
  if (value === undefined) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

const limitReset = (headers: Headers, now: Date): number | undefined => {
  const { ratelimit } = headers
  const inField = ratelimit === undefined ? undefined : /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(ratelimit)?.[1]
  const text = inField ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset']
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  const value = Number(text)
  // Some count seconds from now, some from 1970, some in milliseconds: no limit lasts for years.
  if (value < 1e8) return value * 1000
  return Math.max(0, (value < 1e11 ? value * 1000 : value) - now.getTime())
}
