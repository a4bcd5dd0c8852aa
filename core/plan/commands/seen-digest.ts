import { holds, memberFacts, rootOf } from '../../diff/facts.ts'
import { rebuildArray, rebuildObject } from '../../diff/rebuild.ts'
import { digest } from '../../digest.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'

/** `sha256:<hex>` of normalised observed attributes without computed ones: equal as long as nobody changed the object. */
export const seenDigest = (schema: ObjectSchema, observed: JsonObject): string =>
  digest(withoutComputed(rootOf(schema), observed))

/** The value without computed parts, which only the server sets. */
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
