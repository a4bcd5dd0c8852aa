import type { Spent } from '../../../transport/limits/spacing.ts'

export interface Pace {
  /** Milliseconds for one request, if no request has to wait. */
  readonly ms: number
  /** Requests that are allowed in a minute; absent without such a limit. */
  readonly perMinute?: number
  /** Requests that were sent before. */
  readonly spent?: readonly Spent[]
}

const minuteMs = 60_000

/**
 * Milliseconds that the requests take: each minute has room for a number of them, and the last ones need their own
 * time.
 */
export const foreseeTime = (requests: number, { ms, perMinute, spent = [] }: Pace, now: number): number => {
  const unlimited = requests * ms
  const recent = spent.filter(([until]) => until > now - minuteMs)
  const before = recent.reduce((sum, [, points]) => sum + points, 0)
  if (perMinute === undefined || before + requests <= perMinute) return unlimited
  const minutes = Math.ceil((before + requests) / perMinute) - 1
  // The first minute began with the oldest of the recent requests.
  const passed = before === 0 ? 0 : now - Math.min(...recent.map(([until]) => until))
  const last = before + requests - minutes * perMinute
  return Math.max(unlimited, minutes * minuteMs - passed + last * ms)
}
