import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { applyNormalisers, canonicalMembers, normalisersOf } from '../values/normalise/normalisers.ts'
import { elementFacts, holds, memberFacts, rootOf, withDefault } from './facts.ts'
import { dropIgnored, ownAttributes } from './ignore-elements.ts'
import { sortSet } from './keys.ts'
import { rebuildArray, rebuildObject } from './rebuild.ts'

/** Where a value comes from. `recorded` is an observed one of another day: nothing is filled in that was not there. */
export type Origin = 'desired' | 'observed' | 'recorded'

/**
 * The canonical form of a resource's attributes; idempotent, and the very same object where it is canonical already.
 *
 * desired: computed attributes dropped, defaults filled in where the facts say `whenUndeclared: default`, null by
 * `nullMeans`. observed: what the schema does not know and write-only attributes dropped, missing ones get their
 * default. Both: named normalisers, sets in canonical order, elements that match an ignore pattern dropped. `{name}` in a
 * pattern means a top-level attribute of `own`, else of these. Marks stay as they are.
 */
export const normalise = (
  schema: ObjectSchema,
  attributes: JsonObject,
  side: Origin,
  own: JsonObject = attributes,
): JsonObject => {
  const root = rootOf(schema)
  const canonical = normaliseObject(root, attributes, side, [])
  if (!holds(root, 'ignore')) return canonical
  return dropIgnored(root, canonical, ownAttributes(schema, own, canonical)) as JsonObject
}

/** The objects that hold a value, the outermost first; kept only where something inside asks for them. */
type EnclosingObjects = readonly JsonObject[]

const normaliseValue = (attribute: Attribute, value: Json, side: Origin, around: EnclosingObjects): Json => {
  if (isMark(value)) return value
  const meant = value === null && side === 'desired' && attribute.nullMeans === 'empty' ? emptyOf(attribute) : value
  const named = applyNormalisers(meant, attribute.cases ? normalisersOf(attribute, around) : attribute.normalise)
  if (isArray(named)) return normaliseElements(attribute, named, side, around)
  return isObject(named) ? normaliseObject(attribute, named, side, around) : named
}

const normaliseElements = (
  attribute: Attribute,
  elements: readonly Json[],
  side: Origin,
  around: EnclosingObjects,
): Json => {
  if (attribute.type !== 'list' && attribute.type !== 'set') return elements
  const canonical = rebuildArray(elements, (element, place) =>
    normaliseValue(elementFacts(attribute, place), element, side, around),
  )
  return attribute.type === 'set' ? sortSet(attribute, canonical) : canonical
}

const normaliseObject = (
  attribute: Attribute,
  value: JsonObject,
  side: Origin,
  around: EnclosingObjects,
): JsonObject => {
  if (attribute.type !== 'object' && attribute.type !== 'map') return value
  const inside = holds(attribute, 'cases') ? [...around, canonicalMembers(attribute.attributes ?? {}, value)] : around
  const kept = rebuildObject(value, (inner, member) => {
    const facts = memberFacts(attribute, member)
    // A desired attribute that nobody knows is a problem that the configuration's check reports; it must not vanish here.
    if (facts === undefined) return side === 'desired' ? inner : undefined
    if (side === 'desired' ? facts.computed : facts.writeOnly) return undefined
    return normaliseValue(facts, inner, side, inside)
  })
  const filled = attribute.type === 'object' ? defaultsFor(attribute, kept, side, inside) : []
  return filled.length === 0 ? kept : { ...kept, ...Object.fromEntries(filled) }
}

const defaultsFor = (
  attribute: Attribute,
  value: JsonObject,
  side: Origin,
  inside: EnclosingObjects,
): readonly (readonly [string, Json])[] =>
  withDefault(attribute).flatMap(([member, facts]) => {
    if (Object.hasOwn(value, member) || !isFilledIn(facts, side)) return []
    return [[member, normaliseValue(facts, facts.default ?? null, side, inside)] as const]
  })

const isFilledIn = (facts: Attribute, side: Origin): boolean => {
  if (side === 'desired') return facts.whenUndeclared === 'default' && !facts.computed
  return side === 'observed' && !facts.writeOnly
}

const emptyOf = ({ type }: Attribute): Json => {
  if (type === 'string') return ''
  if (type === 'number') return 0
  if (type === 'boolean') return false
  if (type === 'object' || type === 'map') return {}
  return type === 'any' ? null : []
}
