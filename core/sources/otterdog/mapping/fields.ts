import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import { mapMembers } from '../../../engine/values/members.ts'

/** A field of the file as an attribute: its name if that is another one, and what its value becomes. */
export interface FieldMap {
  readonly from: string
  readonly to?: string
  readonly as?: (value: Json) => Json
}

/** Attributes, and where each is written. */
export interface Mapped {
  readonly spec: JsonObject
  readonly origins: Readonly<Record<string, Path>>
}

/** Texts of the file contain no references, whatever they look like. */
export const literal = (value: Json): Json => {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (isArray(value)) return value.map(literal)
  return isObject(value) ? mapMembers(value, literal) : value
}

/** Fields that have the same name and value. */
export const same = (...names: readonly string[]): readonly FieldMap[] => names.map((from) => ({ from }))

/** The attributes of the fields that are written. A field that is not written makes none, and null stays null. */
export const mapFields = (part: object, path: Path, fields: readonly FieldMap[]): Mapped => {
  const found = fields.flatMap(({ from, to = from, as = literal }) => {
    const value = Object.hasOwn(part, from) ? (part as JsonObject)[from] : undefined
    return value === undefined ? [] : [{ to, value: value === null ? null : as(value), origin: [...path, from] }]
  })
  return {
    spec: Object.fromEntries(found.map(({ to, value }) => [to, value])),
    origins: Object.fromEntries(found.map(({ to, origin }) => [to, origin])),
  }
}

/** One of several words for each word of the file; others stay. */
export const words =
  (meanings: Readonly<Record<string, string>>) =>
  (value: Json): Json =>
    typeof value === 'string' && Object.hasOwn(meanings, value) ? (meanings[value] ?? value) : literal(value)

/** Two parts of one resource. */
export const joined = (...parts: readonly Mapped[]): Mapped => ({
  spec: Object.assign({}, ...parts.map(({ spec }) => spec)) as JsonObject,
  origins: Object.assign({}, ...parts.map(({ origins }) => origins)) as Mapped['origins'],
})
