import { type AppError, asAppError, type ErrorCode, isAppError } from '../../errors/errors.ts'
import type { UnknownReason, UnknownResult } from '../../schema/resource.ts'
import { answerStatus } from '../words.ts'

const reasons: Readonly<Record<number, UnknownReason>> = {
  401: 'unauthorised',
  402: 'not_offered',
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
 * The result of a read without a usable answer, whatever was thrown: one fault never costs the findings about all others. Throws
 * only what ends the whole run.
 */
export const unknownFromError = (cause: unknown): UnknownResult => {
  const error = asAppError(cause)
  if (error.code === 'INTERRUPTED') throw error
  const { source, detail } = isAppError(error, 'SECRET_UNRESOLVED') ? error.payload : {}
  const said = source === undefined ? error.message : `${source}, ${detail}`
  return { kind: 'unknown', reason: reasonOfError(error), detail: said }
}

const reasonOfError = (error: AppError): UnknownReason =>
  knownReason(error) ?? (error.fault === 'ours' ? 'provider_fault' : 'network')

/** `undefined` for an error that is not about the target. */
export const knownReason = (error: AppError): UnknownReason | undefined => reasonsByCode[error.code] ?? reasonIn(error)

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
  PROVIDER_PACKAGE_FAILED: 'provider_fault',
  WRITE_IN_CHECK: 'provider_fault',
  URL_REFUSED: 'unsupported',
}

const reasonIn = (error: AppError): UnknownReason | undefined => {
  if (isAppError(error, 'REQUEST_FAILED')) return error.payload.reason === 'timeout' ? 'timeout' : 'network'
  return isAppError(error, 'HOST_SILENT') || isAppError(error, 'SIGN_IN_FAILED') ? error.payload.reason : undefined
}
