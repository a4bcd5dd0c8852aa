import { valueAt } from '../../../json/pointer.ts'
import type { ElementAddress, Footprint } from '../../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import { spellValue } from '../../../values/spell-value.ts'
import { type BodyKind, type Entries, elementTexts, sameValue } from '../document/attributes.ts'
import type { Collection, EachElement } from '../document/part.ts'
import type { Scope } from '../document/template.ts'
import { encodeAll } from '../request/encode.ts'

/** One element that comes, changes or goes. */
export interface ElementChange {
  readonly key: string
  readonly before?: JsonObject
  readonly after?: JsonObject
}

/** One call for one element. `position`: where it is then, `to`: its new position, as the API counts. */
export interface Step {
  readonly call: keyof EachElement
  readonly change: ElementChange
  readonly position?: number
  readonly to?: number
  /** What must hold of the list right before. */
  readonly about?: ElementAddress
}

/** A collection as it is, and as desired. */
export interface CollectionSides {
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly scope: Scope
}

const keyed = (
  collection: Collection,
  elements: Json | undefined,
): Map<string, { element: JsonObject; whole: string }> =>
  new Map(
    (isArray(elements) ? elements : []).filter(isObject).map((element) => {
      const { key, whole } = elementTexts(collection.element, collection.key ?? [], element)
      return [collection.key === undefined ? whole : key, { element, whole }]
    }),
  )

/** Elements that differ, in the order of their keys; those that go come first, because others may need their place. */
export const elementChanges = (
  collection: Collection,
  before: Json | undefined,
  after: Json | undefined,
): readonly ElementChange[] => {
  const [old, next] = [keyed(collection, before), keyed(collection, after)]
  const gone = [...old].flatMap(([key, { element }]) => (next.has(key) ? [] : [{ key, before: element }]))
  const written = [...next].flatMap(([key, { element, whole }]): ElementChange[] => {
    const was = old.get(key)
    if (was?.whole === whole) return []
    return [{ key, after: element, ...defined({ before: was?.element }) }]
  })
  return [...byKey(gone), ...byKey(written)]
}

const byKey = (changes: readonly ElementChange[]): readonly ElementChange[] =>
  changes.toSorted((left, right) => (left.key < right.key ? -1 : 1))

export const reversed = ({ key, before, after }: ElementChange): ElementChange => ({
  key,
  ...defined({ before: after, after: before }),
})

/** Those that go come first, in an inverse too. */
export const goneFirst = (changes: readonly ElementChange[]): readonly ElementChange[] => [
  ...changes.filter((change) => change.after === undefined),
  ...changes.filter((change) => change.after !== undefined),
]

export const keyMembers = (key: readonly string[], element: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(element).filter(([member]) => key.includes(member)))

const changedMembers = (entries: Entries, before: JsonObject | undefined, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(after).filter(([member]) => {
      const entry = entries[member]
      return entry !== undefined && !(before !== undefined && sameValue(entry, before[member], after[member]))
    }),
  )

/**
 * `{el}`, `{key}` and `{changed}` as they are sent. A member that is never sent, an id that the server made, can still be
 * asked for by its name: `{el.id}`.
 */
export const elementScope = (
  { element: entries, key = [] }: Collection,
  change: ElementChange,
  outer: Scope,
  kind: BodyKind,
): Scope => {
  const element = change.after ?? change.before ?? {}
  const el = encodeAll(entries, element, kind)
  const values: JsonObject = {
    el,
    key: encodeAll(entries, keyMembers(key, element), 'update'),
    changed: encodeAll(entries, changedMembers(entries, change.before, element), kind),
  }
  return (path) => {
    const [first = '', ...rest] = path
    if (!Object.hasOwn(values, first)) return outer(path)
    const value = valueAt(values[first], rest)
    return value === undefined && first === 'el' ? valueAt(element, rest) : value
  }
}

/** The footprint of a request for some elements. */
export const doneTo = (collection: Collection, changes: readonly ElementChange[]): Pick<Footprint, 'elements'> => {
  const { key } = collection
  const keyOf = (element: JsonObject): JsonObject => (key === undefined ? element : keyMembers(key, element))
  const written = changes.flatMap(({ after }) => (after === undefined ? [] : [keyOf(after)]))
  const removed = changes.flatMap(({ before, after }) =>
    before === undefined || after !== undefined ? [] : [keyOf(before)],
  )
  return { elements: [{ of: collection.field, written, removed }] }
}

/** What the element is to people: its key, or its place in none. */
export const elementLabel = ({ key = [] }: Collection, { before, after }: ElementChange): string =>
  key.map((member) => spellValue((after ?? before)?.[member] ?? '')).join(' ')
