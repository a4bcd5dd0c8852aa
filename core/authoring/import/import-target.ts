import { isEqual } from '../../diff/canonical.ts'
import { normalise } from '../../diff/normalise.ts'
import type { ResourceType } from '../../providers/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import { fitScalar } from '../../values/fit-scalar.ts'
import type { KnownObject } from './known-object.ts'

/** Attribute values as somebody typed them. */
export type Given = Readonly<Record<string, string>>

/** A type of one provider, and the objects of it that were asked for by name. */
export interface ImportTarget {
  readonly provider: string
  readonly type: ResourceType
  /** Named ones; everything that can be listed when absent. */
  readonly identities?: readonly JsonObject[]
  /** Only what it is around is asked for, not it itself. */
  readonly isParent: boolean
}

/** Types that the list of a type is asked for within. */
export const parentTypes = ({ listWithin = [], schema }: ResourceType): readonly string[] => [
  ...new Set(listWithin.flatMap((name) => schema.attributes[name]?.refersTo?.type ?? [])),
]

/** Texts as the attributes' types spell them. */
export const typed = ({ schema }: ResourceType, given: Given): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, fitScalar(text, schema.attributes[name]?.type)]),
  )

/** Of what was given, what the type knows, in its canonical form. */
export const valuesOf = (type: ResourceType, where: Given): JsonObject => {
  const { attributes } = type.schema
  const own = Object.entries(where).filter(([name]) => Object.hasOwn(attributes, name))
  const canonical = normalise(type.schema, typed(type, Object.fromEntries(own)), 'desired')
  // Defaults were filled in, and nobody asked for them.
  return Object.fromEntries(Object.entries(canonical).filter(([name]) => Object.hasOwn(where, name)))
}

/** Whether nothing that is known of an object speaks against what was given. Its list was asked for within some of it. */
export const isWithin = ({ type, attributes }: Pick<KnownObject, 'type' | 'attributes'>, where: Given): boolean =>
  Object.entries(valuesOf(type, where)).every(
    ([name, value]) =>
      !Object.hasOwn(attributes, name) || type.listWithin?.includes(name) === true || isEqual(attributes[name], value),
  )
