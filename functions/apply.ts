import { processPartialResponse, SqsFifoPartialProcessorAsync } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Apply, anchorLedger, type Deps, isAppError, noteInterruption, runApply, withinDeadline } from '#core'
import { type ApplyMessage, applyMessage, readMessage } from './adapters/aws/sqs.ts'
import type { Redelivery } from './adapters/aws/sqs-delivery.ts'
import { applyDelivery, targetDeps } from './deps.ts'
import type { MetricName } from './metric-names.ts'
import { type MessageWork, putBack } from './middleware/failed-message.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { early, observed, withinInvocation } from './middleware/stack.ts'

const countOf = (status: Apply['status'], ended: boolean): MetricName => {
  if (!ended) return 'AppliesHandedOver'
  if (status === 'refused') return 'AppliesRefused'
  return status === 'succeeded' ? 'AppliesDone' : 'AppliesFailed'
}

/** Milliseconds: a store that does not answer must not keep the message. */
const noteMs = 2_000

/** Whoever approved the apply sees that it was interrupted, and why. */
const note = async (
  message: ApplyMessage,
  error: unknown,
  { compose, context, signal }: MessageWork,
): Promise<void> => {
  try {
    const deps = await compose()
    const ms = Math.min(noteMs, context.getRemainingTimeInMillis() / 2)
    await withinDeadline({ of: 'the note', ms, signal }, deps, (own) => noteInterruption(message, error, own))
  } catch (cause) {
    logger.warn('the interruption was not noted in the apply', { ...message, error: loggable(cause) })
  }
}

const applyRecord = (given: MessageWork) => async (record: SQSRecord) => {
  const { compose, delivery, context, signal } = given
  let message: ApplyMessage | undefined
  try {
    message = readMessage(record, applyMessage)
    // A lock of another holder belongs to a dead worker, or to a user at a terminal: it is waited for.
    const input = { ...message, patient: true }
    const deps = await compose()
    const { status, finishedAt, results, runId } = await withinInvocation(context, signal, deps, (own) =>
      runApply(input, own),
    )
    if (finishedAt !== undefined) await anchorLedger(message, deps)
    emit(countOf(status, finishedAt !== undefined))
    logger.info('applied', { ...message, run: runId, status, results })
  } catch (error) {
    // The request was withdrawn when the queue seemed to refuse it; its caller got an error.
    if (isAppError(error, 'APPLY_NOT_FOUND')) {
      logger.warn('there is no such apply', { messageId: record.messageId, ...message, error: loggable(error) })
      return
    }
    emit('AppliesInterrupted')
    logger.error('the apply did not run', { messageId: record.messageId, ...message, error: loggable(error) })
    if (message !== undefined) await note(message, error, given)
    await putBack(record, error, delivery)
  }
}

/**
 * After a failure the remaining messages of its workspace are put back too, because the order within a workspace
 * matters.
 */
export const applyHandler = (compose: () => Promise<Deps>, delivery: Redelivery) =>
  middy<SQSEvent, SQSBatchResponse>(early)
    .use(observed())
    .handler(async (event, context, { signal }) =>
      processPartialResponse(
        event,
        applyRecord({ compose, delivery, context, signal }),
        new SqsFifoPartialProcessorAsync(),
        { context, skipGroupOnError: true, throwOnFullBatchFailure: false },
      ),
    )

export const handler = applyHandler(targetDeps, applyDelivery)
