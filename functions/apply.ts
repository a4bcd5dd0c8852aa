import { processPartialResponse, SqsFifoPartialProcessorAsync } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { type Apply, type Deps, runApply } from '#core'
import { applyMessage } from './adapters/sqs.ts'
import { containerDeps } from './deps.ts'
import type { MetricName } from './metric-names.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { readMessage } from './middleware/read-message.ts'
import { aroundQueue } from './middleware/stack.ts'

/** For the command under way to end, its result to be written and the rest to be handed over. */
const reserveMs = 60_000

/** Half of a short invocation at most, so that work is always done. */
const deadlineOf = (context: Pick<Context, 'getRemainingTimeInMillis'>, now: Date): Date => {
  const remaining = context.getRemainingTimeInMillis()
  return new Date(now.getTime() + remaining - Math.min(reserveMs, remaining / 2))
}

const countOf = (status: Apply['status'], ended: boolean): MetricName => {
  if (!ended) return 'AppliesHandedOver'
  return status === 'succeeded' ? 'AppliesDone' : 'AppliesFailed'
}

const applyRecord = (deps: Deps, deadline: Date) => async (record: SQSRecord) => {
  try {
    const { workspace, apply } = readMessage(record, applyMessage)
    // A lock that is in the way is that of a worker which died, or of somebody at a terminal.
    const { status, finishedAt } = await runApply({ workspace, apply, deadline, patient: true }, deps)
    emit(countOf(status, finishedAt !== undefined))
    logger.info('applied', { workspace, apply, status })
  } catch (error) {
    emit('AppliesInterrupted')
    logger.error('the apply did not run', { message: record.messageId, error: loggable(error) })
    throw error
  }
}

/** After a failure the rest of its workspace's messages is put back too, as the order within a workspace counts. */
export const applyHandler = (compose: () => Promise<Deps>) =>
  middy<SQSEvent, SQSBatchResponse>()
    .use(aroundQueue())
    .handler(async (event, context) => {
      const deps = await compose()
      const deadline = deadlineOf(context, deps.clock.now())
      return processPartialResponse(event, applyRecord(deps, deadline), new SqsFifoPartialProcessorAsync(), {
        context,
        skipGroupOnError: true,
        throwOnFullBatchFailure: false,
      })
    })

export const handler = applyHandler(containerDeps)
