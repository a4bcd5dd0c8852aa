import type { SQSRecord } from 'aws-lambda'
import type * as z from 'zod'
import { AppError } from '#core'
import { jsonIn } from '../adapters/json-in.ts'

/** A message of ours. Any other message is rejected, and ends in the dead-letter queue with its alarm. */
export const readMessage = <Message>(record: SQSRecord, shape: z.ZodType<Message>): Message => {
  const body = jsonIn(record.body)
  const { data, error } = shape.safeParse(body)
  if (error === undefined) return data
  const reasons = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = body === undefined ? ['is not JSON'] : reasons
  throw new AppError('REQUEST_INVALID', { problems: problems.map((each) => `message ${record.messageId}: ${each}`) })
}
