import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { DescribedOperation, DescribedResponse, Schema } from './description.ts'

export type SchemaLookup =
  | { readonly kind: 'found'; readonly schema: Schema }
  /** The description lists the members of `holder`, and `step` is not one of them. */
  | { readonly kind: 'missing'; readonly holder: Schema; readonly step: string }
  | { readonly kind: 'untold' }

export const lookInto = (schema: Schema, path: Path): SchemaLookup => {
  let inner = schema
  for (const step of path) {
    const next = stepInto(inner, String(step))
    if (next.kind !== 'found') return next
    inner = next.schema
  }
  return { kind: 'found', schema: inner }
}

/** Returns the schema at a place; `undefined` if the description does not define it. */
export const schemaAt = (schema: Schema | undefined, path: Path): Schema | undefined => {
  const looked = schema && lookInto(schema, path)
  return looked?.kind === 'found' ? looked.schema : undefined
}

const stepInto = (schema: Schema, step: string): SchemaLookup => {
  const own = schema.properties().get(step) ?? (/^\d+$/.test(step) ? schema.items() : undefined) ?? schema.additional()
  if (own !== undefined) return { kind: 'found', schema: own }
  return declaresMembers(schema) ? { kind: 'missing', holder: schema, step } : { kind: 'untold' }
}

/** An object without properties may contain anything. */
const declaresMembers = ({ properties, types }: Schema): boolean =>
  properties().size > 0 || (types.length > 0 && !types.includes('object'))

export const isScalar = ({ types }: Schema): boolean =>
  types.length > 0 && types.every((type) => type === 'string' || type === 'integer' || type === 'number')

/** Whether a default contradicts the one of a schema; a default of null may be what the server makes of nothing. */
export const isOtherDefault = (own: Json, described: Json): boolean =>
  !isDeep(own) && !isDeep(described) && own !== described && !(described === null && isEmpty(own))

const isDeep = (value: Json): boolean => isArray(value) || isObject(value)
const isEmpty = (value: Json): boolean => value === null || value === '' || value === false || value === 0

/** Returns the responses to a success; `default` if the description has none. `statuses`: only these. */
export const successesOf = (
  { answers }: DescribedOperation,
  statuses?: readonly number[],
): readonly DescribedResponse[] => {
  const isWanted = ({ status }: DescribedResponse): boolean =>
    status.startsWith('2') &&
    (statuses === undefined || statuses.some((one) => status === String(one) || status === '2XX'))
  const own = answers.filter(isWanted)
  return own.length > 0 ? own : answers.filter(({ status }) => status === 'default')
}

/** Returns the JSON schema of a success, of the lowest status first. */
export const answerOf = (operation: DescribedOperation, statuses?: readonly number[]): Schema | undefined =>
  successesOf(operation, statuses)
    .toSorted((left, right) => (left.status < right.status ? -1 : 1))
    .find(({ content }) => content?.isJson && content.schema !== undefined)?.content?.schema

const left = /\b(omitted|left out|absent|missing|(not|only|never) (be )?(set|present|returned|included|shown|sent))\b/i
const condition = /\b(if|when|where|unless|for)\b/i

const isDescribedOptional = ({ description = '' }: Schema): boolean =>
  description.split(/[.;\n]/).some((sentence) => left.test(sentence) && condition.test(sentence))

/**
 * Tells whether answers may omit a member. A wrong answer would remove a protection from the draft: so the member's
 * text must say it, or a schema that is used only in answers must list its required members.
 */
export const mayBeLeftOut = (
  answer: Schema | undefined,
  member: string,
  requests: readonly (Schema | undefined)[] = [],
): boolean => {
  const shown = answer?.properties().get(member)
  if (answer === undefined || shown === undefined) return false
  const isShared = requests.some(
    (one) => one !== undefined && (one.pointer === answer.pointer || isNamedAlike(one, answer)),
  )
  const isOptional = answer.required.size > 0 && !isShared && !answer.required.has(member)
  return isOptional || isDescribedOptional(shown)
}

const isNamedAlike = (one: Schema, other: Schema): boolean => one.name !== undefined && one.name === other.name
