import type { PutItemCommandInput, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { type Condition, formatName, type Write } from '#core'
import { type Attributes, keyAttributes, marked, toAttribute, toAttributes } from './attributes.ts'

interface WriteCondition {
  readonly ConditionExpression: string
  readonly ExpressionAttributeNames: Record<string, string>
  readonly ExpressionAttributeValues: Attributes
}

/** DynamoDB deletes an expired item some time later; until then it must count as absent. */
const live = '(attribute_exists(pk) AND (attribute_not_exists(#ttl) OR #ttl > :now))'
const dead = '(attribute_not_exists(pk) OR #ttl <= :now)'

const clause = (condition: Condition, index: number): string => {
  if (condition.kind === 'absent') return dead
  if (condition.kind === 'exists') return live
  if (condition.kind === 'equals') return `(${live} AND #a${index} = :v${index})`
  return `(${dead} OR attribute_not_exists(#a${index}) OR #a${index} <= :v${index})`
}

const expressionOf = (conditions: readonly Condition[], now: Date): WriteCondition => {
  const seconds = Math.floor(now.getTime() / 1000)
  const operands = conditions.flatMap((one, index) =>
    'attribute' in one ? [{ index, name: one.attribute, value: toAttribute(one.value) }] : [],
  )
  return {
    ConditionExpression: conditions.map(clause).join(' AND '),
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(operands.map(({ index, name }) => [`#a${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':now': toAttribute(seconds),
      ...Object.fromEntries(operands.map(({ index, value }) => [`:v${index}`, value])),
    },
  }
}

export const toTransactItem = (write: Write, tableName: string, now: Date): TransactWriteItem => {
  const common = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
  if (write.kind === 'check') {
    return { ConditionCheck: { ...common, Key: keyAttributes(write.key), ...expressionOf(write.if, now) } }
  }
  const condition = write.if === undefined || write.if.length === 0 ? {} : expressionOf(write.if, now)
  return write.kind === 'put'
    ? { Put: { ...common, Item: toAttributes(write.item), ...condition } }
    : { Delete: { ...common, Key: keyAttributes(write.key), ...condition } }
}

type Put = Extract<Write, { readonly kind: 'put' }>
type ConditionalPut = Put & { readonly if: readonly Condition[] }

/** The condition of each write, about the format, holds for a repetition too, and so distinguishes nothing. */
export const isSinglePut = (write: Write | undefined): write is ConditionalPut =>
  write?.kind === 'put' && (write.if ?? []).some((one) => !('attribute' in one) || one.attribute !== formatName)

/** `mark` distinguishes the item from what any other write stored. */
export const toSinglePut = (
  { item, if: conditions }: ConditionalPut,
  tableName: string,
  now: Date,
  mark: string,
): PutItemCommandInput => ({
  TableName: tableName,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  Item: marked(toAttributes(item), mark),
  ...expressionOf(conditions, now),
})
