import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Clock } from './clock.ts'
import { Refusal } from './refusal.ts'
import type { Actor } from './tokens.ts'

/**
 * Rate limits as GitHub documents them, by the clock of the test:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */

export interface LimitOptions {
  /** Counted requests in an hour, for each account or installation. */
  readonly perHour: number
  /** Points of GraphQL in an hour. */
  readonly graphqlPerHour: number
  /** Requests at the same time. */
  readonly concurrent: number
  /** Points in a minute: a read is 1, a write 5. */
  readonly pointsPerMinute: number
  readonly graphqlPointsPerMinute: number
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number
}

export const githubLimits: LimitOptions = {
  perHour: 5000,
  graphqlPerHour: 5000,
  concurrent: 100,
  pointsPerMinute: 900,
  graphqlPointsPerMinute: 2000,
  retryAfter: 60,
}

/** So high that no test reaches them by chance; the headers say so. */
export const noLimits: LimitOptions = {
  perHour: 1_000_000,
  graphqlPerHour: 1_000_000,
  concurrent: Number.POSITIVE_INFINITY,
  pointsPerMinute: Number.POSITIVE_INFINITY,
  graphqlPointsPerMinute: Number.POSITIVE_INFINITY,
  retryAfter: 60,
}

/** Tokens of one account share a limit; so do those of one installation. */
export const limitKey = ({ login, installation }: Actor): string =>
  installation === undefined ? login : `installation ${installation}`

export type Resource = 'core' | 'graphql'

interface Window {
  ends: number
  used: number
}

const minute = 60 * 1000
const hour = 60 * minute

export const newLimits = (clock: Clock, options: LimitOptions) => {
  const current = { ...options }
  const hours = new Map<string, Window>()
  const minutes = new Map<string, Window>()
  /** How often each limit said no, and the most at the same time. */
  const seen = { primary: 0, secondary: 0, mostConcurrent: 0 }
  let inFlight = 0

  const windowOf = (windows: Map<string, Window>, key: string, length: number): Window => {
    const known = windows.get(key)
    if (known !== undefined && known.ends > clock.now()) return known
    const next = { ends: clock.now() + length, used: 0 }
    windows.set(key, next)
    return next
  }

  const perHour = (resource: Resource): number => (resource === 'core' ? current.perHour : current.graphqlPerHour)

  const state = (login: string, resource: Resource = 'core'): JsonObject => {
    const { used, ends } = windowOf(hours, `${resource} ${login}`, hour)
    const limit = perHour(resource)
    return { limit, used, remaining: Math.max(limit - used, 0), reset: Math.ceil(ends / 1000), resource }
  }

  const headers = (login: string, resource: Resource): Record<string, string> =>
    Object.fromEntries(
      Object.entries(state(login, resource)).map(([name, value]) => [`x-ratelimit-${name}`, String(value)]),
    )

  const secondary = (): never => {
    seen.secondary += 1
    throw new Refusal(
      403,
      {
        message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
        documentation_url:
          'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      },
      { 'retry-after': String(current.retryAfter) },
    )
  }

  /** Before a request is performed. Throws what GitHub answers where a limit is reached. */
  const admit = (login: string, resource: Resource, points: number): void => {
    if (inFlight > current.concurrent) secondary()
    const most = resource === 'core' ? current.pointsPerMinute : current.graphqlPointsPerMinute
    const inMinute = windowOf(minutes, `${resource} ${login}`, minute)
    if (inMinute.used + points > most) secondary()
    inMinute.used += points
    if (windowOf(hours, `${resource} ${login}`, hour).used < perHour(resource)) return
    seen.primary += 1
    throw new Refusal(403, {
      message: `API rate limit exceeded for ${login}.`,
      documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api',
    })
  }

  return {
    seen,
    state,
    headers,
    admit,
    /** Also while it runs: a test lowers a limit and sees what happens. */
    set: (change: Partial<LimitOptions>): void => void Object.assign(current, change),
    count: (login: string, resource: Resource, points = 1): void => {
      windowOf(hours, `${resource} ${login}`, hour).used += points
    },
    inFlight: (): number => inFlight,
    enter: (): void => {
      inFlight += 1
      seen.mostConcurrent = Math.max(seen.mostConcurrent, inFlight)
    },
    leave: (): void => {
      inFlight -= 1
    },
  }
}

export type Limits = ReturnType<typeof newLimits>
