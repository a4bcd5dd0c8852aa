/* What a request to AWS asks for, in the words of policies. */

/** One use of a right. */
export interface Call {
  /** `dynamodb:PutItem` */
  readonly action: string
  /** ARN. */
  readonly resource: string
  /** The partitions of a table that it touches. */
  readonly leadingKeys?: readonly string[]
}

export interface AwsRequest {
  /** The access key that signed it. */
  readonly accessKey: string
  /** From the scope of the signature: `dynamodb`. */
  readonly service: string
  /** The header `x-amz-target`, empty for services that have none. */
  readonly target: string
  readonly body: string
}

const place = 'us-east-1:123456789012'

type Attributes = Readonly<Record<string, { readonly S?: string }>>

interface ItemRequest {
  readonly TableName: string
  readonly Key?: Attributes
  readonly Item?: Attributes
  readonly KeyConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Attributes
  readonly TransactItems?: readonly Readonly<Record<string, ItemRequest>>[]
}

const partitionOf = (request: ItemRequest): string | undefined => {
  const { Key, Item, KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = request
  const asked = /(\S+) = (:\w+)/.exec(KeyConditionExpression)
  const isPartition = asked !== null && (names[asked[1] ?? ''] ?? asked[1]) === 'pk'
  const queried = isPartition ? request.ExpressionAttributeValues?.[asked[2] ?? ''] : undefined
  return (Key ?? Item)?.['pk']?.S ?? queried?.S
}

/** A transaction needs the rights of its parts: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
const inTransaction: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Delete: 'DeleteItem',
  Update: 'UpdateItem',
  ConditionCheck: 'ConditionCheckItem',
}

const onTable = (operation: string, request: ItemRequest): Call => {
  const partition = partitionOf(request)
  return {
    action: `dynamodb:${operation}`,
    resource: `arn:aws:dynamodb:${place}:table/${request.TableName}`,
    ...(partition === undefined ? {} : { leadingKeys: [partition] }),
  }
}

const onTables = (operation: string, request: ItemRequest): readonly Call[] =>
  operation === 'TransactWriteItems'
    ? (request.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([kind, part]) => onTable(inTransaction[kind] ?? kind, part)),
      )
    : [onTable(operation, request)]

const nameOfQueue = (url: string): string => url.split('/').at(-1) ?? url

/** Throws for a service that no function of ours should ask. */
export const callsOf = ({ service, target, body }: AwsRequest): readonly Call[] => {
  const operation = target.split('.').at(-1) ?? ''
  if (service === 'sns') {
    const form = new URLSearchParams(body)
    return [{ action: `sns:${form.get('Action')}`, resource: form.get('TopicArn') ?? '' }]
  }
  const request = JSON.parse(body) as Readonly<Record<string, string>>
  const arns: Readonly<Record<string, () => string>> = {
    sqs: () => `arn:aws:sqs:${place}:${nameOfQueue(request['QueueUrl'] ?? '')}`,
    kms: () => request['KeyId'] ?? '',
    ssm: () => `arn:aws:ssm:${place}:parameter/${(request['Name'] ?? '').replace(/^\//, '')}`,
    secretsmanager: () => `arn:aws:secretsmanager:${place}:secret:${request['SecretId']}-a1b2c3`,
  }
  if (service === 'dynamodb') return onTables(operation, JSON.parse(body) as ItemRequest)
  const arn = arns[service]
  if (arn === undefined) throw new Error(`a function asks ${service} for ${operation}`)
  return [{ action: `${service}:${operation.replace(/Batch$/, '')}`, resource: arn() }]
}
