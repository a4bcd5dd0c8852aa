import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { normalise } from '../../../engine/diff/normalise.ts'
import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { Attribute, ObjectReference } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { Address } from '../../../engine/schema/resource.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { fitScalar } from '../../../engine/values/scalars.ts'

/** An object with at least a known identity: declared, listed or read. */
export interface KnownObject {
  readonly provider: string
  readonly type: ResourceType
  /** After `normalise()`. */
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Of an object that the configuration has, or will have. */
  readonly address?: Address
}

/** The attributes that identify an object. */
export const keysOf = ({ schema }: ResourceType): readonly string[] =>
  Object.entries(schema.attributes).flatMap(([name, { identity }]) => (identity ? [name] : []))

/** The attributes by which others may refer to an object: the one of the reference, else its keys and ids. */
const namesFor = ({ type, ids = {} }: KnownObject, { attribute }: ObjectReference): readonly string[] => {
  return attribute === undefined ? [...keysOf(type), ...Object.keys(ids)] : [attribute]
}

const scalar = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const attributeOf = ({ attributes, ids = {} }: KnownObject, name: string): Json | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : ids[name]

/** The value by which others refer to the object. */
export const referenceValueOf = (object: KnownObject, reference: ObjectReference): Json | undefined =>
  namesFor(object, reference)
    .map((name) => attributeOf(object, name))
    .find((value) => scalar(value) !== undefined)

/** The attribute that a value refers to the object by. Ids of servers are compared as text. */
export const referredAttribute = (object: KnownObject, reference: ObjectReference, value: Json): string | undefined => {
  const wanted = isMark(value) ? undefined : scalar(value)
  if (wanted === undefined) return undefined
  return namesFor(object, reference).find((name) => scalar(attributeOf(object, name)) === wanted)
}

/** Whether values share the parents of an object: an exchange is searched in the virtual host of what refers to it. */
export const hasSameParents = (
  object: KnownObject,
  attributes: Readonly<Record<string, Attribute>>,
  values: JsonObject,
): boolean =>
  Object.entries(object.type.schema.attributes).every(([name, { refersTo, identity }]) => {
    if (identity !== true) return true
    const own = Object.hasOwn(attributes, name) ? attributes[name]?.refersTo : undefined
    if (refersTo === undefined || own?.type !== refersTo.type) return true
    const [theirs, ours] = [scalar(object.attributes[name]), scalar(values[name])]
    return theirs === undefined || ours === undefined || theirs === ours
  })

/** Attribute values as the user typed them. */
export type Given = Readonly<Record<string, string>>

/** A type of one provider, and its objects that the request names. */
export interface ImportTarget {
  readonly provider: string
  readonly type: ResourceType
  /** Absent: everything that can be listed. */
  readonly identities?: readonly JsonObject[]
  /** Wanted only because other types are inside of it. */
  readonly isParent: boolean
}

/** The types that the list of a type is inside of. */
export const parentTypes = ({ listWithin = [], schema }: ResourceType): readonly string[] => [
  ...new Set(listWithin.flatMap((name) => schema.attributes[name]?.refersTo?.type ?? [])),
]

/** Texts as values of the attributes' types. */
export const typed = ({ schema }: ResourceType, given: Given): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, fitScalar(text, schema.attributes[name]?.type)]),
  )

/** The given values that the type has, after `normalise()`. */
export const valuesOf = (type: ResourceType, where: Given): JsonObject => {
  const { attributes } = type.schema
  const own = Object.entries(where).filter(([name]) => Object.hasOwn(attributes, name))
  const canonical = normalise(type.schema, typed(type, Object.fromEntries(own)), 'desired')
  // Without the defaults that `normalise()` fills in.
  return Object.fromEntries(Object.entries(canonical).filter(([name]) => Object.hasOwn(where, name)))
}

/** Whether an object has the given values, as far as they are known. Its list was requested with some of them. */
export const isWithin = ({ type, attributes }: Pick<KnownObject, 'type' | 'attributes'>, where: Given): boolean =>
  Object.entries(valuesOf(type, where)).every(
    ([name, value]) =>
      !Object.hasOwn(attributes, name) || type.listWithin?.includes(name) === true || isEqual(attributes[name], value),
  )
