import { processPartialResponse, SqsFifoPartialProcessorAsync } from '@aws-lambda-powertools/batch'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Apply, type Deps, isAppError, runApply } from '#core'
import { applyMessage, readMessage } from './adapters/sqs.ts'
import { containerDeps } from './deps.ts'
import type { MetricName } from './metric-names.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { invoked } from './middleware/stack.ts'

const countOf = (status: Apply['status'], ended: boolean): MetricName => {
  if (!ended) return 'AppliesHandedOver'
  if (status === 'refused') return 'AppliesRefused'
  return status === 'succeeded' ? 'AppliesDone' : 'AppliesFailed'
}

const applyRecord = (deps: Deps) => async (record: SQSRecord) => {
  try {
    const { workspace, applyId } = readMessage(record, applyMessage)
    // A lock of another holder belongs to a dead worker, or to a user at a terminal: it is waited for.
    const { status, finishedAt, results } = await runApply({ workspace, applyId, patient: true }, deps)
    emit(countOf(status, finishedAt !== undefined))
    logger.info('applied', { workspace, applyId, status, results })
  } catch (error) {
    // The request was withdrawn when the queue seemed to refuse it; its caller got an error.
    if (isAppError(error, 'APPLY_NOT_FOUND')) {
      logger.warn('there is no such apply', { messageId: record.messageId, error: loggable(error) })
      return
    }
    emit('AppliesInterrupted')
    logger.error('the apply did not run', { messageId: record.messageId, error: loggable(error) })
    throw error
  }
}

/**
 * After a failure the remaining messages of its workspace are put back too, because the order within a workspace
 * matters.
 */
export const applyHandler = (compose: () => Promise<Deps>) =>
  invoked<SQSEvent, SQSBatchResponse>(compose, (event, deps, context) =>
    processPartialResponse(event, applyRecord(deps), new SqsFifoPartialProcessorAsync(), {
      context,
      skipGroupOnError: true,
      throwOnFullBatchFailure: false,
    }),
  )

export const handler = applyHandler(containerDeps)
