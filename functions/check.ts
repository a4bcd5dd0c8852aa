import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import middy from '@middy/core'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import {
  type Deps,
  defined,
  deliverAlerts,
  findWorkspace,
  pullSource,
  resourcesIn,
  type TakenCheck,
  takeCheck,
  takeUndo,
} from '#core'
import { checkMessage, readMessage } from './adapters/aws/sqs.ts'
import type { Redelivery } from './adapters/aws/sqs-delivery.ts'
import { systemClock } from './adapters/clock.ts'
import { checkDelivery, targetDeps } from './deps.ts'
import { type MessageWork, putBack } from './middleware/failed-message.ts'
import { emit, loggable, logger } from './middleware/observe.ts'
import { type Enter, sideBySide } from './middleware/side-by-side.ts'
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

const check = async (
  { compose, context, signal }: MessageWork,
  message: Parameters<typeof takeCheck>[0],
): Promise<void> => {
  const deps = await compose()
  if (message.tell) {
    const sent = await withinInvocation(context, signal, deps, (own) => deliverAlerts(message, own))
    logger.info('alerts that waited were sent', { workspace: message.workspace, sent })
    return
  }
  const take = async (own: Deps): Promise<TakenCheck> =>
    message.undo === undefined
      ? takeCheck(message, own, pullSource)
      : { kind: 'checked', run: await takeUndo(message, own) }
  const taken = await withinInvocation(context, signal, deps, take)
  tell(taken, message.workspace)
}

const checkRecord = (work: MessageWork, enter: Enter) => async (record: SQSRecord) => {
  let workspace: string | undefined
  try {
    const message = readMessage(record, checkMessage)
    workspace = message.workspace
    const hasBegun = await enter(record, () => check(work, message))
    if (!hasBegun) logger.info('the check begins in another invocation: this one has no room', { workspace })
  } catch (error) {
    emit('ChecksFailed')
    const { messageId } = record
    logger.error('the check did not run', { messageId, ...defined({ workspace }), error: loggable(error) })
    await putBack(record, error, work.delivery)
  }
}

/** By the last run. What cannot be read is not known here: the check itself meets the same error, and reports it. */
const sizeOf =
  ({ compose, context, signal }: MessageWork) =>
  async (record: SQSRecord): Promise<number | undefined> => {
    try {
      const { workspace } = readMessage(record, checkMessage)
      const find = (deps: Deps) => findWorkspace(deps.store, workspace)
      const found = await withinInvocation(context, signal, await compose(), find)
      return found && resourcesIn(found)
    } catch {
      return undefined
    }
  }

/** Works on small checks at the same time. Only the failed messages of a batch are delivered again. */
export const checkHandler = (compose: () => Promise<Deps>, delivery: Redelivery) =>
  middy<SQSEvent, SQSBatchResponse>(early)
    .use(observed())
    .handler(async ({ Records: records }, context, { signal }) => {
      const work: MessageWork = { compose, delivery, context, signal }
      return sideBySide({
        ...{ records, context, delivery, clock: systemClock, sizeOf: sizeOf(work) },
        work: (Records, enter) =>
          processPartialResponse({ Records }, checkRecord(work, enter), new BatchProcessor(EventType.SQS), {
            context,
            throwOnFullBatchFailure: false,
          }),
      })
    })

export const handler = checkHandler(targetDeps, checkDelivery)
