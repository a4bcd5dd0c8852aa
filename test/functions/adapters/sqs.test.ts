import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyMessage, checkMessage, createQueue } from '../../../functions/adapters/aws/sqs.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { createIds } from '../../../functions/adapters/ids.ts'

let server: FauxqsServer

beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false, defaultRegion: 'eu-central-1' })
})
afterAll(() => server.stop())

const open = () => {
  const checks = server.createQueue('checks').queueUrl
  const applies = server.createQueue('applies.fifo', { attributes: { FifoQueue: 'true' } }).queueUrl
  const client = {
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  }
  return createQueue({ checkUrl: () => checks, applyUrl: () => applies, ids: createIds(systemClock), client })
}
const held = (name: string) => (server.inspectQueue(name)?.messages.ready ?? []).map((message) => message)

test('the message of a check names who asked, and for which time', async () => {
  const queue = open()
  const asked = {
    workspace: 'acme',
    scheduledFor: '2026-11-21T06:00:00.000Z',
    actor: { subject: 'ada', via: 'api' as const },
  }
  expect(await queue.checks([{ workspace: 'acme', scheduledFor: '2026-11-21T06:00:00.000Z' }, asked])).toEqual([])
  expect(held('checks').map(({ body }) => checkMessage.parse(JSON.parse(body)))).toEqual([
    { workspace: 'acme', scheduledFor: '2026-11-21T06:00:00.000Z' },
    asked,
  ])
})

test('an apply that hands itself over is not taken for a duplicate message', async () => {
  const queue = open()
  await queue.apply({ workspace: 'acme', applyId: 'a' })
  await queue.apply({ workspace: 'acme', applyId: 'a' })
  const messages = held('applies.fifo')
  expect(messages.map(({ body }) => applyMessage.parse(JSON.parse(body)))).toEqual([
    { workspace: 'acme', applyId: 'a' },
    { workspace: 'acme', applyId: 'a' },
  ])
  expect(messages.map((message) => message.messageGroupId)).toEqual(['acme', 'acme'])
})

test('a missing queue is reported as missing, whatever was sent', async () => {
  const queue = createQueue({
    checkUrl: () => `http://127.0.0.1:${server.port}/000000000000/nowhere`,
    applyUrl: () => `http://127.0.0.1:${server.port}/000000000000/nowhere.fifo`,
    ids: createIds(systemClock),
    client: {
      endpoint: `http://127.0.0.1:${server.port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
  })
  const unavailable = { code: 'QUEUE_UNAVAILABLE', status: 503, retryable: true }
  await expect(queue.checks([{ workspace: 'acme' }])).rejects.toMatchObject(unavailable)
  await expect(queue.apply({ workspace: 'acme', applyId: 'a' })).rejects.toMatchObject(unavailable)
})
