import type { Context, SQSRecord } from 'aws-lambda'
import { type Deps, type ErrorCode, isAppError } from '#core'
import type { Redelivery } from '../adapters/aws/sqs-delivery.ts'
import { loggable, logger } from './observe.ts'

/** What the handler of a queue has for each of its messages. */
export interface MessageWork {
  readonly compose: () => Promise<Deps>
  readonly delivery: Redelivery
  readonly context: Context
  readonly signal: AbortSignal
}

const longestPause = 60

/** Seconds until a failed message is delivered again, by the number of its deliveries: 10, 20, 40, then 60. */
const pauseAfter = ({ attributes }: Pick<SQSRecord, 'attributes'>): number =>
  Math.min(longestPause, 10 * 2 ** (Number(attributes.ApproximateReceiveCount) - 1))

/** With these errors no later delivery succeeds: the message is wrong, or what it is about is gone or damaged. */
const hopeless: readonly ErrorCode[] = ['REQUEST_INVALID', 'WORKSPACE_NOT_FOUND', 'STORE_CORRUPT']

/** A queue that cannot be told does not lose the message: its visibility timeout ends. */
const tell = async ({ messageId }: SQSRecord, telling: Promise<void>): Promise<boolean> => {
  try {
    await telling
    return true
  } catch (cause) {
    logger.warn('the queue was not told of a message', { messageId, error: loggable(cause) })
    return false
  }
}

/** For a message that was not worked on: it is delivered again after so many seconds. */
export const putOff = async (record: SQSRecord, seconds: number, delivery: Redelivery): Promise<void> => {
  await tell(record, delivery.later(record, seconds))
}

/**
 * Decides what becomes of a message whose work failed. One that can never be processed becomes a dead letter at once;
 * for any other it rejects with the error, and the message is delivered again soon.
 */
export const putBack = async (record: SQSRecord, error: unknown, delivery: Redelivery): Promise<void> => {
  const code = hopeless.find((each) => isAppError(error, each))
  if (code !== undefined && (await tell(record, delivery.giveUp(record, code)))) return
  if (code === undefined) await tell(record, delivery.later(record, pauseAfter(record)))
  throw error
}
