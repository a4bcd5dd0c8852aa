import type { Context, SQSBatchResponse, SQSRecord } from 'aws-lambda'
import type { Clock } from '#core'
import type { Redelivery } from '../adapters/aws/sqs-delivery.ts'
import { putOff } from './failed-message.ts'
import { createRoom } from './room.ts'

export interface SideBySide {
  readonly records: readonly SQSRecord[]
  readonly context: Pick<Context, 'memoryLimitInMB'>
  readonly delivery: Redelivery
  readonly clock: Pick<Clock, 'after'>
  /** How many resources the work has; `undefined`: not known. */
  readonly sizeOf: (record: SQSRecord) => Promise<number | undefined>
  /** Resolves with the messages that failed. */
  readonly work: (records: SQSRecord[], enter: Enter) => Promise<SQSBatchResponse>
}

/** Does work when there is room for it. Resolves with false if it did not begin: then its message is put off. */
export type Enter = (record: SQSRecord, work: () => Promise<void>) => Promise<boolean>

/** A check of 20,000 small resources takes about 650 MB: twenty for each megabyte leave a third of the memory for the rest. */
const resourcesOfMegabyte = 20

/** How long work waits inside of the invocation for room. Put off, it begins in another invocation soon after. */
const waitMs = 20_000

/** Seconds between the deliveries of messages that are put off, so that they do not meet again. */
const apartSeconds = 5

/** A message that comes again may have ended the process, and all that ran beside it. */
const comesAgain = ({ attributes }: SQSRecord): boolean => Number(attributes.ApproximateReceiveCount) > 1

const split = (records: readonly SQSRecord[]) => {
  const suspect = records.find(comesAgain)
  return suspect === undefined
    ? { now: records, later: [] }
    : { now: [suspect], later: records.filter((record) => record !== suspect) }
}

/**
 * Works on the messages of a batch at the same time, as far as their sizes fit into the memory. A message that comes again
 * is worked on alone.
 */
export const sideBySide = async (given: SideBySide): Promise<SQSBatchResponse> => {
  const { records, context, delivery, clock, work } = given
  const { now, later } = split(records)
  const putOffAll = later.map((record, place) => putOff(record, (place + 1) * apartSeconds, delivery))
  const capacity = Number(context.memoryLimitInMB) * resourcesOfMegabyte
  const sized = now.length === 1 ? now.map((record) => ({ record, size: 0 })) : await bySize(now, capacity, given)
  const sizes = new Map(sized.map(({ record, size }) => [record.messageId, size]))
  const left: SQSRecord[] = [...later]
  const room = createRoom(capacity, clock)
  const enter: Enter = async (record, begin) => {
    const leave = await room.enter(sizes.get(record.messageId) ?? capacity, waitMs)
    if (leave === undefined) {
      left.push(record)
      await putOff(record, 1, delivery)
      return false
    }
    await begin().finally(leave)
    return true
  }
  const [{ batchItemFailures }] = await Promise.all([
    work(
      sized.map(({ record }) => record),
      enter,
    ),
    ...putOffAll,
  ])
  return { batchItemFailures: [...batchItemFailures, ...left.map(({ messageId }) => ({ itemIdentifier: messageId }))] }
}

/** The smallest first, so that one that needs much room does not hold up the others. */
const bySize = async (records: readonly SQSRecord[], capacity: number, { sizeOf }: Pick<SideBySide, 'sizeOf'>) => {
  const sized = await Promise.all(records.map(async (record) => ({ record, size: (await sizeOf(record)) ?? capacity })))
  return sized.toSorted((left, right) => left.size - right.size)
}
