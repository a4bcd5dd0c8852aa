import { join } from 'node:path'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { root } from '../../../infra/bundle.ts'
import { apiEvent, type EventParts } from '../../builders/aws/api-event.ts'
import { type Call, callsOf } from './calls.ts'
import type { Cloud, Description } from './cloud.ts'
import { accessKeyOf, type RunningFunction, runFunction } from './lambda.ts'
import { allowing, rightsOf, type Statement, usedBy } from './policy.ts'

/* The deployed functions, each in a process, with what AWS does between them: queues that call functions, and rights that are judged. */

export const functionNames = ['schedule', 'check', 'apply', 'api', 'watch'] as const
type FunctionName = (typeof functionNames)[number]

interface ApiAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Deployment {
  /** As EventBridge calls it. */
  tick(name: 'schedule' | 'watch'): Promise<void>
  /** Hands everything that waits to the functions of its queues. Answers how many messages there were. */
  work(): Promise<number>
  /** Hands each waiting message over once. A message that its function gives back, or dies with, stays in its queue. */
  attempt(): Promise<{ readonly done: number; readonly failed: number }>
  /** Ends the process of a function; the next event gets a new one. */
  kill(name: FunctionName): Promise<void>
  /**
   * Lets the time pass after which the queue of a function delivers the messages of a killed one again. Answers its
   * seconds, which nobody waits for here.
   */
  passVisibility(name: FunctionName): Promise<number>
  /** A message that nobody of ours has sent, to the queue of a function. */
  poison(name: FunctionName, body: string): Promise<void>
  deadLetters(name: FunctionName): Promise<readonly { readonly body?: string; readonly code?: string }[]>
  /** The settings by which another stack uses the table and the keys of this one. */
  stored(): Promise<Readonly<Record<string, unknown>>>
  /** The API function itself, with an event of API Gateway. */
  call(event: unknown): Promise<unknown>
  /** Through the API function. Rejects with the answer of a request that was refused. */
  ask(method: string, path: string, parts?: EventParts): Promise<ApiAnswer>
  /** The alerts that a subscribed queue has received since the last call. */
  alerts(): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** `source`: as configurations write it, `ssm:/plumbline/acme/token`. */
  putSecret(source: string, value: string): Promise<void>
  /** From now on everything that is asked of this service is refused, as in an outage; of none when absent. */
  fail(service?: string): void
  /** What a function asked for without the right to do so. */
  readonly denied: readonly string[]
  /** By function: rights that its role has and that no call has used. */
  unused(): Readonly<Record<FunctionName, readonly string[]>>
  /** By function: rights that calls have used. */
  used(): Readonly<Record<FunctionName, readonly string[]>>
  log(name: FunctionName): string
  stop(): Promise<void>
}

interface Served {
  readonly running: RunningFunction
  readonly statements: readonly Statement[]
  readonly used: Set<string>
}

