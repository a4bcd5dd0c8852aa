import {
  type Deps,
  type DueReport,
  deliverLeftovers,
  enqueueDue,
  keepAnchors,
  type ResendReport,
  resendApplies,
} from '#core'
import { containerDeps } from './deps.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { doParts, invoked } from './middleware/stack.ts'

const logDue = ({ enqueued, covered, silent, refused, left, failures, dropped, quarantined }: DueReport): void => {
  emit('ChecksEnqueued', enqueued.length)
  emit('ChecksCovered', covered)
  emit('ChecksRefused', refused)
  emit('DueLeft', left)
  emit('DueFailed', failures.length)
  emit('DueDropped', dropped.length)
  emit('Quarantined', quarantined.length)
  if (enqueued.length > 0 || left > 0) {
    logger.info('checks enqueued', { count: enqueued.length, pending: covered, silent, refused, left })
  }
  for (const { workspace, error } of failures) {
    logger.error('a due check was not queued', { workspace, error: loggable(error) })
  }
  for (const { pk, sk } of dropped) logger.error('an unreadable entry of the due list was taken out', { pk, sk })
  for (const { workspace, since, again, error } of quarantined) {
    logger.warn('in quarantine', { workspace, since, again, code: error.code })
  }
}

const logResent = ({ resent, stranded, failures, left }: ResendReport): void => {
  emit('AppliesResent', resent.length)
  emit('AppliesStranded', stranded.length)
  emit('ResendFailed', failures.length)
  emit('ResendLeft', left)
  if (left > 0) logger.warn('applies that wait were left for the next tick', { left })
  for (const { workspace, applyId } of resent) logger.warn('an apply was queued again', { workspace, applyId })
  for (const { workspace, applyId } of stranded) logger.error('an apply was given up', { workspace, applyId })
  for (const { workspace, applyId, error } of failures) {
    logger.error('an apply that waits was not queued again', { workspace, applyId, error: loggable(error) })
  }
}

/** Reserved to finish the batches under way, to handle the messages that the queue refuses, and for the report. */
const reserveMs = 8_000

const tick = async (deps: Deps): Promise<void> => {
  const left = deps.deadline?.left() ?? 0
  const deadline = new Date(deps.clock.now().getTime() + left - Math.min(reserveMs, left / 2))
  await doParts([
    () => enqueueDue({ deadline }, deps).then(logDue),
    () => resendApplies(deps, { deadline }).then(logResent),
    () => deliverLeftovers(deps, { until: deadline }).then((late) => emit('AlertsDeliveredLate', late)),
    () => keepAnchors(deps, { until: deadline }).then((kept) => emit('AnchorsKept', kept)),
  ])
}

/**
 * Runs every minute: queues the due checks and the applies whose messages were lost, and sends alerts that a crash
 * left. The event itself is not used.
 */
export const scheduleHandler = (compose: () => Promise<Deps>) =>
  invoked<unknown, void>(compose, (_event, deps) => tick(deps))

export const handler = scheduleHandler(containerDeps)
