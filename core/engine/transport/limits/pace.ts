import pLimit from 'p-limit'
import type { Clock } from '../../schema/ports.ts'
import type { Transport } from '../transport.ts'

export interface Rate {
  readonly requests: number
  readonly perMs: number
  /** This many requests may be sent at once after a pause. */
  readonly burst: number
}

/** Sends no more requests than `rate` allows; the others wait in order. Create one for all users of the limit. */
export const pace = (inner: Transport, { requests, perMs, burst }: Rate, clock: Clock): Transport => {
  const gapMs = perMs / requests
  /** When the next request is due at an even pace; up to `burst` of them may come before that. */
  let due = Number.NEGATIVE_INFINITY
  return {
    send: async (request, signal) => {
      const now = clock.now().getTime()
      const wait = due - (burst - 1) * gapMs - now
      due = Math.max(due, now) + gapMs
      if (wait > 0) await clock.sleep(wait, signal)
      return inner.send(request, signal)
    },
  }
}

/** At most `concurrency` requests under way at once; the others wait in order. */
export const throttle = (inner: Transport, concurrency: number): Transport => {
  const limit = pLimit(concurrency)
  return {
    send: (request, signal) =>
      limit(() => {
        // The caller has cancelled it.
        signal?.throwIfAborted()
        return inner.send(request, signal)
      }),
  }
}
