import type { SendMessageCommandInput, SQSClientConfig } from '@aws-sdk/client-sqs'
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
  readonly client?: Pick<SQSClientConfig, 'endpoint' | 'region' | 'credentials'>
}

/** Loaded with the first message: most invocations send none. */
const openClient = async (config: SQSClientConfig) => {
  const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs')
  const client = new SQSClient(config)
  return (input: SendMessageCommandInput) => client.send(new SendMessageCommand(input))
}

/**
 * A deduplication id would swallow the message by which an apply that reached its deadline hands itself over, so each send
 * has its own; receivers take duplicates.
 */
export const createQueue = ({ checkUrl, applyUrl, ids, client = {} }: Queues): Queue => {
  let opened: ReturnType<typeof openClient> | undefined
  const send = async (input: SendMessageCommandInput): Promise<void> => {
    opened ??= openClient(client)
    await (await opened)(input)
  }
  return {
    check: async (message) => send({ QueueUrl: checkUrl(), MessageBody: JSON.stringify(message) }),
    apply: async (message) =>
      send({
        QueueUrl: applyUrl(),
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.workspace,
        MessageDeduplicationId: ids.uuid(),
      }),
  }
}
