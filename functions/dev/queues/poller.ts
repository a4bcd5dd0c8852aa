import { setTimeout as pause } from 'node:timers/promises'
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'

export interface Poller {
  /** Takes nothing new, waits for what is under way. */
  stop(): Promise<void>
}

export const allDone: SQSBatchResponse = { batchItemFailures: [] }

export interface PollerOptions {
  readonly client: SQSClient
  readonly queueUrl: string
  readonly batchSize: number
  /** Answers which messages failed; a rejection means all of them. */
  readonly handle: (event: SQSEvent) => Promise<SQSBatchResponse>
  readonly region: string
  readonly failed: (error: unknown) => void
}

/** Seconds that a received message stays hidden without a sign of life, and between two of these signs. */
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
    // Short, so that a stop never has to cut off a receive: a message given to nobody would stay hidden.
    WaitTimeSeconds: 1,
    VisibilityTimeout: visibility,
    MessageSystemAttributeNames: ['All'],
  })
  return (await client.send(command)).Messages ?? []
}

const keepHidden = ({ client, queueUrl }: PollerOptions, messages: readonly Message[]): NodeJS.Timeout =>
  setInterval(() => {
    for (const { ReceiptHandle } of messages) {
      const command = new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle,
        VisibilityTimeout: visibility,
      })
      // A message that was meanwhile deleted cannot be extended, and need not be.
      client.send(command).catch(() => {})
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
export const startPoller = (options: PollerOptions): Poller => {
  let running = true
  const loop = async (): Promise<void> => {
    while (running)
      await takeBatch(options).catch(async (error: unknown) => {
        if (!running) return
        options.failed(error)
        await pause(1000)
      })
  }
  const ended = loop()
  return {
    stop: async () => {
      running = false
      await ended
    },
  }
}
