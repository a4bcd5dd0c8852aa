import type { SQSRecord } from 'aws-lambda'
import * as z from 'zod'
import { AppError, actorShape, type Ids, type Queue, workspaceId } from '#core'
import { jsonIn } from '../json-in.ts'
import { endingWith, type Patience, usual } from './patience.ts'
import { type SqsConfig, sqsClient } from './sqs-client.ts'

/** A message of the check queue. With `actor` the check was requested; without, it was scheduled. */
export const checkMessage = z.object({
  workspace: workspaceId,
  scheduledFor: z.iso.datetime().exactOptional(),
  actor: actorShape.exactOptional(),
  refresh: z.literal(false).exactOptional(),
  undo: z.string().min(1).exactOptional(),
  lineage: z.string().exactOptional(),
  tell: z.literal(true).exactOptional(),
  part: z.object({ since: z.iso.datetime(), number: z.int().positive() }).exactOptional(),
})

/** A message of the apply queue, whose message group is the workspace. */
export const applyMessage = z.object({ workspace: workspaceId, applyId: z.string().min(1) })
export type ApplyMessage = z.infer<typeof applyMessage>

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
  readonly client?: SqsConfig
  readonly patience?: Patience
}

const refusedIn = (failed: readonly { readonly Id?: string | undefined }[] = []): readonly number[] =>
  failed.map(({ Id }) => Number(Id))

/**
 * A deduplication id would drop the message by which an apply that reached its deadline hands itself over, so each send
 * has its own; receivers accept duplicates.
 */
export const createQueue = ({ checkUrl, applyUrl, ids, client: config = {}, patience = usual }: Queues): Queue => {
  const using = sqsClient(config, patience)
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
