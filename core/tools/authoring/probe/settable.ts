import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'

/** A value that was read, as a resource can declare it: without the members that the server sets, at any depth. */
export const settable = (
  { attributes, element }: Pick<AttributeEntry, 'attributes' | 'element'>,
  value: Json,
): Json => {
  const inner = (entry: AttributeEntry | undefined, each: Json): Json => (entry ? settable(entry, each) : each)
  if (isArray(value)) return value.map((each) => inner(element, each))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => attributes?.[name]?.computed !== true)
  return Object.fromEntries(members.map(([name, each]) => [name, inner(attributes?.[name] ?? element, each)]))
}
