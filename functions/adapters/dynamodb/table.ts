import {
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { type Patience, usual, waiting } from '../aws/patience.ts'
import { asStoreError } from './store-error.ts'

const createTable = (client: DynamoDBClient, tableName: string) =>
  client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  )

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name

/**
 * Creates the table if it does not exist yet: for one machine and for tests. On AWS the stack creates it. Throws
 * STORE_FULL or STORE_UNAVAILABLE.
 */
export const ensureTable = async (
  options: DynamoDBClientConfig,
  tableName: string,
  patience: Patience = usual,
): Promise<void> => {
  const client = new DynamoDBClient({ ...waiting(patience), ...options })
  try {
    await createTable(client, tableName)
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: tableName })
    const specification = { Enabled: true, AttributeName: 'ttl' }
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: specification }))
  } catch (error) {
    if (!isNamed(error, 'ResourceInUseException')) throw asStoreError(error)
  } finally {
    client.destroy()
  }
}
