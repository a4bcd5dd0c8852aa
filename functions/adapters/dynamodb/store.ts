import { randomUUID } from 'node:crypto'
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { type Clock, checkWrites, defined, isLive, type Store, verified, type Write, type WriteResult } from '#core'
import { endingWith, type Patience, usual, waiting } from '../patience.ts'
import { fromAttributes, keyAttributes } from './attributes.ts'
import { queryTable } from './query.ts'
import { asStoreError } from './store-error.ts'
import { toTransactItem } from './writes.ts'

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

/** Conflicts between transactions on one item are temporary; they are retried for about six seconds. */
const attempts = 12
const retried = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])
const retriedNames = new Set(['TransactionInProgressException', 'ProvisionedThroughputExceededException'])

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const reasonsOf = (error: unknown): readonly Reason[] =>
  nameOf(error) === 'TransactionCanceledException'
    ? ((error as { CancellationReasons?: readonly Reason[] }).CancellationReasons ?? [])
    : []

const mayRetry = (error: unknown): boolean =>
  retriedNames.has(nameOf(error)) || reasonsOf(error).some((reason) => retried.has(reason.Code ?? ''))

const rejection = (error: unknown, now: Date): WriteResult | undefined => {
  const reasons = reasonsOf(error)
  const index = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed')
  if (index < 0) return undefined
  const item = reasons[index]?.Item
  const found = item === undefined ? undefined : fromAttributes(item)
  return { ok: false, index, ...defined({ found: isLive(found, now) ? found : undefined }) }
}

/**
 * Every write is a transaction with a request token, also a single one: if the answer is lost, the SDK sends the
 * request again, and a plain conditional put would then fail because of its own first write.
 */
export const dynamoStore = ({
  client: options,
  tableName,
  clock,
  patience = { ...usual, attempts: 5 },
}: DynamoStoreOptions): Store => {
  const client = new DynamoDBClient({ ...waiting(patience), ...options })

  const write = async (writes: readonly Write[], signal?: AbortSignal): Promise<WriteResult> => {
    checkWrites(writes)
    const items = writes.map((one) => toTransactItem(one, tableName, clock.now()))
    const command = new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: randomUUID() })
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(command, endingWith(signal))
        return { ok: true }
      } catch (error) {
        const rejected = rejection(error, clock.now())
        if (rejected !== undefined) return rejected
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
