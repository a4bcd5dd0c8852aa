import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDelivery } from '../../../functions/adapters/aws/sqs-delivery.ts'
import { sqsEvent } from '../../builders/aws/sqs-event.ts'
import { long } from '../../builders/long.ts'

let server: FauxqsServer
let sqs: SQSClient
const own = { accessKeyId: 'test', secretAccessKey: 'test' }
const clientOf = () => ({ endpoint: `http://127.0.0.1:${server.port}`, region: 'eu-central-1', credentials: own })

beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false, defaultRegion: 'eu-central-1' })
  sqs = new SQSClient(clientOf())
})
afterAll(async () => {
  sqs.destroy()
  await server.stop()
})

const fifo = { attributes: { FifoQueue: 'true', VisibilityTimeout: '330' } }
const receive = async (QueueUrl: string) =>
  (await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 0, MessageSystemAttributeNames: ['All'] })))
    .Messages?.[0]
const recordOf = (receiptHandle = '', body = ''): SQSRecord =>
  ({ ...sqsEvent([{ body, id: 'm', group: 'acme' }]).Records[0], receiptHandle }) as SQSRecord

test('a failed message, and its group, are free again at the time that was said', long, async () => {
  const { queueUrl } = server.createQueue('applies.fifo', fifo)
  const delivery = createDelivery({ name: 'applies', queueUrl: () => queueUrl, deadUrl: () => '', client: clientOf() })
  for (const MessageDeduplicationId of ['1', '2'])
    await sqs.send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'x', MessageGroupId: 'acme', MessageDeduplicationId }),
    )
  const first = await receive(queueUrl)
  expect(await receive(queueUrl)).toBeUndefined()
  await delivery.later(recordOf(first?.ReceiptHandle), 0)
  expect(await receive(queueUrl)).toMatchObject({
    MessageId: first?.MessageId,
    Attributes: { ApproximateReceiveCount: '2' },
  })
})

test('a message that is given up is among the dead letters, word for word, with the reason', async () => {
  const dead = server.createQueue('dead.fifo', fifo).queueUrl
  const delivery = createDelivery({ name: 'applies', queueUrl: () => '', deadUrl: () => dead, client: clientOf() })
  await delivery.giveUp(recordOf('', '{ "not": JSON'), 'REQUEST_INVALID')
  expect(server.inspectQueue('dead.fifo')?.messages.ready).toMatchObject([
    { body: '{ "not": JSON', messageGroupId: 'acme', messageAttributes: { code: { StringValue: 'REQUEST_INVALID' } } },
  ])
})
