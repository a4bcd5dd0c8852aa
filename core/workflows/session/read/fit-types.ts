import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import { isAfter, isMark } from '../../../schema/value.ts'
import { fitScalar } from '../../../values/scalars.ts'

/** Values from references, as the types spell them; marks take the type along. Literals were checked before. */
export const fitTypes = ({ attributes }: ObjectSchema, values: JsonObject): JsonObject => fitMembers(attributes, values)

const fitMembers = (facts: Readonly<Record<string, Attribute>> | undefined, values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fitValue(facts?.[name], value)]))

const fitValue = (attribute: Attribute | undefined, value: Json): Json => {
  if (attribute === undefined) return value
  const { type, element } = attribute
  if (isAfter(value)) {
    return type === 'string' || type === 'number' || type === 'boolean' ? { ...value, as: type } : value
  }
  if (isMark(value)) return value
  if (isArray(value)) return value.map((each) => fitValue(element, each))
  if (!isObject(value)) return fitScalar(value, type)
  if (type === 'object') return fitMembers(attribute.attributes, value)
  return type === 'map'
    ? Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, fitValue(element, inner)]))
    : value
}
