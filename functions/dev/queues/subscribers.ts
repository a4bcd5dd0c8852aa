import { type AlertSink, AppError, mapMembers } from '#core'
import { alertRequest, type Reached } from '../../adapters/aws/sns-request.ts'

type Published = ReturnType<typeof alertRequest>

/** Receives an alert as it would be published to the topic. Rejects if it does not accept it. */
export type Subscriber = (published: Published, signal: AbortSignal | undefined) => Promise<void>

const topicArn = 'arn:aws:sns:local:000000000000:plumbline-alerts'
const timeoutMs = 5_000
/** The time without a request to a URL after a failure. */
const restMs = 30_000

/**
 * SNS sends each subscriber the body of its protocol.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
 */
export const bodyFor = (protocol: 'default' | 'email', { Message = '{}' }: Published): string =>
  (JSON.parse(Message) as Readonly<Record<string, string>>)[protocol] ?? ''

/** The body that SNS posts: https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html */
const notification = (published: Published): string =>
  JSON.stringify({
    Type: 'Notification',
    MessageId: crypto.randomUUID(),
    TopicArn: topicArn,
    Subject: published.Subject,
    Message: bodyFor('default', published),
    Timestamp: new Date().toISOString(),
    MessageAttributes: mapMembers(published.MessageAttributes ?? {}, ({ StringValue }) => ({
      Type: 'String',
      Value: StringValue,
    })),
  })

/** The URL may contain a key; errors name only its origin. */
const post = async (endpoint: string, body: string, signal: AbortSignal | undefined): Promise<void> => {
  const { origin } = new URL(endpoint)
  const sent = {
    method: 'POST',
    body,
    redirect: 'error' as const,
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]),
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
  }
  const response = await fetch(endpoint, sent).catch((cause: unknown) => {
    throw new AppError('ENDPOINT_FAILED', { endpoint: origin, detail: 'no response' }, { cause })
  })
  await response.body?.cancel()
  if (!response.ok) throw new AppError('ENDPOINT_FAILED', { endpoint: origin, detail: `status ${response.status}` })
}

/** A URL that does not respond delays a check once, and not with each alert. */
export const webhook = (endpoint: string, rests = restMs): Subscriber => {
  let down: { readonly until: number; readonly error: unknown } | undefined
  return async (published, signal) => {
    if (down !== undefined && performance.now() < down.until) throw down.error
    try {
      await post(endpoint, notification(published), signal)
      down = undefined
    } catch (error) {
      down = { until: performance.now() + rests, error }
      throw error
    }
  }
}

/**
 * Replaces a topic. An alert that one subscriber does not accept stays in the outbox and is published again;
 * subscribers that have it do not get it a second time.
 */
export const alertsTo = (subscribers: readonly Subscriber[], reached: Reached = {}): AlertSink => {
  const takenBy = new Map<string, Set<Subscriber>>()
  return {
    publish: async (alert, signal) => {
      const published = alertRequest(alert, topicArn, reached)
      const taken = takenBy.get(alert.id) ?? new Set()
      takenBy.set(alert.id, taken)
      const others = subscribers.filter((subscriber) => !taken.has(subscriber))
      const ended = await Promise.allSettled(
        others.map(async (subscriber) => {
          await subscriber(published, signal)
          taken.add(subscriber)
        }),
      )
      const refused = ended.find(({ status }) => status === 'rejected')
      if (refused?.status === 'rejected') throw refused.reason
      takenBy.delete(alert.id)
    },
  }
}
