import type { SQSClientConfig } from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import * as z from 'zod'
import { AppError, actorShape, foreignWords, type Ids, type Queue, workspaceId } from '#core'
import { jsonIn } from './json-in.ts'
import { endingWith, type Patience, usual, waiting } from './patience.ts'

/** A message of the check queue. With `actor` the check was requested; without, it was scheduled. */
export const checkMessage = z.object({
  workspace: workspaceId,
  scheduledFor: z.iso.datetime().exactOptional(),
  actor: actorShape.exactOptional(),
  refresh: z.literal(false).exactOptional(),
  lineage: z.string().exactOptional(),
  part: z.object({ since: z.iso.datetime(), number: z.int().positive() }).exactOptional(),
})

/** A message of the apply queue, whose message group is the workspace. */
export const applyMessage = z.object({ workspace: workspaceId, applyId: z.string().min(1) })

/** Rejects any message that does not have the shape; it ends in the dead-letter queue with its alarm. */
export const readMessage = <Message>(record: SQSRecord, shape: z.ZodType<Message>): Message => {
  const body = jsonIn(record.body)
  const { data, error } = shape.safeParse(body)
  if (error === undefined) return data
  const reasons = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = body === undefined ? ['is not JSON'] : reasons
  throw new AppError('REQUEST_INVALID', { problems: problems.map((each) => `message ${record.messageId}: ${each}`) })
}

export interface Queues {
  /** Throws if this function has no such queue. */
  readonly checkUrl: () => string
  /** Ends in `.fifo`. */
  readonly applyUrl: () => string
  readonly ids: Pick<Ids, 'uuid'>
  readonly client?: Pick<SQSClientConfig, 'endpoint' | 'region' | 'credentials'>
  readonly patience?: Patience
}

/** The client loads with the first message: most invocations send none. */
const openClient = async (config: SQSClientConfig, patience: Patience) => {
  const sdk = await import('@aws-sdk/client-sqs')
  return { sdk, client: new sdk.SQSClient({ ...waiting(patience), ...config }) }
}
type SqsClient = Awaited<ReturnType<typeof openClient>>

const refusedIn = (failed: readonly { readonly Id?: string | undefined }[] = []): readonly number[] =>
  failed.map(({ Id }) => Number(Id))

/**
 * A deduplication id would drop the message by which an apply that reached its deadline hands itself over, so each send
 * has its own; receivers accept duplicates.
 */
export const createQueue = ({ checkUrl, applyUrl, ids, client: config = {}, patience = usual }: Queues): Queue => {
  let opened: Promise<SqsClient> | undefined
  const using = async <Result>(name: string, send: (opened: SqsClient) => Promise<Result>): Promise<Result> => {
    opened ??= openClient(config, patience)
    try {
      return await send(await opened)
    } catch (error) {
      throw new AppError('QUEUE_UNAVAILABLE', { queue: name, detail: foreignWords(error) }, { cause: error })
    }
  }
  return {
    checks: async (messages, signal) => {
      const QueueUrl = checkUrl()
      const Entries = messages.map((message, index) => ({ Id: String(index), MessageBody: JSON.stringify(message) }))
      const { Failed } = await using('checks', ({ sdk, client }) =>
        client.send(new sdk.SendMessageBatchCommand({ QueueUrl, Entries }), endingWith(signal)),
      )
      return refusedIn(Failed)
    },
    apply: async (message, signal) => {
      const input = {
        QueueUrl: applyUrl(),
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.workspace,
        MessageDeduplicationId: ids.uuid(),
      }
      await using('applies', ({ sdk, client }) => client.send(new sdk.SendMessageCommand(input), endingWith(signal)))
    },
  }
}
