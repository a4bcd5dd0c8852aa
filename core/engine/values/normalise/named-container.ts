import { fromPointer, toPointer } from '../../json/pointer.ts'
import type { Attribute, AttributeFacts } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { mapMembers } from '../members.ts'
import { applyNormalisers } from './normalisers.ts'

/*
 * A record has the ids of what contains its object by the place that names it: an attribute, or a pointer into one, with `*` for
 * each element. A list names several, in an order that may change, so such a pointer ends with the name itself.
 */

/** Stands in a place for each element of a list, a set or a map. */
export const eachElement = '*'

type ComparedAs = Pick<AttributeFacts, 'compareAs'>

export const containerKey = (place: readonly string[], facts: ComparedAs, name: Json): string =>
  place.length === 1 ? (place[0] ?? '') : toPointer([...place, textOf(facts, name)])

const textOf = ({ compareAs }: ComparedAs, name: Json): string => String(applyNormalisers(name, compareAs))

/** The attribute that names the container, and the members below it. */
export const placeOf = (key: string): readonly string[] =>
  key.startsWith('/') ? fromPointer(key).slice(0, -1).map(String) : [key]

export const namingAttribute = (key: string): string => placeOf(key)[0] ?? ''

/** The same for all names that one place has. */
export const namingPlace = (key: string): string => (key.startsWith('/') ? key.slice(0, key.lastIndexOf('/')) : key)

/** The names that a place has in these attributes. */
export const namesAt = ([first, ...rest]: readonly string[], value: Json | undefined): readonly Json[] => {
  if (value === undefined || value === null) return []
  if (first === undefined) return typeof value === 'string' || typeof value === 'number' ? [value] : []
  if (first !== eachElement) return isObject(value) && Object.hasOwn(value, first) ? namesAt(rest, value[first]) : []
  const inner = isArray(value) ? value : isObject(value) ? Object.values(value) : []
  return inner.flatMap((each) => namesAt(rest, each))
}

/** The value with other names at that place. */
export const mapNames = ([first, ...rest]: readonly string[], value: Json, change: (name: Json) => Json): Json => {
  if (first === undefined) return typeof value === 'string' || typeof value === 'number' ? change(value) : value
  if (first === eachElement && isArray(value)) return value.map((each) => mapNames(rest, each, change))
  if (!isObject(value)) return value
  return mapMembers(value, (each, name) =>
    first === eachElement || first === name ? mapNames(rest, each, change) : each,
  )
}

export interface ContainerName {
  readonly facts: Attribute
  readonly name: Json
}

/** What these attributes have under a key of the record; `undefined`: they name another container, or none. */
export const containerName = (
  facts: Readonly<Record<string, Attribute>>,
  key: string,
  attributes: JsonObject,
): ContainerName | undefined => {
  const place = placeOf(key)
  const own = place.reduce<Attribute | undefined>(
    (outer, step) => (step === eachElement ? outer?.element : outer?.attributes?.[step]),
    { type: 'object', attributes: facts },
  )
  const name = own && namesAt(place, attributes).find((each) => containerKey(place, own, each) === key)
  return own === undefined || name === undefined ? undefined : { facts: own, name }
}
