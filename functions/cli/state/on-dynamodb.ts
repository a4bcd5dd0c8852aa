import { AppError } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { localClient } from '../../adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../adapters/dynamodb/store.ts'
import { ensureTable } from '../../adapters/dynamodb/table.ts'
import { type OpenStore, tableName } from './open-store.ts'

export const onDynamodb = async (endpoint: string, shared: boolean): Promise<OpenStore> => {
  const client = localClient(endpoint)
  await ensureTable(client, tableName)
  return { store: dynamoStore({ client, tableName, clock: systemClock }), shared, endpoint, stop: async () => {} }
}

/**
 * Opens a table of AWS, with its credentials and its region; nothing is created there. Rejects with USAGE if there is
 * no such table.
 */
export const onTable = async (tableName: string, endpoint: string | undefined): Promise<OpenStore> => {
  const client = endpoint === undefined ? {} : localClient(endpoint)
  const store = dynamoStore({ client, tableName, clock: systemClock })
  try {
    await store.get({ pk: 'probe', sk: 'probe' })
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException')
      throw new AppError(
        'USAGE',
        {
          detail: `there is no table ${tableName} in this account and region; docs/cli-endpoint.md#a-table-on-aws shows how to make it`,
        },
        { cause: error },
      )
    throw error
  }
  return { store, shared: true, stop: async () => {} }
}
