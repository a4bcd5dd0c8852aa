import { memberOf } from '../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type MaybeJson } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { assignElements } from './matching/assign-elements.ts'
import { isEqual } from './matching/canonical.ts'
import { defaultOf, elementFacts, memberFacts, plainAny, rootOf } from './matching/facts.ts'
import { comparisonForm, isKeyed, sortSet } from './matching/keys.ts'
import { bothByKey } from './matching/namesakes.ts'
import { keepIfEqual, rebuildObject } from './matching/rebuild.ts'

/**
 * The value after an apply: declared parts from `desired`, everything else from `observed`. Both are normalised.
 * Returns `observed` itself if nothing would change.
 * Objects are merged by member; maps and keyed sets by `manage`, and within a kept element undeclared members stay.
 * Lists and sets without a key are replaced as a whole (a set unless `manage` leaves others alone), but an element that already
 * matches the declared one stays as observed. If two leaves are the same value (`comparisonForm`), the observed one stays.
 */
export const overlay = (schema: ObjectSchema, desired: JsonObject, observed: JsonObject): JsonObject =>
  overlayValue(rootOf(schema), desired, observed) as JsonObject

/** Whether the value already has everything that is declared. */
export const satisfies = (attribute: Attribute, value: MaybeJson, desired: Json): boolean =>
  overlayValue(attribute, desired, value) === value

const overlayValue = (attribute: Attribute, desired: Json, observed: MaybeJson): MaybeJson => {
  if (desired === observed) return observed
  if (desired === null) return isCleared(attribute, observed) ? observed : desired
  if (isMark(desired) || isMark(observed)) return isSameLeaf(attribute, desired, observed) ? observed : desired
  if (asksNothing(attribute, desired) && (observed === undefined || observed === null)) return observed
  if (isObject(desired) && (attribute.type === 'object' || attribute.partial))
    return overlayObject(attribute, desired, observed)
  if (isObject(desired) && isObject(observed) && attribute.type === 'map')
    return overlayMembers(attribute, desired, observed)
  if (isArray(desired) && isArray(observed)) {
    if (isKeyed(attribute)) return overlayKeyed(attribute, desired, observed)
    if (attribute.type === 'list' || attribute.type === 'set') return overlayElements(attribute, desired, observed)
  }
  return isSameLeaf(attribute, desired, observed) ? observed : desired
}

/** Where others are left alone, an empty map or set asks for nothing. */
const asksNothing = ({ type, manage }: Attribute, desired: Json): boolean =>
  manage === 'declared' &&
  ((type === 'map' && isObject(desired) && !isMark(desired) && Object.keys(desired).length === 0) ||
    (type === 'set' && isArray(desired) && desired.length === 0))

/** A desired null asks for null, or for the meaning of a missing value. */
const isCleared = (attribute: Attribute, observed: MaybeJson): boolean =>
  observed === undefined || observed === null || isEqual(observed, defaultOf(attribute))

const isSameLeaf = (attribute: Attribute, desired: Json, observed: MaybeJson): boolean => {
  if (observed === undefined) return false
  if (isEqual(desired, observed)) return true
  const isScalar = typeof desired !== 'object' && typeof observed !== 'object'
  if (isScalar && attribute.compareAs === undefined) return false
  return isEqual(comparisonForm(attribute, desired), comparisonForm(attribute, observed))
}

const overlayObject = (attribute: Attribute, desired: JsonObject, observed: MaybeJson): MaybeJson => {
  if (isObject(observed)) return overlayMembers(attribute, desired, observed)
  const nothing = Object.keys(overlayMembers(attribute, desired, {})).length === 0
  return nothing && (observed === undefined || observed === null) ? observed : desired
}

const overlayMembers = (attribute: Attribute, desired: JsonObject, observed: JsonObject): JsonObject => {
  const exclusive = attribute.type === 'map' && attribute.manage !== 'declared'
  const kept = rebuildObject(observed, (inner, member) => {
    const inDesired = memberOf(desired, member)
    if (inDesired === undefined) return exclusive ? undefined : inner
    return overlayValue(memberFacts(attribute, member) ?? plainAny, inDesired, inner)
  })
  const added = Object.entries(desired).flatMap(([member, inDesired]) => {
    const facts = memberFacts(attribute, member) ?? plainAny
    const inner = Object.hasOwn(observed, member) ? undefined : overlayValue(facts, inDesired, undefined)
    return inner === undefined ? [] : [[member, inner] as const]
  })
  return added.length === 0 ? kept : { ...kept, ...Object.fromEntries(added) }
}

const overlayKeyed = (attribute: Attribute, desired: JsonList, observed: JsonList): JsonList => {
  const facts = elementFacts(attribute)
  const sides = bothByKey(attribute, { before: observed, after: desired }, (value, element) =>
    satisfies(facts, value, element),
  )
  const { before: observedByKey, after: desiredByKey } = sides
  const after: Json[] = []
  for (const [key, element] of observedByKey) {
    const inDesired = desiredByKey.get(key)
    if (inDesired !== undefined) after.push(overlayValue(facts, inDesired, element) as Json)
    else if (attribute.manage === 'declared') after.push(element)
  }
  for (const [key, element] of desiredByKey) if (!observedByKey.has(key)) after.push(element)
  const same = keepIfEqual(observed, after)
  return same === observed ? observed : sortSet(attribute, same)
}

/** For elements without a key: each desired element keeps an observed one that satisfies it, if one is left. */
const overlayElements = (attribute: Attribute, desired: JsonList, observed: JsonList): JsonList => {
  if (isEqual(desired, observed)) return observed
  const facts = elementFacts(attribute)
  const places = assignElements(attribute, desired, observed, (place, element) =>
    satisfies(facts, observed[place], element),
  )
  const after = desired.map((element, index) => {
    const place = places[index]
    return place === undefined ? element : (observed[place] as Json)
  })
  const left = attribute.manage === 'declared' ? observed.filter((_, place) => !places.includes(place)) : []
  const canonical = attribute.type === 'set' ? sortSet(attribute, [...after, ...left]) : after
  return isEqual(observed, canonical) ? observed : canonical
}
