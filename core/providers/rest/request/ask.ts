import { pathText, valueAt } from '../../../engine/json/pointer.ts'
import type { ReadDeps } from '../../../engine/provider/provider.ts'
import { isSuccess, type Request, type Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import { answerType, isAbsence, namesStatus } from '../../../engine/transport/answer/absence.ts'
import { longestWords, meantStatus, refusalWords, usualWords } from '../../../engine/transport/answer/answer-errors.ts'
import { cutListIn } from '../../../engine/transport/answer/graphql-answer.ts'
import { unknownFromError, unknownFromStatus } from '../../../engine/transport/answer/unknown.ts'
import { quotaWords } from '../../../engine/transport/words.ts'
import { defined } from '../../../engine/values/defined.ts'
import { afterMarks } from '../../../engine/values/marks/marks.ts'
import { urlParts } from '../../../engine/values/url.ts'
import { allEntries, entriesIn } from '../document/attributes.ts'
import { type Operation, tellsExistence } from '../document/operation/operation.ts'
import { onePage } from '../document/operation/pages.ts'
import type { Absences } from '../document/shared/answers.ts'
import { fill, missingIn, pathOf, type Scope } from '../document/shared/template.ts'
import { lacks } from '../document/shared/words.ts'
import {
  type BuiltRequest,
  buildRequest,
  operationOf,
  type ReadContext,
  type RestContext,
  type TypeContext,
} from './context.ts'
import { permissionIn, permissionText } from './permission.ts'
import { isWholeStatus, lackInAnswer, successRule } from './whole-answer.ts'
import { answered, answers } from './words.ts'

export type AskResult =
  | { readonly kind: 'answer'; readonly response: Response }
  | { readonly kind: 'absent'; readonly status: number }
  | UnknownResult

/** Without a type it is unknown which attributes are secret, so all of them may be. */
type AskContext = RestContext & ReadDeps & Partial<Pick<TypeContext, 'resource'>>

/** A request of an operation that reads. */
export interface Read {
  readonly operation: Operation
  readonly request: Request
  /** The answers that mean absent. */
  readonly absent: Absences
  /** It is one page of a list. */
  readonly paged?: boolean
  /** Its items are looked at one by one, and some may have lists that are cut off. */
  readonly mayBeCut?: boolean
  /** It is about no object, so a failure of it quotes no secret of one. */
  readonly isQuoted?: boolean
}

/**
 * Sends a read and says what its answer means. Only the answers in `absent` mean that the object is absent, and only a
 * complete answer means that it exists.
 */
export const ask = async (context: AskContext, read: Read): Promise<AskResult> => {
  const { operation, request, absent, paged = false, isQuoted = !holdsSecrets(context) } = read
  try {
    const response = await context.transport.send(request, context.signal)
    const { limited } = response
    if (limited !== undefined) {
      const detail = answered(request, quotaWords.refused(response.status, limited.seconds))
      return { kind: 'unknown', reason: 'rate_limited', detail }
    }
    const rule = successRule(operation)
    const status = meantStatus(rule, response)
    const isWhole = [status, response.status].every((each) => isWholeStatus(operation, each, paged))
    if (isSuccess(operation, status) && isWhole) return wholeAnswer(context, read, response)
    if (isAbsence(absencesOf(operation, absent), request, response, status)) return { kind: 'absent', status }
    if (namesStatus(absent, status))
      return badBody(request, answers.foreignAbsence(response.status, answerType(request, response)))
    const said = isQuoted ? (refusalWords(rule.errors, response.body) ?? usualWords(response.body)) : undefined
    const isPart = isSuccess(operation, status)
    const detail = answered(request, answers.status(response.status, status, isPart, said?.slice(0, longestWords)))
    const reason = { ...context.settings.reads.unknown, ...operation.unknown }[String(status)]
    const unknown =
      reason === undefined ? unknownFromStatus(status, detail) : { kind: 'unknown' as const, reason, detail }
    return withPermission(context, read, hiddenIf(context, status, unknown), response)
  } catch (error) {
    return unknownFromError(error)
  }
}

/** A list that is cut off inside of an answer is not believed: what it lacks would look as if it were not there. */
const wholeAnswer = (
  { settings }: AskContext,
  { operation, request, paged, mayBeCut }: Read,
  response: Response,
): AskResult => {
  if (operation.graphql !== true || mayBeCut === true) return { kind: 'answer', response }
  const { pagination = settings.pagination ?? onePage } = operation
  const more = paged === true && pagination.style === 'cursor' ? pagination.more : undefined
  const open = typeof more === 'string' ? pathOf(more).slice(0, -1) : undefined
  const cut = cutListIn(response.body, open)
  return cut === undefined ? { kind: 'answer', response } : badBody(request, answers.cutList(pathText(cut)))
}

/** An API that hides objects answers 404 for what the caller may not see. */
const hiddenIf = ({ settings }: AskContext, status: number, unknown: UnknownResult): UnknownResult =>
  status === 404 && settings.sight !== undefined && unknown.reason === 'unexpected_status'
    ? { ...unknown, reason: 'out_of_sight' }
    : unknown

/** Names the permission that a refused read needs. */
const withPermission = (context: AskContext, { operation }: Read, unknown: UnknownResult, response: Response) => {
  if (!isRefusal(unknown)) return unknown
  const stated = permissionText(operation.permissions ?? context.resource?.permissions?.read)
  const permission = (holdsSecrets(context) ? undefined : permissionIn(operation, response)) ?? stated
  return permission === undefined
    ? unknown
    : { ...unknown, detail: answers.needs(unknown.detail, permission), permission }
}

/** The caller lacks a right: another read may be allowed. */
export const isRefusal = ({ reason }: UnknownResult): boolean => reason === 'forbidden' || reason === 'out_of_sight'

/** If a success has no body, an absent answer has none either. */
export const absencesOf = (operation: Operation | undefined, absent: Absences): Absences =>
  operation === undefined || !tellsExistence(operation)
    ? absent
    : absent.map((each) => (typeof each === 'number' ? { status: each, type: ['json', 'none'] } : each))

/** A failure may quote a secret of the object, and a secret that was never read cannot be redacted. */
const holdsSecrets = ({ resource }: AskContext): boolean =>
  resource === undefined ||
  Object.values(allEntries(resource))
    .flatMap(entriesIn)
    .some(({ sensitive, writeOnly }) => sensitive || writeOnly)

type BuiltRead = { readonly ok: true; readonly request: Request } | Extract<BuiltRequest, { readonly ok: false }>

/** A read that can be sent now: all its values are known. */
export const buildRead = (...given: Parameters<typeof plannedRead>): BuiltRead => {
  const built = plannedRead(...given)
  if (!built.ok) return built
  const { url, ...request } = built.request
  const [open] = afterMarks([...urlParts(url), request.body ?? null])
  if (typeof url === 'string' && open === undefined)
    return { ok: true, request: { ...request, url, ...defined({ conditional: conditionOf(given[0], given[1]) }) } }
  return { ok: false, variable: `${open?.$after} ${open?.pointer}`, detail: lacks.notYet }
}

/** Without a type it is unknown which attributes are secret. */
const conditionOf = (
  { settings, resource }: RestContext & Partial<Pick<TypeContext, 'resource'>>,
  { method, conditional = settings.reads.conditional ?? 'none' }: Operation,
): Request['conditional'] => {
  if (conditional === 'none' || method !== 'GET' || resource === undefined) return undefined
  const entries = Object.values(allEntries(resource)).flatMap(entriesIn)
  return entries.some(({ sensitive, writeOnly }) => sensitive && !writeOnly) ? undefined : conditional
}

/** The request of a read; its body, where it has one, is the operation's own. */
export const plannedRead = (
  context: RestContext,
  operation: Operation,
  scope: Scope,
  query: Readonly<Record<string, Json>> = {},
): BuiltRequest => {
  const { body: template, method } = operation
  const hasBody = template !== undefined && template !== 'none' && method !== 'GET' && method !== 'HEAD'
  const variable = hasBody ? missingIn(template, scope) : undefined
  if (variable !== undefined) return { ok: false, variable, detail: lacks.noValue }
  const body = hasBody ? fill(template, scope, operation.escape) : undefined
  return buildRequest(context, operation, scope, { query, ...defined({ body }) })
}

/** An answer that does not match the document. */
export const badBody = (request: Request, detail: string): UnknownResult => ({
  kind: 'unknown',
  reason: 'bad_body',
  detail: answered(request, detail),
})

/** A request that cannot be built, because a value that identifies the object is unknown. */
export const unresolved = (problem: { readonly variable: string; readonly detail: string }): UnknownResult => ({
  kind: 'unknown',
  reason: 'unresolved',
  detail: `${problem.variable} ${problem.detail}`,
})

/** An object that was answered alone, with its answer. */
export type ObjectAnswer =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly response: Response }
  | { readonly kind: 'absent'; readonly status?: number }
  | UnknownResult

