import { canonicalJson } from '../../json/digest.ts'
import { fromPointer, valueAt } from '../../json/pointer.ts'
import { type AnswerErrors, type BodyRule, isSuccess, type Response } from '../../schema/command.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { spellValue } from '../../values/spell-value.ts'
import { isWellFormed } from '../../values/well-formed.ts'
import { fieldErrors } from './field-errors.ts'
import { graphqlStatus, graphqlWords } from './graphql-answer.ts'

export interface Judged {
  readonly success?: readonly number[]
  readonly errors?: AnswerErrors
}

export const meantStatus = ({ success, errors }: Judged, { status, body }: Response): number => {
  const isDone = isSuccess(defined({ success }), status)
  const rule = errors?.when?.find(
    (each) => (each.status === undefined ? isDone : each.status.includes(status)) && holdsRule(each, body),
  )
  const { graphql } = errors ?? {}
  return rule?.means ?? (isDone && graphql !== undefined ? graphqlStatus(body, graphql) : undefined) ?? status
}

export const holdsRule = ({ pointer, exists, is, not }: BodyRule, body: Json): boolean => {
  const value = valueAt(body, fromPointer(pointer)) ?? null
  if (exists !== undefined && exists !== (value !== null)) return false
  if (is !== undefined && !is.some((each) => isSame(each, value))) return false
  return not === undefined || (value !== null && !not.some((each) => isSame(each, value)))
}

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

/** For display: the message and the problems of fields; `undefined` if there are none. */
export const refusalWords = (errors: AnswerErrors | undefined, body: Json): string | undefined => {
  const message = failureWords(errors, body)
  const fields = (fieldErrors(body) ?? []).filter((each) => message?.includes(each) !== true)
  return message === undefined && fields.length === 0 ? undefined : present(message, ...fields).join('; ')
}

const wordsOf = (value: Json): string => {
  const fields = isObject(value) || isArray(value) ? fieldErrors(value) : undefined
  if (fields !== undefined) return fields.join('; ')
  if (value === null) return ''
  if (isArray(value))
    return value
      .map(wordsOf)
      .filter((words) => words !== '')
      .join('; ')
  return spellValue(value)
}
