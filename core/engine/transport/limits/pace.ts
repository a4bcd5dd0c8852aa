import pLimit from 'p-limit'
import type { Clock } from '../../schema/ports.ts'
import type { Transport } from '../transport.ts'

export interface Rate {
  readonly requests: number
  readonly perMs: number
  /** Requests that may be sent at once after a pause. */
  readonly burst: number
}

/** Limits requests to `rate`; the others wait in order. Create one for all users of the limit. */
export const pace = (inner: Transport, { requests, perMs, burst }: Rate, clock: Clock): Transport => {
  const gapMs = perMs / requests
  /** When the next request is due at an even rate. Up to `burst` requests may come earlier. */
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

/** Allows at most `concurrency` requests at the same time; the others wait in order. */
export const throttle = (inner: Transport, concurrency: number): Transport => {
  const limit = pLimit(concurrency)
  return {
    send: (request, signal) =>
      limit(() => {
        // The caller may have cancelled while the request waited.
        signal?.throwIfAborted()
        return inner.send(request, signal)
      }),
  }
}
