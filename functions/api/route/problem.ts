import { AppError, type Apply, defined, type ErrorCode, errorTable, type Failure, isAppError, isErrorCode } from '#core'
import type { Answer } from './route.ts'
import type { Problem } from './shapes.ts'

export const problemType = 'application/problem+json'

/** Codes whose details are logged and not shown to a caller. */
const internal = new Set<ErrorCode>(['INTERNAL', 'ENVIRONMENT_INVALID'])
const titleOf = (code: string): string => code.toLowerCase().replaceAll('_', ' ')
export const instanceOf = (request: string): string => `urn:plumbline:request:${request}`

const document = ({ code, message, hint }: Failure, request: string): Problem => {
  const known = isErrorCode(code) ? code : 'INTERNAL'
  const hidden = internal.has(known)
  return {
    type: `urn:plumbline:error:${known}`,
    title: titleOf(known),
    status: errorTable[known].status,
    detail: hidden ? 'the request failed by no fault of yours' : message,
    instance: instanceOf(request),
    code: known,
    hint: hidden ? `report ${instanceOf(request)}` : hint,
  }
}

const headersOf = (error: AppError): Record<string, string> => {
  if (isAppError(error, 'UNAUTHENTICATED')) return { 'www-authenticate': 'Bearer' }
  if (isAppError(error, 'SCOPE_MISSING'))
    return { 'www-authenticate': `Bearer error="insufficient_scope", scope="${error.payload.needs}"` }
  if (isAppError(error, 'METHOD_NOT_ALLOWED')) return { allow: error.payload.allowed.join(', ') }
  return error.status === 503 ? { 'retry-after': '5' } : {}
}

/** RFC 9457. An error that is not an AppError shows no details. */
export const problemOf = (error: unknown, request: string): Problem => {
  if (!(error instanceof AppError)) return document({ code: 'INTERNAL', message: '', hint: '' }, request)
  const problem = document(error, request)
  if (!isAppError(error, 'CONFIG_INVALID')) return problem
  const issues = error.payload.issues.map(({ calls, ...issue }) => ({
    ...issue,
    ...defined({ calls: calls && [...calls] }),
  }))
  return { ...problem, issues }
}

export const problemAnswer = (error: unknown, request: string): Answer => {
  const body = problemOf(error, request)
  const headers = error instanceof AppError ? headersOf(error) : {}
  return { status: body.status, headers, mediaType: problemType, body }
}

type StoppedApply = Pick<Apply, 'id' | 'results'>

export const storedProblem = (
  error: Failure,
  { apply, request, headers }: { apply: StoppedApply; request: string; headers: Readonly<Record<string, string>> },
): Answer => {
  const { id: applyId, results } = apply
  const body = { ...document(error, request), applyId, ...defined({ results }) }
  return { status: body.status, headers, mediaType: problemType, body }
}
