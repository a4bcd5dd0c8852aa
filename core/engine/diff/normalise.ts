import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type Path } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { answeredDigits, isLargeNumber } from '../values/large-integer.ts'
import { applyNormalisers, canonicalMembers, normalisersOf } from '../values/normalise/normalisers.ts'
import { dropIgnored, ignoredPaths, ownAttributes } from './ignore-elements.ts'
import { elementFacts, holds, memberFacts, rootOf, withDefault } from './matching/facts.ts'
import { sortSet } from './matching/keys.ts'
import { rebuildArray, rebuildObject } from './matching/rebuild.ts'

/** Where a value comes from. `recorded` is a value that was observed earlier: nothing is added to it. */
export type Origin = 'desired' | 'observed' | 'recorded'

/**
 * The canonical form of a resource's attributes; idempotent, and the same object if it is canonical already.
 * desired: computed attributes are removed, defaults are filled in if the facts say `whenUndeclared: default`, null is
 * replaced by `nullMeans`. observed: attributes that the schema does not know and write-only attributes are removed,
 * missing ones get their default. Both: normalisers are applied, sets are sorted, elements that match an ignore pattern
 * are removed. `{name}` in a pattern is a top-level attribute of `own`, or else of these attributes. Marks do not
 * change.
 */
export const normalise = (
  schema: ObjectSchema,
  attributes: JsonObject,
  side: Origin,
  own: JsonObject = attributes,
): JsonObject => {
  const root = rootOf(schema)
  const canonical = normaliseObject(root, attributes, { side, around: [] })
  if (!holds(root, 'ignore')) return canonical
  return dropIgnored(root, canonical, ownAttributes(schema, own, canonical)) as JsonObject
}

/** The elements that are declared, although an `ignore` pattern of the type leaves them out. */
export const ignoredInDesired = (schema: ObjectSchema, attributes: JsonObject): readonly Path[] => {
  const root = rootOf(schema)
  if (!holds(root, 'ignore')) return []
  const canonical = normaliseObject(root, attributes, { side: 'desired', around: [] })
  return ignoredPaths(root, canonical, ownAttributes(schema, attributes, canonical))
}

interface ValuePlace {
  readonly side: Origin
  /** The objects that contain a value, the outermost first; kept only where something inside needs them. */
  readonly around: readonly JsonObject[]
}

const normaliseValue = (attribute: Attribute, value: Json, place: ValuePlace): Json => {
  if (isMark(value) && !isLargeNumber(value)) return value
  const meant =
    value === null && place.side === 'desired' && attribute.nullMeans === 'empty' ? emptyOf(attribute) : value
  const named = applyNormalisers(meant, attribute.cases ? normalisersOf(attribute, place.around) : attribute.normalise)
  if (isLargeNumber(named)) return named
  const digits = attribute.type === 'number' ? answeredDigits(named) : undefined
  if (digits !== undefined) return { $number: digits }
  if (isArray(named)) return normaliseElements(attribute, named, place)
  return isObject(named) ? normaliseObject(attribute, named, place) : named
}

const normaliseElements = (attribute: Attribute, elements: JsonList, place: ValuePlace): Json => {
  if (attribute.type !== 'list' && attribute.type !== 'set') return elements
  const canonical = rebuildArray(elements, (element, index) =>
    normaliseValue(elementFacts(attribute, index), element, place),
  )
  return attribute.type === 'set' ? sortSet(attribute, canonical) : canonical
}

const normaliseObject = (attribute: Attribute, value: JsonObject, place: ValuePlace): JsonObject => {
  if (attribute.type !== 'object' && attribute.type !== 'map') return value
  const { side } = place
  const own = (): JsonObject => canonicalMembers(attribute.attributes ?? {}, value)
  const inside = holds(attribute, 'cases') ? { side, around: [...place.around, own()] } : place
  const kept = rebuildObject(value, (inner, member) => {
    const facts = memberFacts(attribute, member)
    // The check of the configuration reports an unknown desired attribute as a problem, so it must not be removed here.
    if (facts === undefined) return side === 'desired' ? inner : undefined
    if (side === 'desired' ? facts.computed : facts.writeOnly || facts.createOnly) return undefined
    return normaliseValue(facts, inner, inside)
  })
  const filled = attribute.type === 'object' ? defaultsFor(attribute, kept, inside) : []
  return filled.length === 0 ? kept : { ...kept, ...Object.fromEntries(filled) }
}

const defaultsFor = (
  attribute: Attribute,
  value: JsonObject,
  place: ValuePlace,
): readonly (readonly [string, Json])[] =>
  withDefault(attribute).flatMap(([member, facts]) => {
    if (Object.hasOwn(value, member) || !isFilledIn(facts, place.side)) return []
    return [[member, normaliseValue(facts, facts.default ?? null, place)] as const]
  })

const isFilledIn = (facts: Attribute, side: Origin): boolean => {
  if (side === 'desired') return facts.whenUndeclared === 'default' && !facts.computed
  return side === 'observed' && !facts.writeOnly && !facts.createOnly
}

const emptyOf = ({ type }: Attribute): Json => {
  if (type === 'string') return ''
  if (type === 'number') return 0
  if (type === 'boolean') return false
  if (type === 'object' || type === 'map') return {}
  return type === 'any' ? null : []
}
