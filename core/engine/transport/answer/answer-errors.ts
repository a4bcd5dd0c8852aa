import { canonicalJson } from '../../json/canonical.ts'
import { fromPointer, valueAt } from '../../json/pointer.ts'
import { type AnswerErrors, type BodyRule, isSuccess, type Response } from '../../schema/command.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { spellValue } from '../../values/spell-value.ts'
import { isWellFormed } from '../../values/well-formed.ts'
import { fieldErrors, fieldMessages } from './field-errors.ts'
import { graphqlStatus, graphqlWords } from './graphql-answer.ts'

export interface Judged {
  readonly success?: readonly number[]
  readonly errors?: AnswerErrors
}

export const meantStatus = ({ success, errors }: Judged, { status, body }: Response): number => {
  const isDone = isSuccess(defined({ success }), status)
  const rule = errors?.when?.find(
    (each) =>
      (each.status === undefined ? isDone : each.status.includes(status)) &&
      [each, ...(each.and ?? [])].every((one) => holdsFailure(one, body)),
  )
  const { graphql } = errors ?? {}
  return rule?.means ?? (isDone && graphql !== undefined ? graphqlStatus(body, graphql) : undefined) ?? status
}

/** Decides about a success: it never holds by the absence of a value. */
export const holdsRule = (rule: BodyRule, body: Json): boolean =>
  holdsFailure(rule, body) && (rule.not === undefined || valueIn(rule, body) !== null)

const valueIn = ({ pointer }: BodyRule, body: Json): Json => valueAt(body, fromPointer(pointer)) ?? null

/** Decides about a failure: a missing value is none of the values under `not`. */
const holdsFailure = (rule: BodyRule, body: Json): boolean => {
  const { exists, is, has, not = [] } = rule
  const value = valueIn(rule, body)
  if (exists !== undefined && exists !== (value !== null)) return false
  if (is !== undefined && !is.some((each) => isSame(each, value))) return false
  if (has !== undefined && !containsOne(value, has)) return false
  return !not.some((each) => isSame(each, value))
}

const containsOne = (value: Json, parts: readonly string[]): boolean =>
  typeof value === 'string' && parts.some((part) => value.toLowerCase().includes(part.toLowerCase()))

/** A value that has no text form equals nothing. */
export const isSame = (wanted: Json, found: Json): boolean =>
  isWellFormed(found) && canonicalJson(wanted) === canonicalJson(found)

export const failureWords = (errors: AnswerErrors | undefined, body: Json): string | undefined => {
  for (const pointer of errors?.message ?? []) {
    const words = wordsOf(valueAt(body, fromPointer(pointer)) ?? null)
    if (words !== '') return words
  }
  return errors?.graphql === undefined ? undefined : graphqlWords(body)
}

/** The most characters of a failure's body that are passed on; the text for people is cut again after redaction. */
export const longestWords = 50_000

/** For display: the message and the problems of fields; `undefined` if there are none. */
export const refusalWords = (errors: AnswerErrors | undefined, body: Json): string | undefined => {
  const message = failureWords(errors, body)
  const fields = (fieldErrors(body) ?? []).filter((each) => message?.includes(each) !== true)
  return message === undefined && fields.length === 0 ? undefined : present(message, ...fields).join('; ')
}

/** Where servers explain a refusal, if no document says where. */
const usual = { message: ['/error_description', '/message', '/detail', '/error/message', '/error', '/title'] }

export const usualWords = (body: Json): string | undefined => refusalWords(usual, body)

/** The document says that a message is here, so texts of an object are messages too: `{ name: "is taken" }`. */
const wordsOf = (value: Json): string => {
  const fields = isObject(value) || isArray(value) ? (fieldErrors(value) ?? fieldMessages(value)) : undefined
  if (fields !== undefined) return fields.join('; ')
  if (value === null) return ''
  if (isArray(value))
    return value
      .map(wordsOf)
      .filter((words) => words !== '')
      .join('; ')
  return spellValue(value)
}