/**
 * What a caller needs besides, to use something that is encrypted with a key of the account:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
const withKeys = (call: Call, key: string): readonly Call[] =>
  /^(dynamodb|sqs|sns):/.test(call.action)
    ? [call, ...['kms:Decrypt', 'kms:GenerateDataKey'].map((action) => ({ action, resource: key }))]
    : [call]

const judgeWith =
  (served: ReadonlyMap<string, Served>, key: string, denied: string[]): Parameters<Cloud['endpoint']['judgeBy']>[0] =>
  (request) => {
    const caller = served.get(request.accessKey)
    if (caller === undefined) return undefined
    for (const call of callsOf(request).flatMap((each) => withKeys(each, key))) {
      const statements = allowing(caller.statements, call)
      if (statements.length === 0) {
        const reason = `${request.accessKey} may not ${call.action} ${call.resource} ${call.leadingKeys?.join() ?? ''}`
        denied.push(reason)
        return reason
      }
      for (const statement of statements) for (const right of usedBy(statement, call)) caller.used.add(right)
    }
    return undefined
  }

const asEvent = (message: Message, queue: string): SQSEvent => ({
  Records: [
    {
      messageId: message.MessageId ?? '',
      receiptHandle: message.ReceiptHandle ?? '',
      body: message.Body ?? '',
      attributes: message.Attributes as unknown as SQSEvent['Records'][0]['attributes'],
      messageAttributes: {},
      md5OfBody: message.MD5OfBody ?? '',
      eventSource: 'aws:sqs',
      eventSourceARN: queue,
      awsRegion: 'us-east-1',
    },
  ],
})

/** `code`: where the bundles are that were deployed; those of the last synthesis when absent. */
export const runDeployment = async (cloud: Cloud, code = join(root, 'dist', 'functions')): Promise<Deployment> => {
  const made: Description = await cloud.describe()
  const { url } = cloud.endpoint
  const client = { endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'admin', secretAccessKey: 'admin' } }
  const [sqs, sns] = [new SQSClient(client), new SNSClient(client)]
  const [ssm, secrets] = [new SSMClient(client), new SecretsManagerClient(client)]
  const denied: string[] = []
  const served = new Map<string, Served>()
  const named = new Map<FunctionName, Served>()
  for (const deployed of made.functions) {
    const name = deployed.Handler.split('.')[0] as FunctionName
    const statements = made.roles[deployed.Role.split('/').at(-1) ?? ''] ?? []
    const running = runFunction(deployed, join(code, name), url)
    named.set(name, { running, statements, used: new Set() })
    served.set(accessKeyOf(deployed), named.get(name) as Served)
  }
  const key = made.queues.find(({ KmsMasterKeyId }) => KmsMasterKeyId !== undefined)?.KmsMasterKeyId ?? ''
  let failing: string | undefined
  const judge = judgeWith(served, key, denied)
  cloud.endpoint.judgeBy((request) => {
    const isOurs = served.has(request.accessKey)
    return isOurs && request.service === failing ? 'the service is out of order' : judge(request)
  })
  const invoke = (name: FunctionName, event: unknown): Promise<unknown> => {
    const running = named.get(name)?.running
    return running === undefined ? Promise.reject(new Error(`${name} is not deployed`)) : running.invoke(event)
  }

  const topic = made.topics.find(({ TopicArn }) => TopicArn.includes('Alerts'))?.TopicArn
  const { QueueUrl: inbox } = await sqs.send(new CreateQueueCommand({ QueueName: 'subscriber' }))
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: inbox, AttributeNames: ['QueueArn'] }),
  )
  const Endpoint = Attributes?.['QueueArn']
  await sns.send(
    new SubscribeCommand({ TopicArn: topic, Protocol: 'sqs', Endpoint, Attributes: { RawMessageDelivery: 'true' } }),
  )

  const receive = async (QueueUrl: string | undefined): Promise<readonly Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
    return (await sqs.send(command)).Messages ?? []
  }
  const remove = (QueueUrl: string | undefined, { ReceiptHandle }: Message) =>
    sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))

  type Mapping = Description['mappings'][0]
  const queueOf = (mapping: Mapping) => made.queues.find(({ QueueArn }) => QueueArn === mapping.EventSourceArn)
  const nameOf = (mapping: Mapping) =>
    made.functions.find(({ FunctionArn }) => FunctionArn === mapping.FunctionArn)?.Handler.split('.')[0] as FunctionName
  /** Received, and neither processed nor given back. */
  const held = new Map<string, Message>()
  const deliver = async (mapping: Mapping, message: Message): Promise<boolean> => {
    const { ReceiptHandle = '' } = message
    held.set(ReceiptHandle, message)
    const answer = (await invoke(nameOf(mapping), asEvent(message, mapping.EventSourceArn)).catch(() => undefined)) as
      | SQSBatchResponse
      | undefined
    if (answer === undefined) return false
    held.delete(ReceiptHandle)
    if (answer.batchItemFailures.length > 0) return false
    await remove(queueOf(mapping)?.QueueUrl, message)
    return true
  }
  const attempt = async (mapping: Mapping) => {
    const messages = await receive(queueOf(mapping)?.QueueUrl)
    const ended: boolean[] = []
    for (const message of messages) ended.push(await deliver(mapping, message))
    return { done: ended.filter(Boolean).length, failed: ended.filter((done) => !done).length }
  }
  const handOver = async (mapping: Mapping): Promise<number> => {
    const { done, failed } = await attempt(mapping)
    const name = nameOf(mapping)
    if (failed > 0) throw new Error(`${name} gave a message back:\n${named.get(name)?.running.log()}`)
    return done
  }
  const byFunction = (list: (each: Served) => readonly string[]) =>
    Object.fromEntries(
      functionNames.map((name) => [name, list(named.get(name) as Served).toSorted()]),
    ) as unknown as Record<FunctionName, readonly string[]>
  return {
    denied,
    tick: async (name) => {
      await invoke(
        name,
        name === 'schedule' ? {} : { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} },
      )
    },
    work: async () => {
      let handled = 0
      for (;;) {
        const counts = await Promise.all(made.mappings.map(handOver))
        const now = counts.reduce((sum, each) => sum + each, 0)
        if (now === 0) return handled
        handled += now
      }
    },
    attempt: async () => {
      const all = await Promise.all(made.mappings.map(attempt))
      const sum = (of: (each: (typeof all)[0]) => number) => all.reduce((total, each) => total + of(each), 0)
      return { done: sum(({ done }) => done), failed: sum(({ failed }) => failed) }
    },
    kill: async (name) => named.get(name)?.running.kill(),
    passVisibility: async (name) => {
      const mapping = made.mappings.find((each) => nameOf(each) === name)
      const queue = mapping && queueOf(mapping)
      for (const ReceiptHandle of held.keys())
        await sqs.send(
          new ChangeMessageVisibilityCommand({ QueueUrl: queue?.QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
        )
      held.clear()
      return Number(queue?.VisibilityTimeout)
    },
    poison: async (name, MessageBody) => {
      const mapping = made.mappings.find((each) => nameOf(each) === name)
      await sqs.send(new SendMessageCommand({ QueueUrl: mapping && queueOf(mapping)?.QueueUrl, MessageBody }))
    },
    deadLetters: async (name) => {
      const mapping = made.mappings.find((each) => nameOf(each) === name)
      const { deadLetterTargetArn } = JSON.parse((mapping && queueOf(mapping)?.RedrivePolicy) ?? '{}')
      const dead = made.queues.find(({ QueueArn }) => QueueArn === deadLetterTargetArn)
      return (await receive(dead?.QueueUrl)).map(({ Body, MessageAttributes }) => ({
        body: Body ?? '',
        code: MessageAttributes?.['code']?.StringValue ?? '',
      }))
    },
    stored: async () => {
      const [table] = made.tables
      const environment = made.functions.find(({ Handler }) => Handler === 'check.handler')?.Environment.Variables ?? {}
      const arn = key.startsWith('arn:') ? key : `arn:aws:kms:us-east-1:123456789012:key/${key}`
      return { table: { name: table?.TableName, key: arn }, sealKey: environment['SEAL_KEY_ID'] }
    },
    call: (event) => invoke('api', event),
    ask: async (method, path, parts = {}) => {
      const [pathname = '', query] = path.split('?')
      const answer = (await invoke(
        'api',
        apiEvent(method, pathname, { ...parts, ...(query === undefined ? {} : { query }) }),
      )) as {
        readonly statusCode: number
        readonly body: string
      }
      if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.body}`)
      return { status: answer.statusCode, body: JSON.parse(answer.body || '{}') as ApiAnswer['body'] }
    },
    alerts: async () => {
      const messages = await receive(inbox)
      await Promise.all(messages.map((message) => remove(inbox, message)))
      return messages.map(({ Body = '{}' }) => JSON.parse(Body) as Readonly<Record<string, unknown>>)
    },
    putSecret: async (source, value) => {
      const [kind = '', name = ''] = source.split(':')
      if (kind === 'ssm') await ssm.send(new PutParameterCommand({ Name: name, Value: value, Type: 'SecureString' }))
      else await secrets.send(new CreateSecretCommand({ Name: name, SecretString: value }))
    },
    fail: (service) => {
      failing = service
    },
    unused: () =>
      byFunction(({ statements, used }) =>
        [...new Set(statements.flatMap(rightsOf))].filter((right) => !used.has(right)),
      ),
    used: () => byFunction(({ used }) => [...used]),
    log: (name) => named.get(name)?.running.log() ?? '',
    stop: async () => {
      await Promise.all([...named.values()].map(({ running }) => running.stop()))
      for (const each of [sqs, sns, ssm, secrets]) each.destroy()
    },
  }
}
