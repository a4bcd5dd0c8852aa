import { memberOf, toPointer } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonList, type Path } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { pick } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { elementTexts, entriesOf } from '../../document/attributes.ts'
import { type Collection, dropsOf, type ResourcePart } from '../../document/part.ts'
import { pathOf } from '../../document/shared/template.ts'
import type { Transition } from '../values/command-context.ts'
import { type ElementChange, placeOfList } from './element-changes.ts'

interface Sides {
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** What the server gave to objects, entries and elements that go, at any depth: who brings them back gets it anew. */
const givenToRemoved = (
  entry: AttributeEntry,
  { before, after }: Sides,
  place: Path,
  isGone = false,
): readonly string[] => {
  const { attributes, element } = entry
  if (isArray(before)) return element === undefined ? [] : inElements(entry, before, { element, after, place, isGone })
  if (!isObject(before) || isMark(before)) return []
  const goes = isGone || !isObject(after)
  const inner = (name: string, facts: AttributeEntry, steps: Path): readonly string[] => {
    const at = [...place, ...steps]
    const was = before[name] ?? null
    if (facts.computed === true) return goes && was !== null ? [toPointer(at)] : []
    return givenToRemoved(facts, { before: was, after: memberOf(after, name) }, at, goes)
  }
  if (attributes !== undefined)
    return Object.entries(attributes).flatMap(([name, facts]) => inner(name, facts, pathOf(facts.path ?? name)))
  return element === undefined ? [] : Object.keys(before).flatMap((key) => inner(key, element, ['*']))
}

/** In a list without a key nothing tells which element goes. */
const inElements = (
  { type, key }: AttributeEntry,
  before: JsonList,
  list: Omit<Sides, 'before'> & { readonly element: AttributeEntry; readonly place: Path; readonly isGone: boolean },
): readonly string[] => {
  const { element, after, place, isGone } = list
  if (key === undefined && type !== 'set' && !isGone) return []
  const textOf = (each: Json): string => {
    const { key: own, whole } = elementTexts(element.attributes ?? {}, key ?? [], each)
    return key === undefined ? whole : own
  }
  const kept = new Map((isArray(after) ? after : []).map((each) => [textOf(each), each]))
  return before.flatMap((each) =>
    givenToRemoved(element, { before: each, after: kept.get(textOf(each)) }, [...place, '*'], isGone),
  )
}

/** The same of a part's attributes. What is dropped is not missed. */
export const givenToPart = (part: ResourcePart, { before, after, names }: Transition): readonly string[] => {
  const dropped = dropsOf(part.write)
  return Object.entries(pick(entriesOf(part), names))
    .flatMap(([name, entry]) =>
      givenToRemoved(entry, { before: before[name], after: after[name] }, pathOf(entry.path ?? name)),
    )
    .filter((place) => !dropped.includes(place))
}

/** The same of elements. What names an object elsewhere takes nothing from it. */
export const givenToElements = (collection: Collection, changes: readonly ElementChange[]): readonly string[] => {
  if (collection.namesObjects) return []
  const dropped = dropsOf(collection.write)
  const place = [...placeOfList(collection), '*']
  const entry = { type: 'object' as const, attributes: collection.element }
  return changes
    .flatMap(({ before, after }) => (after === undefined ? givenToRemoved(entry, { before, after }, place) : []))
    .filter((each) => !dropped.includes(each))
}