/** The single object in an answer, without its envelope; `null` means absent if `absent` says so. */
export const objectIn = ({ operation, request, absent }: Read, response: Response): ObjectAnswer => {
  const object = valueAt(response.body, pathOf(operation.answer ?? ''))
  if (object === null && absent.includes(null)) return { kind: 'absent' }
  if (isObject(object)) return { kind: 'object', object, response }
  return badBody(request, answers.otherKind(object, 'an object'))
}

/** An error page of a proxy does not show that the object exists. */
const existing = (request: Request, response: Response): ObjectAnswer => {
  const type = answerType(request, response)
  return type === 'json' || type === 'none'
    ? { kind: 'object', object: {}, response }
    : badBody(request, answers.statusOnly(type))
}

/** The single object that an operation of its type answers: complete, and with the requested ids. */
export const askForObject = async (
  context: ReadContext,
  op: string,
  scope: Scope,
  unlessSaid: Absences,
  { existence }: Pick<Operation, 'existence'> = {},
): Promise<ObjectAnswer> => {
  const operation = { ...operationOf(context, op), ...defined({ existence }) }
  const built = buildRead(context, operation, scope)
  if (!built.ok) return unresolved(built)
  const { request } = built
  const read = { operation, request, absent: operation.absent ?? unlessSaid }
  const shown = await context.bulk?.(context, op, scope)
  if (shown !== undefined) return objectIn(read, shown.response)
  const answer = await ask(context, read)
  if (answer.kind !== 'answer') return answer
  if (tellsExistence(operation)) return existing(request, answer.response)
  const found = objectIn(read, answer.response)
  const lack = found.kind === 'object' ? lackInAnswer(context.resource, op, found.object, scope) : undefined
  return lack === undefined ? found : badBody(request, answers.lacking(lack))
}
