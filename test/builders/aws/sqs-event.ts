import type { SQSEvent } from 'aws-lambda'

export interface MessageParts {
  /** Sent as JSON, a text as it is. */
  readonly body: unknown
  readonly id?: string
  /** Of a FIFO queue. */
  readonly group?: string
}

/** A batch as Lambda's event source mapping hands it over. */
export const sqsEvent = (messages: readonly MessageParts[]): SQSEvent => ({
  Records: messages.map(({ body, id, group }, index) => ({
    messageId: id ?? `message-${index}`,
    receiptHandle: `handle-${index}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
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
