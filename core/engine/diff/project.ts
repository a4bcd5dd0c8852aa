import { memberOf } from '../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { assignElements } from './matching/assign-elements.ts'
import { elementFacts, memberFacts, plainAny, rootOf } from './matching/facts.ts'
import { isKeyed } from './matching/keys.ts'
import { bothByKey } from './matching/namesakes.ts'
import { rebuildObject } from './matching/rebuild.ts'
import { satisfies } from './overlay.ts'

/** The part of a value that the configuration manages: the declared part, and everything in an exclusive collection. */
export const project = (schema: ObjectSchema, desired: JsonObject, value: JsonObject): JsonObject =>
  projectValue(rootOf(schema), desired, value) as JsonObject

const projectValue = (attribute: Attribute, desired: Json, value: Json): Json => {
  if (isMark(desired) || isMark(value)) return value
  if (isObject(desired) && isObject(value)) return projectObject(attribute, desired, value)
  if (!isArray(desired) || !isArray(value)) return value
  if (isKeyed(attribute)) return projectKeyed(attribute, desired, value)
  return attribute.type === 'set' && attribute.manage === 'declared' ? projectUnkeyed(attribute, desired, value) : value
}

const projectObject = (attribute: Attribute, desired: JsonObject, value: JsonObject): Json => {
  if (attribute.type !== 'object' && attribute.type !== 'map' && !attribute.partial) return value
  const exclusive = attribute.type === 'map' && attribute.manage !== 'declared'
  return rebuildObject(value, (inner, member) => {
    const inDesired = memberOf(desired, member)
    if (inDesired === undefined) return exclusive ? inner : undefined
    return projectValue(memberFacts(attribute, member) ?? plainAny, inDesired, inner)
  })
}

const projectKeyed = (attribute: Attribute, desired: JsonList, value: JsonList): Json => {
  const facts = elementFacts(attribute)
  const sides = bothByKey(attribute, { before: value, after: desired }, (there, element) =>
    satisfies(facts, there, element),
  )
  const { before, after: desiredByKey } = sides
  return [...before].flatMap(([key, element]) => {
    const inDesired = desiredByKey.get(key)
    if (inDesired !== undefined) return [projectElement(attribute, inDesired, element)]
    return attribute.manage === 'declared' ? [] : [element]
  })
}

/** An element without a key is another one as soon as anything of it differs. */
const projectUnkeyed = (attribute: Attribute, desired: JsonList, value: JsonList): Json => {
  const facts = elementFacts(attribute)
  const places = assignElements(attribute, desired, value, (place, element) => satisfies(facts, value[place], element))
  return value.filter((_, place) => places.includes(place))
}

const projectElement = (attribute: Attribute, desired: Json, element: Json): Json =>
  projectValue(elementFacts(attribute), desired, element)
