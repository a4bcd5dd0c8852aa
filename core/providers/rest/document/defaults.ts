import { type Json, type JsonObject, valueAt } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { AttributeEntry } from './attribute.ts'
import type { RestResource } from './document.ts'
import { isRead, type Operation } from './operation.ts'
import type { Part } from './part.ts'
import type { RestSettings } from './provider.ts'
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
    ...defined({
      discover: discover?.ignore && { ...discover, ignore: rulesWith(discover.ignore, put) },
      lookup:
        'where' in lookup && lookup.where !== undefined
          ? { ...lookup, where: put(lookup.where) as JsonObject }
          : undefined,
    }),
    parts: parts.map(({ attributes, collection, ...part }) => ({
      ...part,
      ...defined({
        attributes: attributes && entriesWith(attributes, put),
        collection: collection && {
          ...collection,
          element: entriesWith(collection.element, put),
          ...defined({ ignore: collection.ignore && rulesWith(collection.ignore, put) }),
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
  ...defined({
    ignore: entry.ignore && rulesWith(entry.ignore, put),
    attributes: entry.attributes && entriesWith(entry.attributes, put),
    element: entry.element && entryWith(entry.element, put),
  }),
})

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
    ...defined({
      attributes: attributes && all(attributes, keys),
      collection: collection && { ...collection, element: all(collection.element, []) },
    }),
  }
}

const all = (
  entries: Readonly<Record<string, AttributeEntry>>,
  keys: readonly string[],
): Record<string, AttributeEntry> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, one(entry, keys.includes(name))]))

const one = (entry: AttributeEntry, isKey: boolean): AttributeEntry => ({
  ...defined({ leftOut: isKey || entry.required ? undefined : true }),
  ...entry,
  ...defined({
    attributes: entry.attributes && all(entry.attributes, []),
    element: entry.element && one(entry.element, false),
  }),
})

/** An operation with what the provider says for all of them; what it says itself wins. */
export const withProviderDefaults = ({ envelope, errors, reads }: RestSettings, operation: Operation): Operation => {
  const wraps = ['POST', 'PUT', 'PATCH'].includes(operation.method) && !isRead(operation)
  return {
    ...defined({
      answer: envelope?.answer === undefined ? undefined : envelope.answer,
      body: envelope?.body === undefined || !wraps ? undefined : envelope.body,
      errors,
      emptyWhen: reads.emptyWhen,
    }),
    ...operation,
  }
}
