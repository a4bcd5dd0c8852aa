import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { normalise } from '../../../engine/diff/normalise.ts'
import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { Attribute, ObjectReference } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { Address } from '../../../engine/schema/resource.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { fitScalar } from '../../../engine/values/scalars.ts'

export interface KnownObject {
  readonly provider: string
  readonly type: ResourceType
  /** After `normalise()`. */
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Set if the configuration has, or will have, the object. */
  readonly address?: Address
}

export const keysOf = ({ schema }: ResourceType): readonly string[] =>
  Object.entries(schema.attributes).flatMap(([name, { identity }]) => (identity ? [name] : []))

const namesFor = ({ type, ids = {} }: KnownObject, { attribute }: ObjectReference): readonly string[] => {
  return attribute === undefined ? [...keysOf(type), ...Object.keys(ids)] : [attribute]
}

const scalar = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const attributeOf = ({ attributes, ids = {} }: KnownObject, name: string): Json | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : ids[name]

export const referenceValueOf = (object: KnownObject, reference: ObjectReference): Json | undefined =>
  namesFor(object, reference)
    .map((name) => attributeOf(object, name))
    .find((value) => scalar(value) !== undefined)

/** Returns the attribute by which a value refers to the object. Server ids are compared as texts. */
export const referredAttribute = (object: KnownObject, reference: ObjectReference, value: Json): string | undefined => {
  const wanted = isMark(value) ? undefined : scalar(value)
  if (wanted === undefined) return undefined
  return namesFor(object, reference).find((name) => scalar(attributeOf(object, name)) === wanted)
}

/**
 * Tells whether the parents of an object match those of the referring one: an exchange is searched in its own virtual
 * host.
 */
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

export type GivenTexts = Readonly<Record<string, string>>

export interface ImportTarget {
  readonly provider: string
  readonly type: ResourceType
  /** Absent: all objects that can be listed. */
  readonly identities?: readonly JsonObject[]
  /** Wanted only as the parent of other types. */
  readonly isParent: boolean
}

export const parentTypes = ({ listWithin = [], schema }: ResourceType): readonly string[] => [
  ...new Set(listWithin.flatMap((name) => schema.attributes[name]?.refersTo?.type ?? [])),
]

export const typed = ({ schema }: ResourceType, given: GivenTexts): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, fitScalar(text, schema.attributes[name]?.type)]),
  )

/** Returns the given values that the type has, after `normalise()`. */
export const valuesOf = (type: ResourceType, where: GivenTexts): JsonObject => {
  const { attributes } = type.schema
  const own = Object.entries(where).filter(([name]) => Object.hasOwn(attributes, name))
  const canonical = normalise(type.schema, typed(type, Object.fromEntries(own)), 'desired')
  // The defaults that `normalise()` adds are dropped.
  return Object.fromEntries(Object.entries(canonical).filter(([name]) => Object.hasOwn(where, name)))
}

/**
 * Tells whether an object has the given values, as far as they are known. The list request has already used some of
 * them.
 */
export const isWithin = ({ type, attributes }: Pick<KnownObject, 'type' | 'attributes'>, where: GivenTexts): boolean =>
  Object.entries(valuesOf(type, where)).every(
    ([name, value]) =>
      !Object.hasOwn(attributes, name) || type.listWithin?.includes(name) === true || isEqual(attributes[name], value),
  )
