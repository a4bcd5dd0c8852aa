import { holds, memberFacts, rootOf } from '../../diff/matching/facts.ts'
import { rebuildArray, rebuildObject } from '../../diff/matching/rebuild.ts'
import { digest } from '../../json/digest.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'
import { present } from '../../values/defined.ts'
import { pick } from '../../values/members.ts'

/**
 * `sha256:<hex>` of what people can change in normalised observed attributes: equal as long as nobody changed the
 * object.
 */
export const seenDigest = (schema: ObjectSchema, observed: JsonObject): string => digest(changeable(schema, observed))

/** Removes computed parts, except witnesses: only these show that a value that cannot be read was changed. */
export const changeable = (schema: ObjectSchema, observed: JsonObject): JsonObject => {
  const witnesses = Object.values(schema.attributes).flatMap(({ witness }) => present(witness))
  return { ...(withoutComputed(rootOf(schema), observed) as JsonObject), ...pick(observed, witnesses) }
}

export const withoutComputed = (attribute: Attribute, value: Json): Json => {
  if (isMark(value) || !holds(attribute, 'computed')) return value
  if (isArray(value)) {
    const { element } = attribute
    return element === undefined ? value : rebuildArray(value, (inner) => withoutComputed(element, inner))
  }
  if (!isObject(value)) return value
  return rebuildObject(value, (inner, member) => {
    const facts = memberFacts(attribute, member)
    if (facts === undefined) return inner
    return facts.computed ? undefined : withoutComputed(facts, inner)
  })
}
