import type { Json, JsonObject } from '../../schema/json.ts'
import { valueAt } from '../../schema/json.ts'
import type { RestResource } from './document.ts'
import type { AttributeEntry } from './document-attribute.ts'
import { fill } from './template.ts'

type Rules = readonly Readonly<Record<string, Json>>[]
type Fill = (value: Json) => Json

/** A type whose rules hold what the workspace gives under `with`: which elements and objects are never ours. */
export const withGiven = (resource: RestResource, given: JsonObject): RestResource => {
  // All other variables are for whoever knows the object.
  const put: Fill = (value) =>
    fill(value, ([first, ...rest]) => (first === 'with' ? valueAt(given, rest) : `{${[first, ...rest].join('.')}}`)) ??
    null
  const { discover, lookup, parts } = resource
  return {
    ...resource,
    ...(discover?.ignore === undefined ? {} : { discover: { ...discover, ignore: rulesWith(discover.ignore, put) } }),
    ...('where' in lookup && lookup.where !== undefined
      ? { lookup: { ...lookup, where: put(lookup.where) as JsonObject } }
      : {}),
    parts: parts.map(({ attributes, collection, ...part }) => ({
      ...part,
      ...(attributes === undefined ? {} : { attributes: entriesWith(attributes, put) }),
      ...(collection === undefined
        ? {}
        : {
            collection: {
              ...collection,
              element: entriesWith(collection.element, put),
              ...(collection.ignore === undefined ? {} : { ignore: rulesWith(collection.ignore, put) }),
            },
          }),
    })),
  }
}

const rulesWith = (rules: Rules, put: Fill): Record<string, Json>[] => rules.map((rule) => put(rule) as JsonObject)

const entriesWith = (entries: Readonly<Record<string, AttributeEntry>>, put: Fill): Record<string, AttributeEntry> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, entryWith(entry, put)]))

const entryWith = (entry: AttributeEntry, put: Fill): AttributeEntry => ({
  ...entry,
  ...(entry.ignore === undefined ? {} : { ignore: rulesWith(entry.ignore, put) }),
  ...(entry.attributes === undefined ? {} : { attributes: entriesWith(entry.attributes, put) }),
  ...(entry.element === undefined ? {} : { element: entryWith(entry.element, put) }),
})
