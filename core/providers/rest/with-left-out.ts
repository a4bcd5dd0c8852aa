import type { RestResource } from './document.ts'
import type { AttributeEntry } from './document-attribute.ts'
import type { Part } from './document-part.ts'
import type { RestSettings } from './document-provider.ts'

/** A type of an API whose answers leave out what has no value: all attributes say so that need not have one. */
export const withLeftOut = ({ reads }: RestSettings, resource: RestResource): RestResource => {
  if (reads.leftOut !== true) return resource
  const { keys } = resource.identity
  return { ...resource, parts: resource.parts.map((part) => partWith(part, keys)) }
}

const partWith = (part: Part, keys: readonly string[]): Part => {
  const { attributes, collection } = part
  return {
    ...part,
    ...(attributes === undefined ? {} : { attributes: all(attributes, keys) }),
    ...(collection === undefined ? {} : { collection: { ...collection, element: all(collection.element, []) } }),
  }
}

const all = (
  entries: Readonly<Record<string, AttributeEntry>>,
  keys: readonly string[],
): Record<string, AttributeEntry> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, one(entry, keys.includes(name))]))

const one = (entry: AttributeEntry, isKey: boolean): AttributeEntry => ({
  ...(isKey || entry.required ? {} : { leftOut: true }),
  ...entry,
  ...(entry.attributes === undefined ? {} : { attributes: all(entry.attributes, []) }),
  ...(entry.element === undefined ? {} : { element: one(entry.element, false) }),
})
