import { type AppError, type ErrorCode, isAppError } from '../../errors/errors.ts'
import type { UnknownReason, UnknownResult } from '../../schema/resource.ts'
import { answerStatus } from '../words.ts'

const reasons: Readonly<Record<number, UnknownReason>> = {
  401: 'unauthorised',
  403: 'forbidden',
  408: 'timeout',
  429: 'rate_limited',
}

export const unknownFromStatus = (status: number, detail = answerStatus(status)): UnknownResult => ({
  kind: 'unknown',
  reason: reasons[status] ?? (status >= 500 ? 'server_error' : 'unexpected_status'),
  detail,
})

/**
 * The result of a read without a usable answer. Throws errors that are not about the target, such as a write in a
 * check.
 */
export const unknownFromError = (error: unknown): UnknownResult => {
  const reason = isAppError(error) ? reasonOfError(error) : undefined
  if (reason === undefined || !isAppError(error)) throw error
  const { source, detail } = isAppError(error, 'SECRET_UNRESOLVED') ? error.payload : {}
  return { kind: 'unknown', reason, detail: source === undefined ? error.message : `${source}, ${detail}` }
}

/** `undefined` for an error that is not about the target. */
export const reasonOfError = (error: AppError): UnknownReason | undefined =>
  reasonsByCode[error.code] ?? reasonIn(error)

const reasonsByCode: { readonly [Code in ErrorCode]?: UnknownReason } = {
  RESPONSE_INVALID: 'bad_body',
  RESPONSE_TOO_LARGE: 'bad_body',
  ADDRESS_REFUSED: 'network',
  EXEC_UNAVAILABLE: 'network',
  BUDGET_EXCEEDED: 'budget',
  LIMIT_REACHED: 'budget',
  DEADLINE_REACHED: 'deadline',
  SECRET_UNRESOLVED: 'secret',
  NOT_REFRESHED: 'unresolved',
  PROVIDER_PACKAGE_FAILED: 'unsupported',
  URL_REFUSED: 'unsupported',
}

const reasonIn = (error: AppError): UnknownReason | undefined => {
  if (isAppError(error, 'REQUEST_FAILED')) return error.payload.reason === 'timeout' ? 'timeout' : 'network'
  return isAppError(error, 'HOST_SILENT') || isAppError(error, 'SIGN_IN_FAILED') ? error.payload.reason : undefined
}
