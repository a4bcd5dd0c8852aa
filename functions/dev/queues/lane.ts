import { randomUUID } from 'node:crypto'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { AppError, type Queue } from '#core'
import type { Redelivery } from '../../adapters/aws/sqs-delivery.ts'
import type { Worker } from '../worker.ts'

/** Returns the messages that failed; a rejection means all of them. */
export type Handle = (event: SQSEvent) => Promise<SQSBatchResponse>

interface Message {
  readonly id: string
  /** Messages of one group are handled one after the other, in the order in which they were sent. */
  readonly group: string
  readonly body: string
  receives: number
  /** True: the message failed, and is not due again yet. */
  isResting: boolean
  /** How long it rests after its failure, as its handler said. */
  restMs?: number
  /** True: its handler will never be able to process it. */
  isGivenUp: boolean
}

interface LaneOptions {
  /** The number of messages that are handled at the same time. */
  readonly atOnce: number
  readonly handle: Handle
  readonly failed: (error: unknown) => void
}

/** A message is dropped after so many receives, as in the stack. */
export const maxReceives = 10

const asEvent = (name: string, { id, body, receives }: Message): SQSEvent => {
  const attributes = { SentTimestamp: '0', SenderId: '', ApproximateFirstReceiveTimestamp: '0' }
  const record: SQSRecord = {
    messageId: id,
    receiptHandle: id,
    body,
    attributes: { ...attributes, ApproximateReceiveCount: String(receives) },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:local:000000000000:${name}`,
    awsRegion: 'local',
  }
  return { Records: [record] }
}

/** Only the first message of each group may be handled; a failed one keeps its place, and its group waits for it. */
const nextOf = (waiting: readonly Message[], busy: ReadonlyMap<string, unknown>): Message | undefined => {
  const seen = new Set(busy.keys())
  return waiting.find(({ group, isResting }) => {
    const isFirst = !seen.has(group)
    seen.add(group)
    return isFirst && !isResting
  })
}

const isDone = async (event: SQSEvent, { handle, failed }: LaneOptions): Promise<boolean> => {
  try {
    return (await handle(event)).batchItemFailures.length === 0
  } catch (error) {
    failed(error)
    return false
  }
}

/**
 * Implements one queue in this process, for the handlers that SQS calls on AWS: a failed message is delivered again
 * when its handler said, and otherwise after `againMs`. Messages that wait when the process ends are sent again by the schedule, which finds pending checks
 * and unfinished applies in the store.
 */
export const createLane = (name: string, againMs = 30_000) => {
  const waiting: Message[] = []
  const busy = new Map<string, Promise<void>>()
  let started: LaneOptions | undefined
  const rest = (message: Message): void => {
    message.isResting = true
    const wake = (): void => {
      message.isResting = false
      look()
    }
    setTimeout(wake, message.restMs ?? againMs).unref()
  }
  const work = async (message: Message, options: LaneOptions): Promise<void> => {
    message.receives += 1
    const done = await isDone(asEvent(name, message), options)
    const isLost = message.isGivenUp || (!done && message.receives >= maxReceives)
    if (!done && !isLost) return rest(message)
    waiting.splice(waiting.indexOf(message), 1)
    const detail = `a message of the ${name} was given up after ${message.receives} tries: ${message.body}`
    if (isLost) options.failed(new AppError('INTERNAL', { detail }))
  }
  const begin = (message: Message, options: LaneOptions): void => {
    // The work starts after the group is marked as busy: a handler may send to its own group.
    const working = Promise.resolve().then(() => work(message, options))
    const ended = working.catch(options.failed).finally(() => {
      busy.delete(message.group)
      look()
    })
    busy.set(message.group, ended)
  }
  const look = (): void => {
    while (started !== undefined && busy.size < started.atOnce) {
      const message = nextOf(waiting, busy)
      if (message === undefined) return
      begin(message, started)
    }
  }
  const stop = async (): Promise<void> => {
    started = undefined
    await Promise.all(busy.values())
  }
  const start = (options: LaneOptions): Worker => {
    started = options
    look()
    return { stop }
  }
  const send = (body: string, group: string = randomUUID()): void => {
    waiting.push({ id: randomUUID(), group, body, receives: 0, isResting: false, isGivenUp: false })
    look()
  }
  const mark = async ({ messageId }: SQSRecord, marks: Partial<Message>): Promise<void> => {
    Object.assign(waiting.find(({ id }) => id === messageId) ?? {}, marks)
  }
  const delivery: Redelivery = {
    later: (record, seconds) => mark(record, { restMs: seconds * 1_000 }),
    giveUp: (record) => mark(record, { isGivenUp: true }),
  }
  return { send, start, delivery }
}

export type Lane = ReturnType<typeof createLane>

export const queueOf = (checks: Pick<Lane, 'send'>, applies: Pick<Lane, 'send'>): Queue => ({
  checks: async (messages) => {
    for (const message of messages) checks.send(JSON.stringify(message))
    return []
  },
  apply: async (message) => applies.send(JSON.stringify(message), message.workspace),
})
