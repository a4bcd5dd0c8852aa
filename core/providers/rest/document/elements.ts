import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { AttributeEntry } from './attribute.ts'
import type { Collection } from './part.ts'

/* Elements of a collection are objects in operations, also where the API has plain values instead of them. */

/** The attribute that an element without members is. */
const plainMember = ({ plain, element }: Pick<Collection, 'plain' | 'element'>): string | undefined =>
  plain === true ? Object.keys(element)[0] : undefined

/** What an element is in a resource and in an answer. */
const elementEntry = (collection: Pick<Collection, 'plain' | 'element'>): AttributeEntry => {
  const member = plainMember(collection)
  const { path: _, ...plain } = (member === undefined ? undefined : collection.element[member]) ?? { type: 'any' }
  return member === undefined ? { type: 'object', attributes: collection.element } : plain
}

/** The members that distinguish an element. */
export const keyOfElements = (
  collection: Pick<Collection, 'plain' | 'element' | 'key'>,
): readonly string[] | undefined => {
  const member = plainMember(collection)
  return member === undefined ? collection.key : [member]
}

/** An element as an object; none of what is no element. */
export const asElement = (collection: Collection, value: Json): readonly JsonObject[] => {
  const member = plainMember(collection)
  if (member !== undefined) return value === null ? [] : [{ [member]: value }]
  return isObject(value) && !isMark(value) ? [value] : []
}

/** The value that an element is in the attribute. */
export const elementValue = (collection: Collection, element: JsonObject): Json => {
  const member = plainMember(collection)
  return member === undefined ? element : (element[member] ?? null)
}

/** A collection as the attribute that it is. */
export const listEntry = (collection: Pick<Collection, 'plain' | 'element' | 'key' | 'ordered'>): AttributeEntry => ({
  type: collection.ordered ? 'list' : 'set',
  ...defined({ key: collection.plain ? undefined : collection.key }),
  element: elementEntry(collection),
})
