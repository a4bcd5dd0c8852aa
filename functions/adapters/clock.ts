import { setTimeout } from 'node:timers/promises'
import type { Clock } from '#core'

/** The machine's own. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }),
}
