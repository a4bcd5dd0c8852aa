import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { compareKeys, defined, type Item, inQuery, isLive, type Page, type Query } from '#core'
import { type Attributes, fromAttributes, toAttribute } from './attributes.ts'

interface QueriedTable {
  readonly client: DynamoDBClient
  readonly tableName: string
  readonly now: Date
  readonly sending: { readonly abortSignal?: AbortSignal }
}

interface KeySpan {
  readonly low: string | undefined
  readonly high: string | undefined
}

/** The first text after all texts with this prefix; surrogates are not characters and are skipped. */
const afterPrefix = (prefix: string): string | undefined => {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0)
  const last = points.pop()
  if (last === undefined) return undefined
  if (last === 0x10ffff) return afterPrefix(String.fromCodePoint(...points))
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

const present = (values: readonly (string | undefined)[]): string[] =>
  values.filter((value): value is string => value !== undefined && value !== '').sort(compareKeys)

/** DynamoDB takes one condition on the sort key: all bounds become one span that includes both ends. */
const spanOf = ({ prefix, from, to, after, reverse }: Query): KeySpan => ({
  low: present([prefix, from, reverse === true ? undefined : after]).at(-1),
  high: present([to, afterPrefix(prefix ?? ''), reverse === true ? after : undefined])[0],
})

const conditionOf = ({ low, high }: KeySpan): string => {
  if (low !== undefined && high !== undefined) return ' AND sk BETWEEN :low AND :high'
  if (low !== undefined) return ' AND sk >= :low'
  return high === undefined ? '' : ' AND sk <= :high'
}

const commandOf = (table: QueriedTable, query: Query, start: Attributes | undefined): QueryCommand => {
  const { low, high } = spanOf(query)
  return new QueryCommand({
    TableName: table.tableName,
    ConsistentRead: true,
    ScanIndexForward: query.reverse !== true,
    KeyConditionExpression: `pk = :pk${conditionOf({ low, high })}`,
    ExpressionAttributeValues: {
      ':pk': toAttribute(query.pk),
      ...defined({
        ':low': low === undefined ? undefined : toAttribute(low),
        ':high': high === undefined ? undefined : toAttribute(high),
      }),
    },
    ...defined({ Limit: query.limit === undefined ? undefined : query.limit + 2, ExclusiveStartKey: start }),
  })
}

const cutPage = (items: readonly Item[], limit: number, more: boolean): Page => {
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page,
    ...defined({ next: last !== undefined && (more || items.length > limit) ? last.sk : undefined }),
  }
}

/**
 * Expired items, and those at an excluded end of the span, are dropped here; so pages are read until there are as many items
 * as requested, or until there is a key for `next`.
 */
export const queryTable = async (table: QueriedTable, query: Query): Promise<Page> => {
  const { low, high } = spanOf(query)
  if (low !== undefined && high !== undefined && compareKeys(low, high) > 0) return { items: [] }
  const found: Item[] = []
  let start: Attributes | undefined
  do {
    const page = await table.client.send(commandOf(table, query, start), table.sending)
    const items = (page.Items ?? []).map(fromAttributes)
    found.push(...items.filter((item) => inQuery(query, item.sk) && isLive(item, table.now)))
    start = page.LastEvaluatedKey
  } while (start !== undefined && (query.limit === undefined ? found.length === 0 : found.length <= query.limit))
  return cutPage(found, query.limit ?? found.length, start !== undefined)
}
