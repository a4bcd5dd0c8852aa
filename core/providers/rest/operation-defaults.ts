import { isRead } from './context.ts'
import type { Operation } from './document-operation.ts'
import type { RestSettings } from './document-provider.ts'

/** An operation with what the provider says for all of them; what it says itself wins. */
export const withProviderDefaults = ({ envelope, errors, reads }: RestSettings, operation: Operation): Operation => {
  const wraps = ['POST', 'PUT', 'PATCH'].includes(operation.method) && !isRead(operation)
  return {
    ...(envelope?.answer === undefined ? {} : { answer: envelope.answer }),
    ...(envelope?.body === undefined || !wraps ? {} : { body: envelope.body }),
    ...(errors === undefined ? {} : { errors }),
    ...(reads.emptyWhen === undefined ? {} : { emptyWhen: reads.emptyWhen }),
    ...operation,
  }
}
