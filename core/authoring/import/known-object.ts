import type { ResourceType } from '../../providers/provider.ts'
import type { Attribute, ObjectReference } from '../../schema/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'

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
export const meansObject = (object: KnownObject, reference: ObjectReference): Json | undefined =>
  namesFor(object, reference)
    .map((name) => attributeOf(object, name))
    .find((value) => scalar(value) !== undefined)

/** The attribute that a value refers to the object by. Ids of servers are compared as text. */
export const meantBy = (object: KnownObject, reference: ObjectReference, value: Json): string | undefined => {
  const wanted = isMark(value) ? undefined : scalar(value)
  if (wanted === undefined) return undefined
  return namesFor(object, reference).find((name) => scalar(attributeOf(object, name)) === wanted)
}

/**
 * Whether values are in the same scope as an object: keys of the object that refer to another type are equal here, where an
 * attribute of the same name refers to the same type. An exchange is looked for in the virtual host of what refers to it.
 */
export const isBeside = (
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
