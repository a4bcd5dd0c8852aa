import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  MessageNotInflight,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { repeat, type Worker } from '../worker.ts'

export const allDone: SQSBatchResponse = { batchItemFailures: [] }

interface PollerOptions {
  readonly client: SQSClient
  readonly queueUrl: string
  readonly batchSize: number
  /** Answers which messages failed; a rejection means all of them. */
  readonly handle: (event: SQSEvent) => Promise<SQSBatchResponse>
  readonly region: string
  readonly failed: (error: unknown) => void
}

/** Seconds that a received message stays hidden, and between two extensions of that time. */
const visibility = 30
const heartbeat = 10

const toRecord = (message: Message, queueUrl: string, region: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
    ...message.Attributes,
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:${region}:000000000000:${queueUrl.split('/').at(-1) ?? ''}`,
  awsRegion: region,
})

const receive = async ({ client, queueUrl, batchSize }: PollerOptions): Promise<readonly Message[]> => {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: batchSize,
    // Short, so that a stop never cuts off a receive: the message would stay hidden.
    WaitTimeSeconds: 1,
    VisibilityTimeout: visibility,
    MessageSystemAttributeNames: ['All'],
  })
  return (await client.send(command)).Messages ?? []
}

const keepHidden = ({ client, queueUrl, failed }: PollerOptions, messages: readonly Message[]): NodeJS.Timeout =>
  setInterval(() => {
    for (const { ReceiptHandle } of messages) {
      const command = new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle,
        VisibilityTimeout: visibility,
      })
      client.send(command).catch((error: unknown) => {
        // The message was deleted meanwhile: its work is done.
        if (!(error instanceof ReceiptHandleIsInvalid || error instanceof MessageNotInflight)) failed(error)
      })
    }
  }, heartbeat * 1000)

const failedIds = async (options: PollerOptions, messages: readonly Message[]): Promise<ReadonlySet<string>> => {
  const records = messages.map((message) => toRecord(message, options.queueUrl, options.region))
  try {
    const { batchItemFailures } = await options.handle({ Records: records })
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  } catch (error) {
    options.failed(error)
    return new Set(records.map(({ messageId }) => messageId))
  }
}

const takeBatch = async (options: PollerOptions): Promise<void> => {
  const messages = await receive(options)
  if (messages.length === 0) return
  const hidden = keepHidden(options, messages)
  try {
    const failed = await failedIds(options, messages)
    const done = messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''))
    for (const { ReceiptHandle } of done)
      await options.client.send(new DeleteMessageCommand({ QueueUrl: options.queueUrl, ReceiptHandle }))
  } finally {
    clearInterval(hidden)
  }
}

/** Calls a handler as Lambda's event source mapping does: batches, partial failures, and again when it fails. */
export const startPoller = (options: PollerOptions): Worker => repeat(0, () => takeBatch(options), options.failed)
