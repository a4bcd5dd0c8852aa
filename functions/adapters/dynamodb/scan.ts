import { DynamoDBClient, type DynamoDBClientConfig, paginateScan } from '@aws-sdk/client-dynamodb'
import type { Item } from '#core'
import { fromAttributes } from './attributes.ts'
import { asStoreError } from './store-error.ts'

/** Everything in the table, also what has expired. Throws STORE_UNAVAILABLE: what came before is not all. */
export const scanTable = async function* (
  options: DynamoDBClientConfig,
  tableName: string,
): AsyncGenerator<readonly Item[]> {
  const client = new DynamoDBClient(options)
  try {
    for await (const { Items } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true })) {
      yield (Items ?? []).map(fromAttributes)
    }
  } catch (error) {
    throw asStoreError(error)
  } finally {
    client.destroy()
  }
}
