import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { containerKey, eachElement, namesAt, placeOf } from '../../../engine/values/normalise/named-container.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries } from '../document/attributes.ts'
import { lastingIds, type RestResource, shownIds } from '../document/document.ts'
import type { RefEntry } from '../document/refs.ts'
import { contextOf, type TypeContext } from '../request/context.ts'

/** A value that refers to another object for as long as this one exists, at any depth. */
export interface FixedReference {
  /** The attribute, and the members below it, with `*` for each element. */
  readonly place: readonly string[]
  readonly entry: AttributeEntry
}

const references = new WeakMap<RestResource, readonly FixedReference[]>()

/** What the URL of an object, its keys and what never changes refer to. */
export const fixedReferences = (resource: RestResource): readonly FixedReference[] => {
  const known =
    references.get(resource) ??
    Object.entries(allEntries(resource)).flatMap(([name, entry]) =>
      referencesAt([name], entry, entry.in === 'path' || resource.identity.keys.includes(name)),
    )
  references.set(resource, known)
  return known
}

const referencesAt = (
  place: readonly string[],
  entry: AttributeEntry,
  isAround: boolean,
): readonly FixedReference[] => {
  const { immutable, sensitive, refersTo, ref, attributes = {}, element } = entry
  if (sensitive === true) return []
  const isFixed = isAround || immutable === true
  const below = Object.entries({ ...attributes, ...(element && { [eachElement]: element }) })
  return [
    ...(isFixed && (refersTo !== undefined || ref !== undefined) ? [{ place, entry }] : []),
    ...below.flatMap(([name, inner]) => referencesAt([...place, name], inner, isFixed)),
  ]
}

/** The names that attributes have at the place of a reference, each with its key in a record. */
export const namesIn = (
  { place, entry }: FixedReference,
  attributes: JsonObject,
): readonly { readonly key: string; readonly name: Json }[] =>
  namesAt(place, attributes).map((name) => ({ key: containerKey(place, entry, name), name }))

/** How the other object is searched, if the value is an id of it that no other object gets; keys and URLs search there themselves. */
export const namesById = (
  context: TypeContext,
  { place: [attribute = '', ...below], entry }: FixedReference,
): RefEntry | undefined => {
  const { in: where, ref, refersTo } = entry
  const isKey = below.length === 0 && (where === 'path' || context.resource.identity.keys.includes(attribute))
  const other = contextOf(context, refersTo?.type ?? ref?.type)?.resource
  if (isKey || other === undefined) return undefined
  if (refersTo === undefined) return ref
  const { type, attribute: name = '' } = refersTo
  const emit = lastingIds(other).includes(name) ? shownIds(other)[name] : undefined
  return emit === undefined ? undefined : (ref ?? { type, emit })
}

export const spellPlace = ({ place }: Pick<FixedReference, 'place'>): string =>
  place.filter((each) => each !== eachElement).join('.')

export const spellKey = (key: string): string => spellPlace({ place: placeOf(key) })
