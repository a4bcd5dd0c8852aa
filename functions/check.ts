import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Deps, pullSource, takeCheck } from '#core'
import { checkMessage, readMessage } from './adapters/sqs.ts'
import { containerDeps } from './deps.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { early, observed, withinInvocation } from './middleware/stack.ts'

const checkRecord =
  (compose: () => Promise<Deps>, context: Context, signal: AbortSignal) => async (record: SQSRecord) => {
    try {
      const message = readMessage(record, checkMessage)
      const taken = await withinInvocation(context, signal, await compose(), (deps) =>
        takeCheck(message, deps, pullSource),
      )
      const { workspace } = message
      if (taken.kind === 'postponed') {
        emit('ChecksPostponed')
        logger.info('the check is due again after the apply', { workspace, apply: taken.holder })
        return
      }
      if (taken.kind === 'dropped') {
        logger.info('nothing is to be checked any more', { workspace, why: taken.why })
        return
      }
      if (taken.kind === 'goes_on') {
        emit('ChecksHandedOver')
        logger.info('the check goes on in another invocation', { workspace, part: taken.part })
        return
      }
      const { run } = taken
      emit(run.status === 'failed' ? 'ChecksFailed' : 'ChecksDone')
      logger.info('checked', { workspace, run: run.id, status: run.status })
    } catch (error) {
      emit('ChecksFailed')
      logger.error('the check did not run', { messageId: record.messageId, error: loggable(error) })
      throw error
    }
  }

/** Only the failed messages of a batch are delivered again. */
export const checkHandler = (compose: () => Promise<Deps>) =>
  middy<SQSEvent, SQSBatchResponse>(early)
    .use(observed())
    .handler(async (event, context, { signal }) =>
      processPartialResponse(event, checkRecord(compose, context, signal), new BatchProcessor(EventType.SQS), {
        context,
        throwOnFullBatchFailure: false,
      }),
    )

export const handler = checkHandler(containerDeps)
