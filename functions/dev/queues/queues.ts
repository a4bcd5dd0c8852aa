import { randomBytes } from 'node:crypto'
import { startFauxqs } from 'fauxqs'
import { isSignedBy, whyForeign } from '../http/own-request.ts'
import { onLoopback } from './loopback.ts'

export interface QueuesClient {
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export interface Queues {
  readonly endpoint: string
  /** What lets a request in: the access key of this start. */
  readonly key: string
  /** For a client of SNS or SQS. */
  readonly client: QueuesClient
  readonly topicArn: string
  readonly checkUrl: string
  readonly applyUrl: string
  /** Receives every alert, to be shown here. */
  readonly terminalUrl: string
  /** A queue that is fed by the topic, with the filter policy and delivery of a subscription. */
  feed(name: string, attributes: Readonly<Record<string, string>>): string
  stop(): Promise<void>
}

const topic = 'plumbline-alerts'
const account = '000000000000'
/** Receives that a message may cost before it is put aside, as in the stack. */
const maxReceives = 5
/** Seconds; pollers extend it for as long as they work, so that after a crash the work is taken up again soon. */
const visibility = 30

/** SNS and SQS on this machine: topics, queues, subscriptions and messages live in `folder` and survive a crash. */
export const startQueues = async (folder: string, region: string): Promise<Queues> => {
  const key = `plumbline${randomBytes(20).toString('hex')}`
  const isSigned = isSignedBy(key)
  const server = await onLoopback(
    (request) => whyForeign(request) === undefined && isSigned(request),
    () => startFauxqs({ port: 0, dataDir: folder, logger: false, defaultRegion: region }),
  )
  const endpoint = `http://127.0.0.1:${server.port}`
  // One that exists keeps its messages; `createQueue` would put an empty one in its place.
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
    key,
    client: { endpoint, region, credentials: { accessKeyId: key, secretAccessKey: 'local' } },
    topicArn,
    checkUrl: create('plumbline-checks'),
    applyUrl: create('plumbline-applies.fifo'),
    terminalUrl: feed('plumbline-terminal', {}),
    feed,
    stop: () => server.stop(),
  }
}
