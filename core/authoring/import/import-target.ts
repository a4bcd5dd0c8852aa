import { isEqual } from '../../diff/canonical.ts'
import { normalise } from '../../diff/normalise.ts'
import type { ResourceType } from '../../providers/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import { fitScalar } from '../../values/scalars.ts'
import type { KnownObject } from './known-object.ts'

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
