import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeleteTableCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '../../../core/engine/schema/ports.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../../functions/adapters/dynamodb/table.ts'
import { openSqliteStore } from '../../../functions/adapters/sqlite/store.ts'
import { patient, startDynamodb } from './dynamodb-engine.ts'

export interface TestStore {
  readonly store: Store
  stop(): Promise<void>
}

export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

/** Stands still until it is told; sleeping passes at once in real time. */
export const testClock = (start = '2026-03-01T06:00:00.000Z'): TestClock => {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    monotonic: () => time,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 20))),
    after: () => () => {},
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}

export type CreateStore = (clock: Clock) => Promise<TestStore>

const memory: CreateStore = async (clock) => ({ store: memoryStore(clock), stop: async () => {} })

/**
 * On the embedded engine; on whatever AWS_ENDPOINT_URL_DYNAMODB names where that is set. The table lives as long as the test.
 * Nothing expires by itself: an engine goes by the clock of this machine, and would take away what is fresh by the test's.
 */
const dynamodb: CreateStore = async (clock) => {
  const engine = await startDynamodb(process.env['AWS_ENDPOINT_URL_DYNAMODB'])
  const client = localClient(engine.endpoint)
  const tableName = `plumbline-test-${randomUUID()}`
  await ensureTable(client, tableName)
  const owner = new DynamoDBClient(client)
  const TimeToLiveSpecification = { Enabled: false, AttributeName: 'ttl' }
  await owner.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }))
  return {
    store: dynamoStore({ client, tableName, clock, patience: patient }),
    stop: async () => {
      await owner.send(new DeleteTableCommand({ TableName: tableName })).finally(() => owner.destroy())
      await engine.stop()
    },
  }
}

const sqlite: CreateStore = async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-sqlite-'))
  const store = await openSqliteStore({ file: join(folder, 'store.sqlite'), clock })
  return {
    store,
    stop: async () => {
      store.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const stores: readonly (readonly [string, CreateStore])[] = [
  ['in memory', memory],
  ['on SQLite', sqlite],
  ['on DynamoDB', dynamodb],
]
