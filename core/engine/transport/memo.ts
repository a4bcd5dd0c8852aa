import { digest } from '../json/digest.ts'
import type { Response } from '../schema/command.ts'
import { isRead } from './read-only.ts'
import type { Transport } from './transport.ts'

/**
 * Sends equal reads once and gives all callers the same answer, including those that call while the read is under way.
 * Values computed from answers are cached in the same way. Errors are not cached, and a write clears the cache. Create
 * one for each run, because answers do not expire.
 */
export const memo = (inner: Transport): Transport => {
  const forgets: (() => void)[] = []
  const keeping = (inside: Transport): Transport => {
    const answers = new Map<string, Promise<Response>>()
    const made = new Map<string, Promise<unknown>>()
    forgets.push(
      () => answers.clear(),
      () => made.clear(),
    )
    return {
      send: async (request, signal) => {
        if (isRead(request)) {
          const { reader: _, ...same } = request
          return once(answers, digest(same), () => inside.send(request, signal))
        }
        try {
          return await inside.send(request, signal)
        } finally {
          for (const forget of forgets) forget()
        }
      },
      remember: (key, make) => once(made, key, make) as ReturnType<typeof make>,
    }
  }
  return { ...keeping(inner), afresh: keeping(inner.afresh ?? inner) }
}

/** Computes the value for `key` once for all callers. A failure goes to those who wait for it and is not cached. */
export const once = <Value>(
  kept: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> => {
  const known = kept.get(key)
  if (known) return known
  const value = make().catch((error: unknown) => {
    if (kept.get(key) === value) kept.delete(key)
    throw error
  })
  kept.set(key, value)
  return value
}
