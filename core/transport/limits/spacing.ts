import type { Clock } from '../../schema/ports.ts'

/** Limits that an API does not tell in its answers. */
export interface Spacing {
  /** In any 60 seconds. */
  readonly points?: { readonly perMinute: number; readonly read: number; readonly write: number }
  /** Between the starts of two writes. */
  readonly writePauseMs?: number
}

const windowMs = 60_000

/** Waits in order until one more request is within the limits. */
export const createSpacing = ({ points, writePauseMs = 0 }: Spacing, clock: Clock) => {
  const spent: { readonly at: number; readonly cost: number }[] = []
  let lastWrite = Number.NEGATIVE_INFINITY
  let queue: Promise<void> = Promise.resolve()

  const waitFor = (cost: number, isWrite: boolean): number => {
    const now = clock.monotonic()
    while ((spent[0]?.at ?? now) <= now - windowMs) spent.shift()
    const pause = isWrite ? lastWrite + writePauseMs - now : 0
    if (points === undefined) return pause
    let over = spent.reduce((sum, each) => sum + each.cost, cost) - points.perMinute
    for (const each of over > 0 ? spent : []) {
      over -= each.cost
      if (over <= 0) return Math.max(pause, each.at + windowMs - now)
    }
    return pause
  }

  const take = async (isWrite: boolean, signal?: AbortSignal): Promise<void> => {
    const cost = points === undefined ? 0 : isWrite ? points.write : points.read
    for (let wait = waitFor(cost, isWrite); wait > 0; wait = waitFor(cost, isWrite)) await clock.sleep(wait, signal)
    const at = clock.monotonic()
    if (cost > 0) spent.push({ at, cost })
    if (isWrite) lastWrite = at
  }

  return (isWrite: boolean, signal?: AbortSignal): Promise<void> => {
    const turn = queue.then(() => take(isWrite, signal))
    queue = turn.catch(() => undefined)
    return turn
  }
}
