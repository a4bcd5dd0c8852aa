import { setTimeout } from 'node:timers/promises'
import type { Clock } from '#core'

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }),
}
