import { isAppError } from '../../errors.ts'
import type { ReadResult, UnknownReason } from '../../schema/resource.ts'

type Unknown = Extract<ReadResult, { kind: 'unknown' }>

const reasons: Readonly<Record<number, UnknownReason>> = {
  401: 'unauthorised',
  403: 'forbidden',
  408: 'timeout',
  429: 'rate_limited',
}

/** What a read found when the target answered with a status that says nothing about the object. */
export const unknownFromStatus = (status: number, detail = `the answer has status ${status}`): Unknown => ({
  kind: 'unknown',
  reason: reasons[status] ?? (status >= 500 ? 'server_error' : 'unexpected_status'),
  detail,
})

/** What a read found when there was no usable answer. Throws on what is not about the target, a write in a check above all. */
export const unknownFromError = (error: unknown): Unknown => {
  if (isAppError(error, 'REQUEST_FAILED')) {
    return {
      kind: 'unknown',
      reason: error.payload.reason === 'timeout' ? 'timeout' : 'network',
      detail: error.message,
    }
  }
  if (isAppError(error, 'RESPONSE_INVALID') || isAppError(error, 'RESPONSE_TOO_LARGE')) {
    return { kind: 'unknown', reason: 'bad_body', detail: error.message }
  }
  if (isAppError(error, 'ADDRESS_REFUSED')) return { kind: 'unknown', reason: 'network', detail: error.message }
  if (isAppError(error, 'BUDGET_EXCEEDED')) return { kind: 'unknown', reason: 'budget', detail: error.message }
  if (isAppError(error, 'DEADLINE_REACHED')) return { kind: 'unknown', reason: 'deadline', detail: error.message }
  if (isAppError(error, 'HOST_SILENT')) return { kind: 'unknown', reason: error.payload.reason, detail: error.message }
  if (isAppError(error, 'SIGN_IN_FAILED')) {
    return { kind: 'unknown', reason: error.payload.reason, detail: error.message }
  }
  if (isAppError(error, 'SECRET_UNRESOLVED')) {
    const { source, detail } = error.payload
    return { kind: 'unknown', reason: 'secret', detail: `${source}, ${detail}` }
  }
  throw error
}
