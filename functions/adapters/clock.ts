import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#core'

/** A longer timer would fire at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, signal === undefined ? {} : { signal }),
  after: (milliseconds, ring) => {
    const timer = setTimeout(ring, Math.min(milliseconds, longestMs))
    return () => clearTimeout(timer)
  },
}
