import { memberOf } from '../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type MaybeJson, type Path } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { applyNormalisers } from '../values/normalise/normalisers.ts'
import { globPattern } from '../values/texts/glob.ts'
import { isEqual } from './matching/canonical.ts'
import { elementFacts, holds, memberFacts } from './matching/facts.ts'
import { isKeyed, keyText } from './matching/keys.ts'
import { keepIfEqual, rebuildArray, rebuildObject } from './matching/rebuild.ts'

type Pattern = readonly (readonly [member: string, fits: (value: MaybeJson) => boolean])[]
type OwnAttribute = (name: string) => MaybeJson

/** Removes the elements of sets and maps that match an `ignore` pattern of their facts. Takes and returns canonical values. */
export const dropIgnored = (attribute: Attribute, value: Json, own: OwnAttribute): Json => {
  if (isMark(value) || !holds(attribute, 'ignore')) return value
  const isIgnored = ignoring(attribute, own)
  if (isArray(value)) {
    const kept = value.filter((element) => !isIgnored(element))
    return rebuildArray(keepIfEqual(value, kept), (element) => dropIgnored(elementFacts(attribute), element, own))
  }
  if (!isObject(value)) return value
  return rebuildObject(value, (inner, member) => {
    const facts = memberFacts(attribute, member)
    if (attribute.type === 'map' && isIgnored(inner, member)) return undefined
    return facts === undefined ? inner : dropIgnored(facts, inner, own)
  })
}

/** Where `dropIgnored` removes something. An element of a set without a key has no place: the set stands for it. */
export const ignoredPaths = (attribute: Attribute, value: Json, own: OwnAttribute): readonly Path[] => {
  if (isMark(value) || !holds(attribute, 'ignore')) return []
  const isIgnored = ignoring(attribute, own)
  const inside = (step: string | number, facts: Attribute | undefined, inner: Json): readonly Path[] =>
    facts === undefined ? [] : ignoredPaths(facts, inner, own).map((path) => [step, ...path])
  if (isArray(value))
    return value.flatMap((element, index) => {
      const step = isKeyed(attribute) ? keyText(attribute, element) : index
      if (isIgnored(element)) return [attribute.type === 'set' && step === index ? [] : [step]]
      return inside(step, elementFacts(attribute), element)
    })
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) =>
    attribute.type === 'map' && isIgnored(inner, member)
      ? [[member]]
      : inside(member, memberFacts(attribute, member), inner),
  )
}

/** Whether an element is left out, by what it is or by its key in a map. */
const ignoring = (attribute: Attribute, own: OwnAttribute): ((element: Json, key?: string) => boolean) => {
  const patterns = patternsOf(attribute, own)
  const keys = (attribute.ignoreKeys ?? []).map(globPattern)
  return (element, key) => isIgnored(element, patterns) || (key !== undefined && keys.some((is) => is(key)))
}

const isIgnored = (element: Json, patterns: readonly Pattern[]): boolean =>
  isObject(element) && patterns.some((pattern) => pattern.every(([member, fits]) => fits(element[member])))

const patternsOf = (attribute: Attribute, own: OwnAttribute): readonly Pattern[] =>
  (attribute.ignore ?? []).map((pattern) =>
    Object.entries(pattern).map(([member, value]) => {
      const facts = memberFacts(elementFacts(attribute), member)
      return [member, fitsOf(value, applyNormalisers(fillIn(value, own), facts?.normalise))]
    }),
  )

/** `*` in a text of the document is any text. Without one, a value of the resource is compared as it is. */
const fitsOf = (written: Json, filled: Json): ((value: MaybeJson) => boolean) => {
  if (typeof written !== 'string' || !written.includes('*') || typeof filled !== 'string')
    return (value) => isEqual(value, filled)
  const isIt = globPattern(filled)
  return (value) => typeof value === 'string' && isIt(value)
}

/**
 * `{name}` alone becomes the value of that attribute, and inside other text its text; an unknown name stays as written.
 */
const fillIn = (value: Json, own: OwnAttribute): Json => {
  if (typeof value !== 'string') return value
  const whole = /^\{([^{}]+)\}$/.exec(value)?.[1]
  if (whole !== undefined) return own(whole) ?? value
  return value.replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const value = own(name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : written
  })
}

export const ownAttributes =
  (schema: ObjectSchema, own: JsonObject, attributes: JsonObject): OwnAttribute =>
  (name) => {
    const value = memberOf(Object.hasOwn(own, name) ? own : attributes, name)
    return value === undefined ? undefined : applyNormalisers(value, schema.attributes[name]?.normalise)
  }
