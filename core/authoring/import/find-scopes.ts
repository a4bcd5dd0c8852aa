import type { ResourceType } from '../../providers/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import { isBeside, type KnownObject, meansObject } from './known-object.ts'

export type Scopes =
  | { readonly ok: true; readonly scopes: readonly JsonObject[] }
  /** Nothing says what this attribute may be. */
  | { readonly ok: false; readonly attribute: string }

/**
 * Where a type must be listed: every combination of what its list is asked for within. An attribute's values are given
 * (`where`), or those of the known objects that it refers to, of the same surroundings as what is chosen already.
 */
export const findScopes = (type: ResourceType, known: readonly KnownObject[], where: JsonObject): Scopes => {
  const { attributes } = type.schema
  let scopes: readonly JsonObject[] = [where]
  for (const name of inOrder(type, known)) {
    if (Object.hasOwn(where, name)) continue
    const refersTo = attributes[name]?.refersTo
    if (refersTo === undefined) return { ok: false, attribute: name }
    const parents = known.filter((object) => object.type.name === refersTo.type)
    scopes = scopes.flatMap((scope) =>
      parents.flatMap((parent) => {
        const value = isBeside(parent, attributes, scope) ? meansObject(parent, refersTo) : undefined
        return value === undefined ? [] : [{ ...scope, [name]: value }]
      }),
    )
  }
  return { ok: true, scopes: distinct(scopes) }
}

/** What the fewest surroundings have comes first, so that what is inside of it is chosen for it. */
const inOrder = ({ listWithin = [], schema }: ResourceType, known: readonly KnownObject[]): readonly string[] => {
  const depth = (name: string): number => {
    const parent = known.find(({ type }) => type.name === schema.attributes[name]?.refersTo?.type)
    return Object.values(parent?.type.schema.attributes ?? {}).filter(({ refersTo }) => refersTo !== undefined).length
  }
  return listWithin.toSorted((left, right) => depth(left) - depth(right))
}

const distinct = (scopes: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values(),
]
