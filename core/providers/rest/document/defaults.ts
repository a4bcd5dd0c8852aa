import { toPointer, valueAt } from '../../../engine/json/pointer.ts'
import type { NormaliserName } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import type { RestSettings } from './api/provider.ts'
import type { AttributeEntry } from './attribute.ts'
import { allEntries } from './attributes.ts'
import { type ItemCondition, type RestResource, shownIds } from './document.ts'
import { isRead, type Operation } from './operation/operation.ts'
import { keyOf } from './references.ts'
import type { RefEntry } from './refs.ts'
import { fill, pathOf } from './shared/template.ts'

/** A type with each of its attributes changed, at any depth. */
const mapEntries = (
  resource: RestResource,
  change: (entry: AttributeEntry, isKey: boolean) => AttributeEntry,
): RestResource => {
  const deep = (entry: AttributeEntry, isKey = false): AttributeEntry => ({
    ...change(entry, isKey),
    ...defined({
      attributes: entry.attributes && each(entry.attributes),
      element: entry.element && deep(entry.element),
    }),
  })
  const each = (entries: Readonly<Record<string, AttributeEntry>>, keys: readonly string[] = []) =>
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, deep(entry, keys.includes(name))]))
  const parts = resource.parts.map(({ attributes, collection, ...part }) => ({
    ...part,
    ...defined({
      attributes: attributes && each(attributes, resource.identity.keys),
      collection: collection && { ...collection, element: each(collection.element) },
    }),
  }))
  return { ...resource, parts }
}

type Rules = readonly Readonly<Record<string, Json>>[]

/**
 * A type whose rules hold what is known of all objects before they are read, which elements and objects are never ours: what the
 * workspace gives (`with`), and who the caller is (`me`).
 */
export const withRules = (resource: RestResource, variable: 'with' | 'me', values: JsonObject): RestResource => {
  // All other variables stay: they name the object.
  const put = (rule: Readonly<Record<string, Json>>): Record<string, Json> =>
    fill(rule, ([first, ...rest]) =>
      first === variable ? valueAt(values, rest) : `{${[first, ...rest].join('.')}}`,
    ) as Record<string, Json>
  const ignoring = <Holder extends { readonly ignore?: Rules }>(holder: Holder): Holder =>
    holder.ignore === undefined ? holder : { ...holder, ignore: holder.ignore.map(put) }
  const asked = <Holder extends ItemCondition>(holder: Holder): Holder => ({
    ...holder,
    ...defined({ where: holder.where && put(holder.where), whereNot: holder.whereNot && put(holder.whereNot) }),
  })
  const { discover, lookup, parts } = mapEntries(resource, ignoring)
  return {
    ...resource,
    ...defined({ discover: discover && asked(ignoring(discover)) }),
    lookup: 'list' in lookup ? asked(lookup) : lookup,
    parts: parts.map((part) => ({ ...part, ...defined({ collection: part.collection && ignoring(part.collection) }) })),
  }
}

/** A type of an API whose answers leave out what has no value: all attributes say so that need not have one. */
export const withLeftOut = ({ reads }: RestSettings, resource: RestResource): RestResource => {
  if (reads.leftOut !== true) return resource
  const mapped = mapEntries(resource, (entry, isKey) => (isKey || entry.required ? entry : { leftOut: true, ...entry }))
  const parts = mapped.parts.map(({ collection, ...part }) => ({
    ...part,
    ...defined({ collection: collection && { leftOut: true, ...collection } }),
  }))
  return { ...mapped, parts }
}

/** An operation with what the provider says for all of them; what it says itself wins. */
export const withProviderDefaults = ({ envelope, errors, reads }: RestSettings, operation: Operation): Operation => {
  // Its pages, its failures and what encloses its objects are those of GraphQL.
  if (operation.graphql === true) return { pagination: { style: 'none' }, ...operation }
  const wraps = ['POST', 'PUT', 'PATCH'].includes(operation.method) && !isRead(operation)
  const body = wraps ? envelope?.body : undefined
  return { ...defined({ answer: envelope?.answer, body, errors, emptyWhen: reads.emptyWhen }), ...operation }
}

type Types = Readonly<Record<string, RestResource>>

/**
 * A type whose references say which attribute or id of the other type they hold, where it has one, and that compares them as that
 * attribute: what names one object in two spellings is one value.
 */
export const withReferences = (resource: RestResource, types: Types): RestResource =>
  mapEntries(resource, (entry) => {
    const { compareAs = [] } = entry
    const refersTo = referenceOf(entry, types)
    const more = spellingOf(refersTo, types).filter((each) => !compareAs.includes(each))
    return { ...entry, ...defined({ refersTo, compareAs: more.length === 0 ? undefined : [...compareAs, ...more] }) }
  })

export const referenceOf = ({ ref, refersTo }: AttributeEntry, types: Types): AttributeEntry['refersTo'] => {
  if (refersTo === undefined) return ref && impliedReference(ref, types)
  const { type, attribute } = refersTo
  const target = Object.hasOwn(types, type) ? types[type] : undefined
  return { type, ...defined({ attribute: attribute ?? (target && keyOf(target, {})) }) }
}

/** How values of the other attribute are compared; one that holds a reference itself is compared as what that one names. */
const spellingOf = (
  refersTo: AttributeEntry['refersTo'],
  types: Types,
  seen: readonly AttributeEntry[] = [],
): readonly NormaliserName[] => {
  const { type = '', attribute: name = '' } = refersTo ?? {}
  const target = Object.hasOwn(types, type) ? types[type] : undefined
  const entries = target === undefined ? {} : allEntries(target)
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry === undefined || seen.includes(entry)) return []
  const { normalise = [], compareAs = [] } = entry
  return [...new Set([...normalise, ...compareAs, ...spellingOf(referenceOf(entry, types), types, [...seen, entry])])]
}

const impliedReference = ({ type = '', emit }: RefEntry, types: Types): AttributeEntry['refersTo'] => {
  const target = Object.hasOwn(types, type) ? types[type] : undefined
  if (target === undefined) return undefined
  const attributes = mapMembers(allEntries(target), (entry, name) =>
    entry.in === 'path' || entry.select !== undefined ? undefined : (entry.path ?? name),
  )
  const places = { ...attributes, ...shownIds(target) }
  const attribute = Object.keys(places).find(
    (name) => toPointer(pathOf(places[name] ?? '')) === toPointer(pathOf(emit)),
  )
  return attribute === undefined ? undefined : { type, attribute }
}
