import type { SQSEvent } from 'aws-lambda'
import type { Redelivery } from '../../../functions/adapters/aws/sqs-delivery.ts'

export interface MessageParts {
  /** Sent as JSON, a text as it is. */
  readonly body: unknown
  readonly id?: string
  /** The number of its deliveries, this one included; 1 when absent. */
  readonly receives?: string
  /** Of a FIFO queue. */
  readonly group?: string
}

/** A batch as Lambda's event source mapping hands it over. */
export const sqsEvent = (messages: readonly MessageParts[]): SQSEvent => ({
  Records: messages.map(({ body, id, group, receives = '1' }, index) => ({
    messageId: id ?? `message-${index}`,
    receiptHandle: `handle-${index}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: receives,
      SentTimestamp: '1795240800000',
      SenderId: 'AIDA',
      ApproximateFirstReceiveTimestamp: '1795240800001',
      ...(group === undefined ? {} : { MessageGroupId: group, SequenceNumber: `${index}` }),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:checks',
    awsRegion: 'eu-central-1',
  })),
})

/** Remembers what the handlers say about failed messages. */
export const testDelivery = () => {
  const later: (readonly [string, number])[] = []
  const givenUp: (readonly [string, string])[] = []
  const delivery: Redelivery = {
    later: async ({ messageId }, seconds) => {
      later.push([messageId, seconds])
    },
    giveUp: async ({ messageId }, code) => {
      givenUp.push([messageId, code])
    },
  }
  return { later, givenUp, delivery }
}
