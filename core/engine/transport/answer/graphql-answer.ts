import { fromPointer, valueAt } from '../../json/pointer.ts'
import type { Request, Response } from '../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'

/**
 * Interprets answers of GraphQL servers. The status is that of the exchange only; failures are in `errors`, beside data
 * or instead of it. https://spec.graphql.org/October2021/#sec-Response
 */

/** In the order of precedence: a limit or a missing right explains the other failures. */
const statuses: readonly (readonly [types: readonly string[], status: number])[] = [
  [['RATE_LIMITED', 'RATE_LIMIT', 'THROTTLED'], 429],
  [['UNAUTHENTICATED', 'UNAUTHORIZED'], 401],
  [['FORBIDDEN', 'INSUFFICIENT_SCOPES'], 403],
  [['INTERNAL', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'LOADING'], 503],
]

/** GitHub writes the name of a failure beside the message; most other servers write it in the extensions. */
const typeOf = (error: Json): string => {
  const named = [valueAt(error, ['type']), valueAt(error, ['extensions', 'code'])].find(
    (each) => typeof each === 'string',
  )
  return String(named ?? '').toUpperCase()
}

const errorsIn = (body: Json): readonly Json[] | undefined => {
  const errors = valueAt(body, ['errors']) ?? null
  if (errors === null || (isArray(errors) && errors.length === 0)) return undefined
  return isArray(errors) ? errors : [errors]
}

/**
 * The status that the answer should have had; `undefined` for a success. Data beside a failure is no success, because
 * data that could not be read looks like data that does not exist.
 */
export const graphqlStatus = (body: Json, answer: string): number | undefined => {
  const errors = errorsIn(body)
  if (errors === undefined) return isObject(valueAt(body, ['data'])) ? undefined : 502
  const types = new Set(errors.map(typeOf))
  const worst = statuses.find(([names]) => names.some((name) => types.has(name)))
  if (worst !== undefined) return worst[1]
  return errors.every((error) => isMissing(body, error, answer)) ? 404 : 400
}

/**
 * The requested object, or a part that contains it, is not found. Other parts that are not found say nothing about it.
 */
const isMissing = (body: Json, error: Json, answer: string): boolean => {
  const path = valueAt(error, ['path'])
  if (typeOf(error) !== 'NOT_FOUND' || !isArray(path) || path.length === 0) return false
  const at = ['data', ...path.map(String)]
  const place = fromPointer(answer)
  return at.every((step, index) => step === place[index]) && (valueAt(body, at) ?? null) === null
}

export const graphqlWords = (body: Json): string | undefined => {
  const texts = (errorsIn(body) ?? []).flatMap((error) => {
    const text = valueAt(error, ['message'])
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return texts.length === 0 ? undefined : [...new Set(texts)].join('; ')
}

/** True if the answer refuses a GraphQL request because of a limit although its status does not say so. */
export const isGraphqlLimit = ({ body: asked }: Pick<Request, 'body'>, { body }: Pick<Response, 'body'>): boolean =>
  asked !== undefined && typeof valueAt(asked, ['query']) === 'string' && graphqlStatus(body, '') === 429

/**
 * The path of a list that is incomplete, or that nothing proves to be complete; `undefined` if there is none. `open`:
 * the page information of the list whose next pages are read.
 */
export const cutListIn = (value: Json, open: Path | undefined, path: Path = []): Path | undefined => {
  if (isArray(value)) return firstCut(value.entries(), open, path)
  if (!isObject(value)) return undefined
  return isCut(value, isSame(open, [...path, 'pageInfo'])) ? path : firstCut(Object.entries(value), open, path)
}

const firstCut = (
  children: Iterable<readonly [string | number, Json]>,
  open: Path | undefined,
  path: Path,
): Path | undefined => {
  for (const [step, child] of children) {
    const cut = cutListIn(child, open, [...path, step])
    if (cut !== undefined) return cut
  }
  return undefined
}

const isSame = (left: Path | undefined, right: Path): boolean =>
  left !== undefined &&
  left.length === right.length &&
  left.every((step, index) => String(step) === String(right[index]))

const isCut = (object: JsonObject, isOpen: boolean): boolean => {
  if (isOpen) return false
  const [next, previous] = ['hasNextPage', 'hasPreviousPage'].map((name) => valueAt(object, ['pageInfo', name]))
  const isList = ['nodes', 'edges'].some((name) => isArray(object[name]))
  return next === true || previous === true || (isList && next !== false)
}
