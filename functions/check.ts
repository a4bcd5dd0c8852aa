import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Deps, defined, pullSource, type TakenCheck, takeCheck } from '#core'
import { checkMessage, readMessage } from './adapters/sqs.ts'
import type { Redelivery } from './adapters/sqs-delivery.ts'
import { checkDelivery, containerDeps } from './deps.ts'
import { type MessageWork, putBack } from './middleware/failed-message.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { early, observed, withinInvocation } from './middleware/stack.ts'

const tell = (taken: TakenCheck, workspace: string): void => {
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
  logger.info('checked', {
    workspace,
    run: run.id,
    status: run.status,
    ...defined({ causes: run.causes, code: run.error?.code }),
  })
}

const checkRecord =
  ({ compose, delivery, context, signal }: MessageWork) =>
  async (record: SQSRecord) => {
    let workspace: string | undefined
    try {
      const message = readMessage(record, checkMessage)
      workspace = message.workspace
      const deps = await compose()
      tell(await withinInvocation(context, signal, deps, (own) => takeCheck(message, own, pullSource)), workspace)
    } catch (error) {
      emit('ChecksFailed')
      const { messageId } = record
      logger.error('the check did not run', { messageId, ...defined({ workspace }), error: loggable(error) })
      await putBack(record, error, delivery)
    }
  }

/** Only the failed messages of a batch are delivered again. */
export const checkHandler = (compose: () => Promise<Deps>, delivery: Redelivery) =>
  middy<SQSEvent, SQSBatchResponse>(early)
    .use(observed())
    .handler(async (event, context, { signal }) =>
      processPartialResponse(
        event,
        checkRecord({ compose, delivery, context, signal }),
        new BatchProcessor(EventType.SQS),
        {
          context,
          throwOnFullBatchFailure: false,
        },
      ),
    )

export const handler = checkHandler(containerDeps, checkDelivery)
