import { isArray, isObject, type Json } from '../../schema/json.ts'
import { writtenNumber } from '../../values/large-integer.ts'
import { readSecret } from '../expressions/template.ts'
import { parseDocument } from '../syntax/parse-document.ts'

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const toNumber = (text: string): Json | undefined =>
  decimal.test(text) ? writtenNumber(text, Number(text)) : undefined

const toCollection = (text: string, fits: (value: Json) => boolean): Json | undefined => {
  const { value, issues } = parseDocument('value.yaml', text)
  return value !== undefined && issues.length === 0 && fits(value) ? value : undefined
}

/**
 * Converts a text from a command line or an environment to the declared type; `undefined` if it has no such value. A
 * text for a sensitive variable that names a source becomes a secret.
 */
export const convertText = (text: string, type: string, sensitive: boolean): Json | undefined => {
  if (type === 'number') return toNumber(text.trim())
  if (type === 'boolean') return { true: true, false: false }[text.trim()]
  if (type === 'list') return toCollection(text, isArray)
  if (type === 'map') return toCollection(text, isObject)
  return sensitive && readSecret(text) === 'source' ? { secret: text } : text.toWellFormed()
}
