import { createHash } from 'node:crypto'
import { GetSubscriptionAttributesCommand, ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns'
import type { SQSClient } from '@aws-sdk/client-sqs'
import { AppError, defined } from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import { repeat, type Worker } from '../worker.ts'
import { allDone, startPoller } from './poller.ts'
import type { Queues } from './queues.ts'

interface ForwarderOptions {
  readonly sns: SNSClient
  readonly sqs: SQSClient
  readonly queues: Queues
  readonly region: string
  readonly failed: (error: unknown) => void
}

const everyMs = 5_000
const timeoutMs = 15_000
const copied = ['FilterPolicy', 'FilterPolicyScope', 'RawMessageDelivery']

/**
 * The embedded SNS hands on the JSON with the bodies of all protocols; the real one sends each subscriber its own.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
 */
export const bodyFor = (protocol: string, message: string): string => {
  const bodies = jsonIn(message) as Readonly<Record<string, unknown>> | null | undefined
  const body = bodies?.[protocol] ?? bodies?.['default']
  return typeof body === 'string' ? body : message
}

const deliver = async (endpoint: string, protocol: string, queued: string, raw: boolean): Promise<void> => {
  const envelope = raw ? undefined : (JSON.parse(queued) as Record<string, unknown>)
  const body =
    envelope === undefined
      ? bodyFor(protocol, queued)
      : JSON.stringify({ ...envelope, Message: bodyFor(protocol, String(envelope['Message'])) })
  const sent = {
    method: 'POST',
    body,
    redirect: 'error' as const,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'Notification',
      ...defined({ 'x-amz-sns-rawdelivery': raw ? 'true' : undefined }),
    },
  }
  // The address may contain a key; errors name only its origin.
  const { origin } = new URL(endpoint)
  const response = await fetch(endpoint, sent).catch((cause: unknown) => {
    throw new AppError('ENDPOINT_FAILED', { endpoint: origin, detail: 'no response' }, { cause })
  })
  await response.body?.cancel()
  // A rejected delivery stays in its queue, comes again, and ends in the dead-letter queue.
  if (!response.ok) throw new AppError('ENDPOINT_FAILED', { endpoint: origin, detail: `status ${response.status}` })
}

/**
 * Delivers to the topic's http and https subscribers, which the embedded SNS only stores: each gets a queue of its own
 * with its filter policy, so that filtering, waiting and repeating stay with SNS and SQS.
 */
export const startForwarder = (options: ForwarderOptions): Worker => {
  const { sns, sqs, queues, region, failed } = options
  const pollers = new Map<string, Worker>()
  const begin = async (subscription: string, protocol: string, endpoint: string): Promise<void> => {
    const command = new GetSubscriptionAttributesCommand({ SubscriptionArn: subscription })
    const { Attributes = {} } = await sns.send(command)
    const attributes = Object.fromEntries(
      copied.flatMap((name) => (Attributes[name] ? [[name, Attributes[name]]] : [])),
    )
    const name = `plumbline-to-${createHash('sha256').update(subscription).digest('hex').slice(0, 16)}`
    const raw = attributes['RawMessageDelivery'] === 'true'
    const queueUrl = queues.feed(name, attributes)
    const handle = async ({ Records }: { Records: readonly { body: string }[] }) => {
      for (const { body } of Records) await deliver(endpoint, protocol, body, raw)
      return allDone
    }
    pollers.set(subscription, startPoller({ client: sqs, queueUrl, batchSize: 1, handle, region, failed }))
  }
  const look = async (): Promise<void> => {
    const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: queues.topicArn }))
    const webhooks = Subscriptions.filter(({ Protocol }) => Protocol === 'http' || Protocol === 'https')
    for (const { SubscriptionArn: arn = '', Protocol = '', Endpoint = '' } of webhooks)
      if (!pollers.has(arn)) await begin(arn, Protocol, Endpoint)
    for (const [arn, poller] of pollers) {
      if (webhooks.some(({ SubscriptionArn }) => SubscriptionArn === arn)) continue
      pollers.delete(arn)
      await poller.stop()
    }
  }
  const looking = repeat(everyMs, look, failed)
  return {
    stop: async () => {
      await looking.stop()
      await Promise.all([...pollers.values()].map((poller) => poller.stop()))
    },
  }
}
