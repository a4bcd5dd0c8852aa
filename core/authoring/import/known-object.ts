import type { ResourceType } from '../../providers/provider.ts'
import type { Attribute, ObjectReference } from '../../schema/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'

/** An object of which at least the identity is known: declared, listed or read. */
export interface KnownObject {
  readonly provider: string
  readonly type: ResourceType
  /** Canonical. */
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Of one that the configuration has, or will have. */
  readonly address?: Address
}

/** The names under which others may mean an object: the wanted one, else whatever identifies it. */
const namesFor = ({ type, ids = {} }: KnownObject, { attribute }: ObjectReference): readonly string[] => {
  if (attribute !== undefined) return [attribute]
  const identity = Object.entries(type.schema.attributes).filter(([, facts]) => facts.identity)
  return [...identity.map(([name]) => name), ...Object.keys(ids)]
}

const scalar = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const attributeOf = ({ attributes, ids = {} }: KnownObject, name: string): Json | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : ids[name]

/** What others write to mean the object; the first that it has. */
export const meansObject = (object: KnownObject, reference: ObjectReference): Json | undefined =>
  namesFor(object, reference)
    .map((name) => attributeOf(object, name))
    .find((value) => scalar(value) !== undefined)

/** The name under which a value means the object. Server-made ids are text, whatever they are elsewhere. */
export const meantBy = (object: KnownObject, reference: ObjectReference, value: Json): string | undefined => {
  const wanted = isMark(value) ? undefined : scalar(value)
  if (wanted === undefined) return undefined
  return namesFor(object, reference).find((name) => scalar(attributeOf(object, name)) === wanted)
}

/**
 * Whether something is in the same surroundings as an object: where what identifies the object refers to a type, and an
 * attribute of the same name does so here, both mean the same. A name of an exchange means the one in the virtual host of what refers to it.
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
