import pLimit from 'p-limit'
import type { Transport } from '../transport.ts'

/** At most `concurrency` requests under way at once; the others wait in order. */
export const throttle = (inner: Transport, concurrency: number): Transport => {
  const limit = pLimit(concurrency)
  return {
    send: (request, signal) =>
      limit(() => {
        // Nobody waits for it any more.
        signal?.throwIfAborted()
        return inner.send(request, signal)
      }),
  }
}
