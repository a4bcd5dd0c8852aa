import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import { applyNormalisers } from '../schema/normalisers.ts'
import { isMark } from '../schema/value.ts'
import { isEqual } from './canonical.ts'
import { elementFacts, holds, memberFacts } from './facts.ts'
import { keepIfEqual, rebuildArray, rebuildObject } from './rebuild.ts'

type Pattern = Readonly<Record<string, Json>>

/** Drops the elements of sets and maps that a pattern of their facts calls never ours. Takes and gives canonical values. */
export const dropIgnored = (attribute: Attribute, value: Json, own: (name: string) => Json | undefined): Json => {
  if (isMark(value) || !holds(attribute, 'ignore')) return value
  if (isArray(value)) {
    const kept = attribute.ignore ? value.filter((element) => !isIgnored(attribute, element, own)) : value
    return rebuildArray(keepIfEqual(value, kept), (element) => dropIgnored(elementFacts(attribute), element, own))
  }
  if (!isObject(value)) return value
  return rebuildObject(value, (inner, member) => {
    const facts = memberFacts(attribute, member)
    if (attribute.type === 'map' && isIgnored(attribute, inner, own)) return undefined
    return facts === undefined ? inner : dropIgnored(facts, inner, own)
  })
}

const isIgnored = (attribute: Attribute, element: Json, own: (name: string) => Json | undefined): boolean =>
  (attribute.ignore ?? []).some((pattern) => matches(elementFacts(attribute), element, pattern, own))

/** Every member that the pattern names is equal; the pattern's texts take the canonical form of theirs. */
const matches = (facts: Attribute, element: Json, pattern: Pattern, own: (name: string) => Json | undefined): boolean =>
  isObject(element) &&
  Object.entries(pattern).every(([member, wanted]) => {
    const canonical = applyNormalisers(fillIn(wanted, own), memberFacts(facts, member)?.normalise)
    return isEqual(element[member], canonical)
  })

/** `{name}` alone becomes that attribute's value, inside other text its text; an unknown name stays as written. */
const fillIn = (wanted: Json, own: (name: string) => Json | undefined): Json => {
  if (typeof wanted !== 'string') return wanted
  const whole = /^\{([^{}]+)\}$/.exec(wanted)?.[1]
  if (whole !== undefined) return own(whole) ?? wanted
  return wanted.replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const value = own(name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : written
  })
}

/** Looks up top-level attributes in their canonical form. */
export const ownAttributes =
  (schema: ObjectSchema, attributes: JsonObject) =>
  (name: string): Json | undefined => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return value === undefined ? undefined : applyNormalisers(value, schema.attributes[name]?.normalise)
  }
