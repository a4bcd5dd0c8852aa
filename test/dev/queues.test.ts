import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListSubscriptionsByTopicCommand, PublishCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startForwarder } from '../../functions/dev/queues/forwarder.ts'
import { allDone, startPoller } from '../../functions/dev/queues/poller.ts'
import { type Queues, startQueues } from '../../functions/dev/queues/queues.ts'
import { gathered } from '../builders/time/gathered.ts'
import { turns } from '../builders/time/turns.ts'

const region = 'us-east-1'
let folder: string
let queues: Queues
let closing: (() => Promise<unknown>)[]

const clients = () => ({
  sqs: new SQSClient(queues.client),
  sns: new SNSClient(queues.client),
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-queues-'))
  queues = await startQueues(folder, region)
  closing = [() => queues.stop()]
})

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  await rm(folder, { recursive: true })
})

const poll = (queueUrl: string, work: (event: SQSEvent) => Promise<SQSBatchResponse | undefined>, batchSize = 10) => {
  const handle = async (event: SQSEvent) => (await work(event)) ?? allDone
  const failures: unknown[] = []
  const poller = startPoller({
    client: clients().sqs,
    queueUrl,
    batchSize,
    handle,
    region,
    failed: (error) => failures.push(error),
  })
  closing.push(() => poller.stop())
  return { failures, stop: poller.stop }
}

describe('the embedded services', () => {
  test('answer on this machine only', async () => {
    const { port } = new URL(queues.endpoint)
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)
    if (outside === undefined) return
    await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow()
  })

  describe('take nothing of a page', () => {
    const own = () => new URL(queues.endpoint).host
    /** What a form or a script of any page can send without asking. */
    const post = (headers: Record<string, string>, body: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(queues.endpoint)
        const sent = request({ hostname, port, method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sent.on('error', reject).end(body)
      })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const subscription = (endpoint: string) =>
      new URLSearchParams({
        Action: 'Subscribe',
        TopicArn: queues.topicArn,
        Protocol: 'http',
        Endpoint: endpoint,
      }).toString()
    const signed = () => ({
      authorization: `AWS4-HMAC-SHA256 Credential=${queues.key}/20261121/${region}/sns/aws4_request, SignedHeaders=host, Signature=0`,
    })

    test.each<[string, () => Record<string, string>]>([
      ['without a key', () => ({ host: own() })],
      ['of a page', () => ({ host: own(), origin: 'http://evil.example' })],
      ['of a sandboxed page', () => ({ host: own(), origin: 'null' })],
      ['by another name of this machine', () => ({ host: 'evil.example', ...signed() })],
      ['of a page, with a key', () => ({ host: own(), origin: 'http://evil.example', ...signed() })],
      [
        'with the key of somebody',
        () => ({ host: own(), authorization: signed().authorization.replace(queues.key, 'local') }),
      ],
      ['that waits to be let in', () => ({ host: own(), expect: '100-continue' })],
    ])('a subscription and a message %s: 403', async (_name, headers) => {
      expect(await post({ ...form, ...headers() }, subscription('http://evil.example/'))).toBe(403)
      const message = JSON.stringify({ QueueUrl: queues.applyUrl, MessageBody: '{}', MessageGroupId: 'w' })
      const target = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' }
      expect(await post({ ...target, ...headers() }, message)).toBe(403)
      const { Subscriptions = [] } = await clients().sns.send(
        new ListSubscriptionsByTopicCommand({ TopicArn: queues.topicArn }),
      )
      expect(Subscriptions.map(({ Protocol }) => Protocol)).toEqual(['sqs'])
    })

    test('the key is of each start', async () => {
      const { key } = queues
      await queues.stop()
      queues = await startQueues(folder, region)
      expect(queues.key).not.toBe(key)
    })
  })

  test('keep messages and subscriptions over a restart', async () => {
    const { sqs } = clients()
    await sqs.send(new SendMessageCommand({ QueueUrl: queues.checkUrl, MessageBody: 'kept' }))
    await queues.stop()
    queues = await startQueues(folder, region)
    const bodies = gathered<string>()
    poll(queues.checkUrl, async ({ Records }) => {
      bodies.add(...Records.map(({ body }) => body))
      return undefined
    })
    await bodies.until((all) => all.includes('kept'))
  })
})

