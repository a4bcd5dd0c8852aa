import { randomBytes } from 'node:crypto'
import { startFauxqs } from 'fauxqs'
import { isSignedBy, whyForeign } from '../http/own-request.ts'
import { onLoopback } from './loopback.ts'

const topic = 'plumbline-alerts'
const account = '000000000000'
/** After so many receives a message is a dead letter, as in the stack. */
const maxReceives = 5
/** Seconds; pollers extend it while they work, so that messages are received again soon after a crash. */
const visibility = 30

/** SNS and SQS on this machine: topics, queues, subscriptions and messages live in `folder` and survive a crash. */
export const startQueues = async (folder: string, region: string) => {
  const key = `plumbline${randomBytes(20).toString('hex')}`
  const isSigned = isSignedBy(key)
  const server = await onLoopback(
    (request) => whyForeign(request) === undefined && isSigned(request),
    () => startFauxqs({ port: 0, dataDir: folder, logger: false, defaultRegion: region }),
  )
  const endpoint = `http://127.0.0.1:${server.port}`
  // An existing queue keeps its messages; `createQueue` would replace it by an empty one.
  const ensure = (name: string, attributes: Record<string, string>): string => {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { attributes })
    return `${endpoint}/${account}/${name}`
  }
  const create = (name: string): string => {
    const suffix = name.endsWith('.fifo') ? '.fifo' : ''
    const fifo: Record<string, string> = suffix === '' ? {} : { FifoQueue: 'true' }
    const dead = `${name.slice(0, name.length - suffix.length)}-dead${suffix}`
    ensure(dead, fifo)
    const redrive = { deadLetterTargetArn: `arn:aws:sqs:${region}:${account}:${dead}`, maxReceiveCount: maxReceives }
    return ensure(name, { ...fifo, VisibilityTimeout: String(visibility), RedrivePolicy: JSON.stringify(redrive) })
  }
  const { topicArn } = server.createTopic(topic)
  const feed = (name: string, attributes: Readonly<Record<string, string>>): string => {
    const url = create(name)
    server.subscribe({ topic, queue: name, attributes: { ...attributes } })
    return url
  }
  return {
    endpoint,
    /** The access key of this start: requests with another one are refused. */
    key,
    /** For a client of SNS or SQS. */
    client: { endpoint, region, credentials: { accessKeyId: key, secretAccessKey: 'local' } },
    topicArn,
    checkUrl: create('plumbline-checks'),
    applyUrl: create('plumbline-applies.fifo'),
    /** Receives every alert, to be shown here. */
    terminalUrl: feed('plumbline-terminal', {}),
    /** A queue that the topic feeds, with the filter policy and delivery of a subscription. */
    feed,
    stop: () => server.stop(),
  }
}

export type Queues = Awaited<ReturnType<typeof startQueues>>
