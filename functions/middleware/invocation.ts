import type { Context } from 'aws-lambda'
import { type Deps, withinDeadline } from '#core'

/** For answering, in milliseconds; of a short invocation a tenth. */
const answeringMs = 1_000

/**
 * For middy: should a handler not have answered so many milliseconds before Lambda ends it, its signal is aborted and the
 * invocation fails. Whatever happens, a container that is frozen has nothing under way that would go on when it wakes.
 */
export const early = { timeoutEarlyInMillis: 250 }

/** Works within what is left of an invocation. When it has answered, nothing that it began goes on. */
export const withinInvocation = <Value>(
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  signal: AbortSignal,
  deps: Deps,
  work: (deps: Deps) => Promise<Value>,
): Promise<Value> => {
  const remaining = getRemainingTimeInMillis()
  const ms = Math.max(0, remaining - Math.min(answeringMs, remaining / 10))
  return withinDeadline({ of: 'this invocation', ms, signal }, deps, work)
}
