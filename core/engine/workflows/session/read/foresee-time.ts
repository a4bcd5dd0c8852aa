import type { Spent } from '../../../transport/limits/spacing.ts'

/** What decides how long the requests to one target take. */
export interface Pace {
  /** For one request, if nothing has to wait. */
  readonly ms: number
  /** How many fit into a minute; absent without such a limit. */
  readonly perMinute?: number
  /** What was spent of them before. */
  readonly spent?: readonly Spent[]
}

const minuteMs = 60_000

/** Milliseconds that so many requests take: each minute has room for some, and the last ones go at their own pace. */
export const foreseeTime = (requests: number, { ms, perMinute, spent = [] }: Pace, now: number): number => {
  const unlimited = requests * ms
  const recent = spent.filter(([until]) => until > now - minuteMs)
  const before = recent.reduce((sum, [, points]) => sum + points, 0)
  if (perMinute === undefined || before + requests <= perMinute) return unlimited
  const minutes = Math.ceil((before + requests) / perMinute) - 1
  // The first minute began with the oldest of them.
  const passed = before === 0 ? 0 : now - Math.min(...recent.map(([until]) => until))
  const last = before + requests - minutes * perMinute
  return Math.max(unlimited, minutes * minuteMs - passed + last * ms)
}
