import { toPointer } from '../../../engine/json/pointer.ts'
import { isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { AttributeEntry } from './attribute.ts'
import { type Entries, entriesOf, isSent } from './attributes.ts'
import type { Collection, ResourcePart } from './part.ts'
import { choiceMark, partsOf, pathOf, spreadMark, textsIn } from './shared/template.ts'

/** Where a body has the values of attributes, and where answers show them. */

/** A template, or what a choice may make of it. */
export const formsOf = (template: Json): readonly Json[] =>
  isObject(template) && Object.hasOwn(template, choiceMark)
    ? Object.entries(template).flatMap(([name, form]) => (name === choiceMark ? [] : formsOf(form)))
    : [template]

export interface BodyValue {
  readonly at: Path
  readonly read: Path
}

/** The values that a variable has: their places in it, and in what was read. */
export type PlacesOfVariable = (variable: readonly string[]) => readonly BodyValue[]

/** The values of a body: their places in it, and in what was read. */
export const valuesIn = (template: Json, placesOf: PlacesOfVariable): readonly BodyValue[] =>
  textsIn(template).flatMap(({ at: steps, text }): readonly BodyValue[] => {
    const [only, ...others] = partsOf(text)
    if (only === undefined || others.length > 0 || !('variable' in only)) return []
    const at = steps.filter((step) => step !== spreadMark)
    return placesOf(only.variable.map(String)).map((value) => ({ ...value, at: [...at, ...value.at] }))
  })

export const inPart =
  (part: ResourcePart): PlacesOfVariable =>
  ([first, name, ...deeper]) => {
    const entries = entriesOf(part)
    const placeOf = (own: string): Path => pathOf(entries[own]?.path ?? own)
    if (first === 'fields') return fieldsOf(entries)
    if (first === 'all') return [{ at: [], read: placeOf(part.collection?.field ?? '') }]
    const isAttribute = first === 'desired' && name !== undefined && Object.hasOwn(entries, name)
    return isAttribute ? [{ at: [], read: [...placeOf(name), ...deeper] }] : []
  }

export const inElement =
  ({ element }: Collection): PlacesOfVariable =>
  ([first = '', name, ...deeper]) => {
    if (!elementVariables.includes(first)) return []
    if (name === undefined) return fieldsOf(element)
    if (element[name] !== undefined) return [{ at: [], read: [...pathOf(element[name].path ?? name), ...deeper] }]
    const place = [name, ...deeper]
    return [{ at: [], read: placeShown(element, place) ?? place }]
  }

/** What a body has of one element. */
export const elementVariables: readonly string[] = ['el', 'changed', 'key']

/** The attributes that requests have. */
export const fieldsOf = (entries: Entries): readonly BodyValue[] =>
  Object.entries(entries).flatMap(([name, entry]) => (isSent(entry, 'update') ? [inBody(entry, name)] : []))

const inBody = (entry: AttributeEntry, name: string): BodyValue => ({
  at: pathOf(entry.send ?? name),
  read: pathOf(entry.path ?? name),
})

/** Where answers show what a body has at a place inside of it, if that is one place for all attributes that are there. */
export const placeShown = (entries: Entries, at: Path): Path | undefined => {
  if (Object.values(entries).some((entry) => isSent(entry, 'update') && entry.select !== undefined)) return undefined
  const roots = fieldsOf(entries)
    .filter((value) => isAround(value, at))
    .map(({ at: place, read }): Path => {
      if (place.length <= at.length) return [...read, ...at.slice(place.length)]
      return rootOf({ at: place.slice(at.length), read }) ?? []
    })
  const [root] = roots
  return root !== undefined && root.length > 0 && roots.every((each) => isSame(each, root)) ? root : undefined
}

/** Where answers show, inside of that place, what a body has elsewhere. */
export const sentElsewhere = (entries: Entries, at: Path): readonly Path[] => {
  const shown = placeShown(entries, at) ?? []
  return fieldsOf(entries).flatMap((value) => {
    const isInside = value.read.length > shown.length && isSame(value.read.slice(0, shown.length), shown)
    return isInside && !isAround(value, at) ? [value.read] : []
  })
}

/** Whether a value of a body is at a place, around it or inside of it. */
const isAround = ({ at: own }: BodyValue, at: Path): boolean => {
  const shared = Math.min(at.length, own.length)
  return isSame(at.slice(0, shared), own.slice(0, shared))
}

/** Where the object stands in a body: each of its values has there the place that it has in what was read. */
export const envelopeOf = (values: readonly BodyValue[]): Path => {
  const [first = [], ...others] = values.map(({ at, read }) => at.slice(0, Math.max(0, at.length - read.length)))
  const isOne = others.every((other) => isSame(other, first)) && first.every((step) => typeof step === 'string')
  return isOne && values.every(({ at, read }) => isSame([...first, ...read], at)) ? first : []
}

/** The one place in what was read where all of these values stand. */
export const rootOfAll = (values: readonly BodyValue[]): Path | undefined => {
  const [first, ...others] = values.map(rootOf)
  return first !== undefined && others.every((root) => root !== undefined && isSame(root, first)) ? first : undefined
}

export const rootOf = ({ at, read }: BodyValue): Path | undefined => {
  const root = read.slice(0, Math.max(0, read.length - at.length))
  return isSame([...root, ...at], read) ? root : undefined
}

export const isSame = (one: Path, other: Path): boolean => toPointer(one) === toPointer(other)
