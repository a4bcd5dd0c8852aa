import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'

/**
 * Finds problems of fields in failures of the common forms: `{ name: ["is required"] }`, nested, within `errors`, and
 * lists of `{ field, message }`. Texts are not shortened here, because secrets are redacted later.
 */

const holders = ['errors', 'error', 'detail', 'details', 'violations', 'invalidParams', 'invalid-params'] as const
/** Names of members that are about no single field. */
const aboutAll = new Set(['', 'non_field_errors', 'nonFieldErrors', '__all__', '_schema', 'base', 'detail', 'general'])
const fieldNames = [
  'field',
  'fieldName',
  'property',
  'propertyPath',
  'pointer',
  'param',
  'attribute',
  'loc',
  'path',
  'name',
]
const textNames = ['message', 'msg', 'defaultMessage', 'detail', 'description', 'error', 'reason', 'title', 'code']

/** Deeper bodies have another form. */
const deepest = 8

/** One sentence for each text, in order; `undefined` if the body has another form. */
export const fieldErrors = (body: Json): readonly string[] | undefined => {
  const holder = isObject(body) ? holders.find((name) => isHolder(body[name])) : undefined
  const held = isObject(body) && holder !== undefined ? (body[holder] ?? null) : null
  // `error: { code, text }` is a single failure and not a list of fields.
  const inside = listed(held) ?? nested(held, [], holder === 'errors')
  const found = inside ?? listed(body) ?? nested(body, [], false)
  return found === undefined || found.length === 0 ? undefined : found
}

/** The same of a value that holds nothing but messages: `{ name: "is taken" }`. */
export const fieldMessages = (value: Json): readonly string[] | undefined => {
  const found = isObject(value) ? nested(value, [], true) : undefined
  return found?.length === 0 ? undefined : found
}

const isHolder = (value: Json | undefined): value is Json => value !== undefined && (isObject(value) || isArray(value))

/** Reads `{ field: [texts] }`. A plain text counts only in a place that contains field problems only. */
const nested = (value: Json, path: readonly string[], mayBeText: boolean): readonly string[] | undefined => {
  if (path.length > deepest) return undefined
  if (typeof value === 'string') return mayBeText && path.length > 0 ? [sentence(path, value)] : undefined
  if (isArray(value))
    return value.every((each) => typeof each === 'string') ? textsOf(value, path) : elements(value, path)
  if (!isObject(value)) return undefined
  return joined(Object.entries(value).map(([name, inner]) => nested(inner, [...path, name], mayBeText)))
}

const textsOf = (texts: readonly string[], path: readonly string[]): readonly string[] | undefined =>
  path.length === 0 ? undefined : texts.map((text) => sentence(path, text))

/** Each object of a list has the failures of one element; `{}` means none. */
const elements = (list: readonly Json[], path: readonly string[]): readonly string[] | undefined =>
  path.length === 0 || !list.every(isObject)
    ? undefined
    : joined(list.map((each, index) => nested(each, [...path, String(index)], false)))

/** Reads `[{ field, message }]`. */
const listed = (value: Json): readonly string[] | undefined =>
  isArray(value) && value.length > 0 && value.every(isObject) ? joined(value.map(entryOf)) : undefined

const entryOf = (entry: JsonObject): readonly string[] | undefined => {
  const source = entry['source']
  const holder = isObject(source) ? { ...source, ...entry } : entry
  const text = textNames.map((name) => holder[name]).find((each) => typeof each === 'string' && each !== '')
  const field = fieldNames.map((name) => pathIn(holder[name])).find((each) => each !== undefined)
  return typeof text !== 'string' || field === undefined ? undefined : [sentence(field, text)]
}

const pathIn = (value: Json | undefined): readonly string[] | undefined => {
  if (typeof value === 'string' && value !== '') return [value]
  const isPath = isArray(value) && value.length > 0 && value.every((step) => ['string', 'number'].includes(typeof step))
  return isPath ? value.map(String) : undefined
}

const joined = (parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined =>
  parts.every((part) => part !== undefined) ? parts.flat() : undefined

const sentence = (path: readonly string[], text: string): string => {
  const field = path.filter((step) => !aboutAll.has(step)).join('.')
  return field === '' ? text : `${field}: ${text}`
}
