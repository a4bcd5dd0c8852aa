import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { type Deps, withinDeadline } from '#core'
import { invocationLog, loggable, logger, writeMetrics } from './observe.ts'

/** Milliseconds that are reserved for the answer; a tenth of the time of a short invocation. */
const answeringMs = 1_000

/**
 * For middy: if a handler has not answered this many milliseconds before Lambda ends it, its signal is aborted and the
 * invocation fails. So no work is left that would continue when the frozen container is used again.
 */
export const early = { timeoutEarlyInMillis: 250 }

/** Works within the remaining time of an invocation. After the answer, none of the work continues. */
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

/**
 * Wraps each handler of a queue or a schedule: log entries name the invocation, and the counted metrics are written.
 */
export const observed = () => [
  injectLambdaContext(invocationLog, { resetKeys: true }),
  { after: writeMetrics, onError: writeMetrics },
]

export const invoked = <Event, Result>(
  compose: () => Promise<Deps>,
  work: (event: Event, deps: Deps, context: Context) => Promise<Result>,
) =>
  middy<Event, Result>(early)
    .use(observed())
    .handler(async (event, context, { signal }) =>
      withinInvocation(context, signal, await compose(), (deps) => work(event, deps, context)),
    )

/**
 * Runs the parts of one invocation; a failed part does not prevent the others. Each failure is logged, and the result
 * rejects at the end.
 */
export const doParts = async (parts: readonly (() => Promise<void>)[]): Promise<void> => {
  const ended = await Promise.allSettled(parts.map((part) => part()))
  const failures = ended.filter((part) => part.status === 'rejected').map(({ reason }): unknown => reason)
  for (const error of failures) logger.error('a part failed', { error: loggable(error) })
  if (failures.length > 0) throw failures[0]
}
