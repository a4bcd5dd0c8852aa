import { unknownFromError, unknownFromStatus } from '../../command/unknown.ts'
import { isSuccess, type Request, type Response } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject, valueAt } from '../../schema/json.ts'
import type { ReadResult } from '../../schema/resource.ts'
import type { ReadDeps } from '../provider.ts'
import { buildRequest, type Context, type TypeContext } from './context.ts'
import type { Absences, Operation } from './document.ts'
import { placeOf, type Scope } from './template.ts'

export type Unknown = Extract<ReadResult, { readonly kind: 'unknown' }>

export type Answer = { readonly kind: 'answer'; readonly response: Response } | { readonly kind: 'absent' } | Unknown

/** Sends a read and says what its answer means. Of the statuses only those of `absent` say that there is nothing. */
export const ask = async (
  context: Context,
  operation: Operation,
  request: Request,
  absent: Absences,
  deps: ReadDeps,
): Promise<Answer> => {
  try {
    const response = await deps.transport.send(request, deps.signal)
    const { status } = response
    if (isSuccess(operation, status)) return { kind: 'answer', response }
    if (absent.includes(status)) return { kind: 'absent' }
    const detail = `${request.method} ${request.url} answered ${status}`
    const reason = context.settings.reads.unknown[String(status)]
    return reason === undefined ? unknownFromStatus(status, detail) : { kind: 'unknown', reason, detail }
  } catch (error) {
    return unknownFromError(error)
  }
}

/** An answer that came and is not what the document promises. */
export const badBody = (request: Request, detail: string): Unknown => ({
  kind: 'unknown',
  reason: 'bad_body',
  detail: `${request.method} ${request.url} answered ${detail}`,
})

export const kindOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** A request that cannot be built: something that names the object is not known. */
export const unresolved = (problem: { readonly variable: string; readonly detail: string }): Unknown => ({
  kind: 'unknown',
  reason: 'unresolved',
  detail: `${problem.variable} ${problem.detail}`,
})

/** The one object that an operation answers, out of its envelope; `null` in its place is none where `absent` says so. */
export const askForObject = async (
  context: TypeContext,
  op: string,
  scope: Scope,
  absent: Absences,
  deps: ReadDeps,
): Promise<{ readonly kind: 'object'; readonly object: JsonObject } | { readonly kind: 'absent' } | Unknown> => {
  const operation = context.resource.operations[op]
  if (operation === undefined) return { kind: 'unknown', reason: 'unsupported', detail: `there is no operation ${op}` }
  const built = buildRequest(context, operation, scope)
  if (!built.ok) return unresolved(built)
  const answer = await ask(context, operation, built.request, absent, deps)
  if (answer.kind !== 'answer') return answer
  const object = valueAt(answer.response.body, placeOf(operation.answer ?? ''))
  if (object === null && absent.includes(null)) return { kind: 'absent' }
  return isObject(object)
    ? { kind: 'object', object }
    : badBody(built.request, `${kindOf(object)} where an object was expected`)
}
