import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import * as z from 'zod'
import { actorShape, type Ids, type Queue, workspaceId } from '#core'

/** Of the check queue. With `actor` somebody asked for it; without, the schedule did. */
export const checkMessage = z.object({
  workspace: workspaceId,
  scheduledFor: z.iso.datetime().exactOptional(),
  actor: actorShape.exactOptional(),
})

/** Of the apply queue, whose message group is the workspace. */
export const applyMessage = z.object({ workspace: workspaceId, apply: z.string().min(1) })

export interface Queues {
  /** Rejects where this function has no such queue. */
  readonly checkUrl: () => string
  /** Ends in `.fifo`. */
  readonly applyUrl: () => string
  readonly ids: Pick<Ids, 'uuid'>
}

/**
 * A deduplication id would swallow the message by which an apply that reached its deadline hands itself over, so each send
 * has its own; receivers take duplicates.
 */
export const createQueue = (client: SQSClient, { checkUrl, applyUrl, ids }: Queues): Queue => ({
  check: async (message) => {
    await client.send(new SendMessageCommand({ QueueUrl: checkUrl(), MessageBody: JSON.stringify(message) }))
  },
  apply: async (message) => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: applyUrl(),
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.workspace,
        MessageDeduplicationId: ids.uuid(),
      }),
    )
  },
})
