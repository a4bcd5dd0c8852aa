import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Actor, checkWorkspace, type Deps } from '#core'
import { checkMessage } from './adapters/sqs.ts'
import { containerDeps } from './deps.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { readMessage } from './middleware/read-message.ts'
import { aroundQueue } from './middleware/stack.ts'

const scheduler: Actor = { subject: 'schedule', via: 'schedule' }

const checkRecord = (compose: () => Promise<Deps>) => async (record: SQSRecord) => {
  try {
    const { workspace, scheduledFor, actor } = readMessage(record, checkMessage)
    const asked =
      actor === undefined ? { trigger: 'schedule' as const, actor: scheduler } : { trigger: 'api' as const, actor }
    const due = scheduledFor === undefined ? {} : { scheduledFor }
    const { run } = await checkWorkspace({ workspace, ...asked, ...due }, await compose())
    emit(run.status === 'failed' ? 'ChecksFailed' : 'ChecksDone')
    logger.info('checked', { workspace, run: run.id, status: run.status })
  } catch (error) {
    emit('ChecksFailed')
    logger.error('the check did not run', { message: record.messageId, error: loggable(error) })
    throw error
  }
}

/** Messages that failed are delivered again; the others of the batch are not. */
export const checkHandler = (compose: () => Promise<Deps>) =>
  middy<SQSEvent, SQSBatchResponse>()
    .use(aroundQueue())
    .handler(async (event, context) =>
      processPartialResponse(event, checkRecord(compose), new BatchProcessor(EventType.SQS), {
        context,
        throwOnFullBatchFailure: false,
      }),
    )

export const handler = checkHandler(containerDeps)
