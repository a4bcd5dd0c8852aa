import { AppError, type Store } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { localClient } from '../../adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../adapters/dynamodb/store.ts'
import { ensureTable } from '../../adapters/dynamodb/table.ts'
import { openSqliteStore } from '../../adapters/sqlite/store.ts'
import type { Host } from '../process/host.ts'
import { readDev } from './dev-record.ts'
import type { StateFolder } from './state-folder.ts'

/** The table of a DynamoDB that the environment names. */
export const tableName = 'plumbline'

interface WantedStore {
  readonly state: StateFolder
  /** A table that exists, instead of everything else. */
  readonly table?: string | undefined
  readonly variables: Host['variables']
}

export interface OpenStore {
  readonly store: Store
  /** Whether other machines may use it too: the environment names it. */
  readonly shared: boolean
  /** The DynamoDB that holds it; absent for the file of this machine. */
  readonly endpoint?: string
  stop(): Promise<void>
}

const onDynamodb = async (endpoint: string, shared: boolean): Promise<OpenStore> => {
  const client = localClient(endpoint)
  await ensureTable(client, tableName)
  return { store: dynamoStore({ client, tableName, clock: systemClock }), shared, endpoint, stop: async () => {} }
}

/** A table of AWS, by its credentials and its region; nothing is created there. Rejects with USAGE where there is no such table. */
const onTable = async (tableName: string, endpoint: string | undefined): Promise<OpenStore> => {
  const client = endpoint === undefined ? {} : localClient(endpoint)
  const store = dynamoStore({ client, tableName, clock: systemClock })
  try {
    await store.get({ pk: 'probe', sk: 'probe' })
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException')
      throw new AppError(
        'USAGE',
        { detail: `there is no table ${tableName} in this account and region; docs/cli.md shows how to make it` },
        { cause: error },
      )
    throw error
  }
  return { store, shared: true, stop: async () => {} }
}

const onFile = async (state: StateFolder): Promise<OpenStore> => {
  const store = await openSqliteStore({ file: state.storeFile, clock: systemClock })
  return { store, shared: false, stop: async () => store.close() }
}

/**
 * The store that the environment names, the DynamoDB of a running dev, or the file of this machine, which every process opens
 * by itself.
 */
export const openStore = async ({ state, table, variables }: WantedStore): Promise<OpenStore> => {
  const named = variables['AWS_ENDPOINT_URL_DYNAMODB'] || undefined
  if (table !== undefined) return onTable(table, named)
  if (named !== undefined) return onDynamodb(named, true)
  const dev = await readDev(state)
  return dev?.store === undefined ? onFile(state) : onDynamodb(dev.store, dev.shared)
}
