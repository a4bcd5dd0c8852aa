import type { SQSRecord } from 'aws-lambda'
import type * as z from 'zod'
import { AppError } from '#core'

/** What a queue holds is our own; anything else ends in the dead-letter queue for somebody to look at. */
export const readMessage = <Message>(record: SQSRecord, shape: z.ZodType<Message>): Message => {
  let body: unknown
  try {
    body = JSON.parse(record.body)
  } catch {
    throw new AppError('REQUEST_INVALID', { problems: [`message ${record.messageId}: is not JSON`] })
  }
  const parsed = shape.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('REQUEST_INVALID', {
    problems: parsed.error.issues.map(
      (issue) => `message ${record.messageId}: ${issue.path.join('.')}: ${issue.message}`,
    ),
  })
}
