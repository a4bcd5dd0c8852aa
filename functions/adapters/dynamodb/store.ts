import { randomUUID } from 'node:crypto'
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { type Clock, checkWrites, defined, isLive, type Store, verified, type Write, type WriteResult } from '#core'
import { endingWith, type Patience, usual, waiting } from '../aws/patience.ts'
import { fromAttributes, isMarkedWith, keyAttributes } from './attributes.ts'
import { queryTable } from './query.ts'
import { asStoreError } from './store-error.ts'
import { isSinglePut, toSinglePut, toTransactItem } from './writes.ts'

export interface DynamoStoreOptions {
  readonly client: DynamoDBClientConfig
  readonly tableName: string
  readonly clock: Clock
  /** Five attempts with the usual limits when absent. */
  readonly patience?: Patience
}

interface Reason {
  readonly Code?: string | undefined
  readonly Item?: Parameters<typeof fromAttributes>[0] | undefined
}

/** Conflicts with transactions on one item are temporary; they are retried for about six seconds. */
const attempts = 12
const retried = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])
const retriedNames = new Set([
  'TransactionInProgressException',
  'TransactionConflictException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
])

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const reasonsOf = (error: unknown): readonly Reason[] => {
  const { CancellationReasons = [], Item } = error as { CancellationReasons?: readonly Reason[]; Item?: Reason['Item'] }
  if (nameOf(error) === 'ConditionalCheckFailedException') return [{ Code: 'ConditionalCheckFailed', Item }]
  return nameOf(error) === 'TransactionCanceledException' ? CancellationReasons : []
}

const mayRetry = (error: unknown): boolean =>
  retriedNames.has(nameOf(error)) || reasonsOf(error).some((reason) => retried.has(reason.Code ?? ''))

/** The result of a failed condition. It may have failed because of an earlier attempt of this write, by its `mark`. */
const resultOf = (error: unknown, now: Date, mark: string): WriteResult | undefined => {
  const reasons = reasonsOf(error)
  const index = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed')
  if (index < 0) return undefined
  const item = reasons[index]?.Item
  if (isMarkedWith(item, mark)) return { ok: true }
  const found = item === undefined ? undefined : fromAttributes(item)
  return { ok: false, index, ...defined({ found: isLive(found, now) ? found : undefined }) }
}

/**
 * If the answer of a write is lost, the SDK sends the request again. A transaction has a token for that. A single put with a
 * condition, which costs half of a transaction, has a mark in its item: if the condition fails because of its own first
 * attempt, the mark tells it. Any other single write is a transaction, because nothing would tell a repetition.
 */
export const dynamoStore = ({
  client: options,
  tableName,
  clock,
  patience = { ...usual, attempts: 5 },
}: DynamoStoreOptions): Store => {
  const client = new DynamoDBClient({ ...waiting(patience), ...options })

  const sender = (writes: readonly Write[], id: string, signal?: AbortSignal): (() => Promise<unknown>) => {
    const [first] = writes
    if (writes.length === 1 && isSinglePut(first)) {
      const put = new PutItemCommand(toSinglePut(first, tableName, clock.now(), id))
      return () => client.send(put, endingWith(signal))
    }
    const items = writes.map((one) => toTransactItem(one, tableName, clock.now()))
    const together = new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: id })
    return () => client.send(together, endingWith(signal))
  }

  const write = async (writes: readonly Write[], signal?: AbortSignal): Promise<WriteResult> => {
    checkWrites(writes)
    const id = randomUUID()
    const send = sender(writes, id, signal)
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send()
        return { ok: true }
      } catch (error) {
        const result = resultOf(error, clock.now(), id)
        if (result !== undefined) return result
        if (attempt === attempts || signal?.aborted || !mayRetry(error)) throw asStoreError(error)
        await clock.sleep(Math.random() * Math.min(1000, 25 * 2 ** attempt))
      }
    }
  }

  return verified<Store>({
    get: async (key, signal) => {
      const command = new GetItemCommand({ TableName: tableName, Key: keyAttributes(key), ConsistentRead: true })
      const { Item } = await client
        .send(command, endingWith(signal))
        .catch((error) => Promise.reject(asStoreError(error)))
      const found = Item === undefined ? undefined : fromAttributes(Item)
      return isLive(found, clock.now()) ? found : undefined
    },
    query: (query, signal) =>
      queryTable({ client, tableName, now: clock.now(), sending: endingWith(signal) }, query).catch((error) =>
        Promise.reject(asStoreError(error)),
      ),
    write,
  })
}
