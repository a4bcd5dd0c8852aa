import type { Clock } from '../../schema/ports.ts'

export interface Spacing {
  /** Points in any 60 seconds. */
  readonly points?: { readonly perMinute: number; readonly read: number; readonly write: number }
  /** Milliseconds between the starts of two writes. */
  readonly writePauseMs?: number
}

/** `until`: milliseconds since 1970; the points were spent until then. */
export type Spent = readonly [until: number, points: number]

/** Makes requests wait for limits that the answers do not tell. Create one for all requests of a run. */
export interface Spacer {
  /**
   * Waits in order until another request is within the limits. The returned function must be called when the request is
   * answered.
   */
  take(isWrite: boolean, signal?: AbortSignal): Promise<() => void>
  spent(): readonly Spent[]
  /** Milliseconds in which no request could start because of a limit. */
  waitedMs(): number
}

const windowMs = 60_000

/**
 * `until` is absent while the request is under way, because the server counts it at an unknown time before its answer.
 */
interface CountedRequest {
  until?: number
  readonly points: number
}

export const createSpacer = (
  { points, writePauseMs = 0 }: Spacing,
  clock: Clock,
  earlier: readonly Spent[] = [],
): Spacer => {
  const steadyOf = (time: number): number => clock.monotonic() - Math.max(0, clock.now().getTime() - time)
  let counted: readonly CountedRequest[] = earlier.map(([until, own]) => ({ until: steadyOf(until), points: own }))
  let lastWrite = Number.NEGATIVE_INFINITY
  let queue: Promise<unknown> = Promise.resolve()
  let waited = 0

  const waitFor = (cost: number, isWrite: boolean): number => {
    const now = clock.monotonic()
    const pause = isWrite ? lastWrite + writePauseMs - now : 0
    if (points === undefined) return pause
    counted = counted.filter(({ until = now }) => until > now - windowMs)
    let over = counted.reduce((sum, each) => sum + each.points, cost) - points.perMinute
    if (over <= 0) return pause
    for (const { until = now, points: own } of counted.toSorted((a, b) => (a.until ?? now) - (b.until ?? now))) {
      over -= own
      if (over <= 0) return Math.max(pause, until + windowMs - now)
    }
    return pause
  }

  const start = async (isWrite: boolean, signal?: AbortSignal): Promise<() => void> => {
    const cost = points === undefined ? 0 : isWrite ? points.write : points.read
    const from = clock.monotonic()
    for (let wait = waitFor(cost, isWrite); wait > 0; wait = waitFor(cost, isWrite)) await clock.sleep(wait, signal)
    const at = clock.monotonic()
    waited += at - from
    if (isWrite) lastWrite = at
    if (cost === 0) return () => {}
    const one: CountedRequest = { points: cost }
    counted = [...counted, one]
    return () => {
      one.until = clock.monotonic()
    }
  }

  return {
    take: (isWrite, signal) => {
      const turn = queue.then(() => start(isWrite, signal))
      queue = turn.catch(() => undefined)
      return turn
    },
    spent: () => inSeconds(counted, clock),
    waitedMs: () => waited,
  }
}

/** Sums the points of each second and dates them at its end. */
const inSeconds = (counted: readonly CountedRequest[], clock: Clock): readonly Spent[] => {
  const [steady, wall] = [clock.monotonic(), clock.now().getTime()]
  const recent = counted.filter(({ until = steady }) => until > steady - windowMs)
  const bySecond = Map.groupBy(recent, ({ until = steady }) => Math.ceil((wall - (steady - until)) / 1000) * 1000)
  return [...bySecond].map(([second, some]) => [second, some.reduce((sum, each) => sum + each.points, 0)])
}
