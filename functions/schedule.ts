import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { type Deps, type DueReport, deliverLeftovers, enqueueDue } from '#core'
import { containerDeps } from './deps.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { aroundSchedule } from './middleware/stack.ts'

/** For the batches under way to end, and for the report. */
const reserveMs = 10_000

/** Half of a short invocation at most, so that work is always done. */
const deadlineOf = (context: Pick<Context, 'getRemainingTimeInMillis'>, now: Date): Date => {
  const remaining = context.getRemainingTimeInMillis()
  return new Date(now.getTime() + remaining - Math.min(reserveMs, remaining / 2))
}

const tellDue = ({ enqueued, covered, silent, refused, left, failures, quarantined }: DueReport): void => {
  emit('ChecksEnqueued', enqueued.length)
  emit('ChecksCovered', covered)
  emit('ChecksRefused', refused)
  emit('DueLeft', left)
  emit('DueFailed', failures.length)
  emit('Quarantined', quarantined.length)
  if (enqueued.length > 0 || left > 0) {
    logger.info('checks enqueued', { count: enqueued.length, pending: covered, silent, refused, left })
  }
  for (const { workspace, error } of failures) {
    logger.error('a due check was not queued', { workspace, error: loggable(error) })
  }
  for (const { workspace, since, again, error } of quarantined) {
    logger.warn('in quarantine', { workspace, since, again, code: error.code })
  }
}

/**
 * Every minute: queues the checks that are due, and sends alerts that a crash left. Neither keeps the other from being
 * done. The event says nothing that is used.
 */
export const scheduleHandler = (compose: () => Promise<Deps>) =>
  middy<unknown, void>()
    .use(aroundSchedule())
    .handler(async (_event, context) => {
      const deps = await compose()
      const deadline = deadlineOf(context, deps.clock.now())
      const parts = await Promise.allSettled([
        enqueueDue({ deadline }, deps).then(tellDue),
        deliverLeftovers(deps).then((late) => emit('AlertsDeliveredLate', late)),
      ])
      const failed = parts.filter((part) => part.status === 'rejected').map(({ reason }) => reason as unknown)
      for (const error of failed) logger.error('a part of the tick failed', { error: loggable(error) })
      if (failed.length > 0) throw failed[0]
    })

export const handler = scheduleHandler(containerDeps)
