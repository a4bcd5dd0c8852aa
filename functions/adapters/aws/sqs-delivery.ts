import type { SQSRecord } from 'aws-lambda'
import type { ErrorCode } from '#core'
import { type Patience, usual } from './patience.ts'
import { type SqsConfig, sqsClient } from './sqs-client.ts'

/** What a function tells its queue about a message that failed. Both methods reject with QUEUE_UNAVAILABLE. */
export interface Redelivery {
  /** Delivers the message again after so many seconds, and not only after the visibility timeout of the queue. */
  later(record: SQSRecord, seconds: number): Promise<void>
  /** Copies the message to the dead letters; the function then reports it as processed. */
  giveUp(record: SQSRecord, code: ErrorCode): Promise<void>
}

export interface FailedFrom {
  /** For errors. */
  readonly name: string
  /** Throws if this function has no such queue. */
  readonly queueUrl: () => string
  readonly deadUrl: () => string
  readonly client?: SqsConfig
  readonly patience?: Patience
}

export const createDelivery = ({ name, queueUrl, deadUrl, client = {}, patience = usual }: FailedFrom): Redelivery => {
  const using = sqsClient(client, patience)
  return {
    later: async ({ receiptHandle: ReceiptHandle }, VisibilityTimeout) => {
      const input = { QueueUrl: queueUrl(), ReceiptHandle, VisibilityTimeout }
      await using(name, ({ sdk, client: sqs }) => sqs.send(new sdk.ChangeMessageVisibilityCommand(input)))
    },
    giveUp: async ({ body: MessageBody, messageId, attributes: { MessageGroupId } }, code) => {
      const input = {
        QueueUrl: deadUrl(),
        MessageBody,
        MessageAttributes: { code: { DataType: 'String', StringValue: code } },
        ...(MessageGroupId !== undefined && { MessageGroupId, MessageDeduplicationId: messageId }),
      }
      await using(`dead ${name}`, ({ sdk, client: sqs }) => sqs.send(new sdk.SendMessageCommand(input)))
    },
  }
}