describe('a poller', () => {
  const send = async (queueUrl: string, ...bodies: readonly string[]): Promise<void> => {
    const { sqs } = clients()
    for (const [index, body] of bodies.entries())
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          ...(queueUrl.endsWith('.fifo') ? { MessageGroupId: 'w', MessageDeduplicationId: `${body}-${index}` } : {}),
        }),
      )
  }

  test('hands over events as Lambda does', async () => {
    const events = gathered<SQSEvent>()
    poll(queues.checkUrl, async (event) => {
      events.add(event)
      return undefined
    })
    await send(queues.checkUrl, 'one')
    await events.until(({ length }) => length === 1)
    expect(events.items[0]?.Records[0]).toMatchObject({
      body: 'one',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:plumbline-checks',
      attributes: { ApproximateReceiveCount: '1' },
    })
  })

  test('keeps the order within a group, one after the other', async () => {
    const bodies = gathered<string>()
    let atOnce = 0
    let most = 0
    poll(
      queues.applyUrl,
      async ({ Records }) => {
        atOnce += 1
        most = Math.max(most, atOnce)
        // A second one that did not wait would be here within some turns of the loop.
        await turns(50)
        atOnce -= 1
        bodies.add(...Records.map(({ body }) => body))
        return undefined
      },
      1,
    )
    await send(queues.applyUrl, 'a', 'b', 'c')
    await bodies.until(({ length }) => length === 3)
    expect([bodies.items, most]).toEqual([['a', 'b', 'c'], 1])
  })

  test('deletes what was done and leaves what failed', async () => {
    const { sqs } = clients()
    const bodies = gathered<string>()
    const { failures, stop } = poll(queues.checkUrl, async ({ Records }) => {
      bodies.add(...Records.map(({ body }) => body))
      return {
        batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
          itemIdentifier: messageId,
        })),
      }
    })
    await send(queues.checkUrl, 'good', 'bad')
    await bodies.until(({ length }) => length === 2)
    await stop()
    const command = new GetQueueAttributesCommand({ QueueUrl: queues.checkUrl, AttributeNames: ['All'] })
    const { Attributes = {} } = await sqs.send(command)
    const waiting = Number(Attributes['ApproximateNumberOfMessages'])
    expect(waiting + Number(Attributes['ApproximateNumberOfMessagesNotVisible'])).toBe(1)
    expect(failures).toEqual([])
  })

  test('survives a handler that throws', async () => {
    const bodies = gathered<string>()
    const { failures } = poll(queues.checkUrl, async ({ Records }) => {
      bodies.add(...Records.map(({ body }) => body))
      if (bodies.items.length === 1) throw new Error('no')
      return undefined
    })
    await send(queues.checkUrl, 'one')
    await bodies.until(({ length }) => length === 1)
    await send(queues.checkUrl, 'two')
    await bodies.until((all) => all.includes('two'))
    expect(failures).toHaveLength(1)
  })

  test('ends only when what is under way has ended', async () => {
    const begun = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const told: string[] = []
    const poller = startPoller({
      client: clients().sqs,
      queueUrl: queues.checkUrl,
      batchSize: 1,
      region,
      failed: () => {},
      handle: async () => {
        begun.resolve()
        await letGo.promise
        told.push('ended')
        return allDone
      },
    })
    await send(queues.checkUrl, 'one')
    await begun.promise
    const stopped = poller.stop().then(() => told.push('stopped'))
    // One that did not wait would be done within some turns of the loop.
    await turns(50)
    letGo.resolve()
    await stopped
    expect(told).toEqual(['ended', 'stopped'])
  })
})

describe('the forwarder', () => {
  const receive = async () => {
    const requests = gathered<{ readonly headers: IncomingMessage['headers']; readonly body: string }>()
    let status = 200
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      requests.add({ headers: request.headers, body })
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as { port: number }
    return { url: `http://127.0.0.1:${port}/`, requests, answer: (next: number) => (status = next) }
  }

  const subscribe = async (endpoint: string, Attributes: Record<string, string>) => {
    const { sns, sqs } = clients()
    await sns.send(
      new SubscribeCommand({ TopicArn: queues.topicArn, Protocol: 'http', Endpoint: endpoint, Attributes }),
    )
    // The subscription's queue must exist before something is published.
    const fed = Promise.withResolvers<void>()
    const feed: Queues['feed'] = (...given) => {
      const url = queues.feed(...given)
      fed.resolve()
      return url
    }
    const failures = gathered<unknown>()
    const forwarder = startForwarder({ sns, sqs, queues: { ...queues, feed }, region, failed: failures.add })
    closing.push(() => forwarder.stop())
    await fed.promise
    return Object.assign(sns, { failures })
  }

  const publish = (sns: SNSClient, kind: string, message: Record<string, string>) =>
    sns.send(
      new PublishCommand({
        TopicArn: queues.topicArn,
        MessageStructure: 'json',
        Message: JSON.stringify(message),
        MessageAttributes: { kind: { DataType: 'String', StringValue: kind } },
      }),
    )

  test('delivers the body of the protocol, by the filter policy', async () => {
    const { url, requests } = await receive()
    const sns = await subscribe(url, { FilterPolicy: JSON.stringify({ kind: ['opened'] }), RawMessageDelivery: 'true' })
    await publish(sns, 'resolved', { default: 'not this' })
    await publish(sns, 'opened', { default: '{"a":1}', email: 'for people' })
    await publish(sns, 'opened', { default: '{"b":1}' })
    await requests.until((all) => ['{"a":1}', '{"b":1}'].every((wanted) => all.some(({ body }) => body === wanted)))
    expect(requests.items.map(({ body }) => body).toSorted()).toEqual(['{"a":1}', '{"b":1}'])
    expect(requests.items[0]).toMatchObject({ headers: { 'x-amz-sns-rawdelivery': 'true' } })
  })

  test('wraps it like a notification where raw delivery is off', async () => {
    const { url, requests } = await receive()
    const sns = await subscribe(url, {})
    await publish(sns, 'opened', { default: 'machine', http: 'own' })
    await requests.until(({ length }) => length > 0)
    const [first] = requests.items
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ Type: 'Notification', Message: 'own' })
    expect(first?.headers['x-amz-sns-message-type']).toBe('Notification')
  })

  test('reports a delivery that is refused, without the address, which may hold a key', async () => {
    const { url, answer } = await receive()
    answer(503)
    const sns = await subscribe(`${url}?key=hunter2`, {})
    await publish(sns, 'opened', { default: 'machine' })
    await sns.failures.until(({ length }) => length > 0)
    const [failure] = sns.failures.items
    expect(failure).toMatchObject({ code: 'ENDPOINT_FAILED', message: expect.stringContaining('503') })
    expect(String(failure)).not.toContain('hunter2')
  })
})
