import { canBeKey, writtenForm } from '../../../engine/config/write-resources.ts'
import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { defaultOf, elementFacts, memberFacts, plainAny, rootOf } from '../../../engine/diff/matching/facts.ts'
import type { Attribute, ObjectSchema } from '../../../engine/schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import type { LeftOutValue } from '../../../engine/schema/reports/import-report.ts'
import { isMark, isSensitive } from '../../../engine/schema/value.ts'
import { applyNormalisers } from '../../../engine/values/normalise/normalisers.ts'

export interface WrittenSpec {
  readonly spec: JsonObject
  readonly leftOut: readonly LeftOutValue[]
}

/** Replaces a canonical value with a reference. `undefined` keeps the value. */
export type Replace = (attribute: Attribute, value: Json) => string | undefined

/** Returns the spec that makes an object desired as it is. `observed` is canonical, its sensitive values are sealed. */
export const specOf = (schema: ObjectSchema, observed: JsonObject, replace: Replace): WrittenSpec => {
  const leftOut: LeftOutValue[] = []
  const walk: SpecWalk = { replace, leave: (left) => void leftOut.push(left) }
  return { spec: membersOf(rootOf(schema), observed, [], walk), leftOut }
}

interface SpecWalk {
  readonly replace: Replace
  readonly leave: (left: LeftOutValue) => void
}

const membersOf = (attribute: Attribute, value: JsonObject, path: Path, walk: SpecWalk): JsonObject => {
  const written = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const facts = memberFacts(attribute, name) ?? plainAny
    const at = [...path, name]
    if (isServers(facts)) return []
    if (facts.sensitive || isSensitive(inner)) {
      if (inner !== null) walk.leave({ path: at, why: 'secret', required: isRequired(facts) })
      return []
    }
    if (isImplied(facts, inner)) return []
    const form = formOf(facts, inner, at, walk)
    if (form === undefined) walk.leave({ path: at, why: 'unwritable', required: isRequired(facts) })
    return form === undefined ? [] : [[name, form]]
  })
  for (const [name, facts] of Object.entries(attribute.attributes ?? {})) {
    if (!facts.writeOnly || facts.computed) continue
    const why = facts.sensitive ? 'secret' : 'write-only'
    walk.leave({ path: [...path, name], why, required: isRequired(facts) })
  }
  return Object.fromEntries(written)
}

/** The server sets this attribute, so no value can be desired. */
const isServers = ({ computed, element }: Attribute): boolean =>
  computed === true || (element !== undefined && isServers(element))

const isRequired = ({ required, default: given }: Attribute): boolean => required === true && given === undefined

const isImplied = (facts: Attribute, value: Json): boolean => {
  if (facts.identity) return false
  const implied = defaultOf(facts)
  if (implied !== undefined && isEqual(comparable(facts, value), comparable(facts, implied))) return true
  return value === null && facts.whenUndeclared !== 'default' && facts.nullable !== true
}

const comparable = ({ compareAs }: Attribute, value: Json): Json => applyNormalisers(value, compareAs)

/** `undefined` if no text means the value. */
const formOf = (facts: Attribute, value: Json, path: Path, walk: SpecWalk): Json | undefined => {
  const other = walk.replace(facts, value)
  if (other !== undefined) return other
  if (isMark(value) || facts.type === 'any' || facts.partial) return writtenForm(value)
  if (isArray(value)) {
    const elements = value.map((element, index) => formOf(elementFacts(facts, index), element, [...path, index], walk))
    return elements.every((element) => element !== undefined) ? elements : undefined
  }
  if (!isObject(value)) return writtenForm(value)
  if (facts.type === 'object') return writtenObject(membersOf(facts, value, path, walk))
  return mapOf(facts, value, path, walk)
}

/** An object that would read as a secret reference once its defaults are gone cannot be written. */
const writtenObject = (members: JsonObject): JsonObject | undefined =>
  writtenForm({ ...members }) === undefined ? undefined : members

const mapOf = (facts: Attribute, value: JsonObject, path: Path, walk: SpecWalk): JsonObject | undefined => {
  const members = Object.entries(value).map(([key, inner]): [string, Json | undefined] => [
    key,
    canBeKey(key) ? formOf(facts.element ?? plainAny, inner, [...path, key], walk) : undefined,
  ])
  const whole = members.filter((member): member is [string, Json] => member[1] !== undefined)
  return whole.length === members.length ? writtenObject(Object.fromEntries(whole)) : undefined
}
