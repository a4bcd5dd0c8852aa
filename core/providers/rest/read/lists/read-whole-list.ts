import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { valueAt } from '../../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { present } from '../../../../engine/values/defined.ts'
import type { Listing } from '../../document/operation/operation.ts'
import type { Collection } from '../../document/part.ts'
import { pathOf, type Scope } from '../../document/shared/template.ts'
import type { ReadContext } from '../../request/context.ts'
import type { ItemIdentity } from '../shared/item-identity.ts'
import { learnList } from '../shared/spelled-numbers.ts'
import { unknowns } from '../shared/words.ts'
import { type Items, type List, listItems, listOf } from './list-items.ts'

/** A list that is the value of one attribute. */
export interface WholeList {
  readonly listing: Listing
  /** The member that the elements become. */
  readonly as: string
  readonly collection: Collection | undefined
}

/** Elements can be of any kind. */
const boxed = 'element'

/**
 * All elements of a list, as one member of an object. If an element is removed between two pages, another one moves to a page
 * that was already read. So a list of several pages is read twice: only what both show is believed.
 */
export const readWholeList = async (
  context: ReadContext,
  { listing, as, collection }: WholeList,
  scope: Scope,
): Promise<{ readonly kind: 'object'; readonly object: JsonObject } | { readonly kind: 'absent' } | UnknownResult> => {
  const list: List = { ...listOf(context, listing, collection && elementIdentity(collection)), boxed }
  const first = await listItems(context, list, scope)
  if (first.kind !== 'items') return first
  const again = await first.again?.()
  if (again !== undefined && textOf(again) !== textOf(first)) {
    return again.kind === 'unknown' ? again : unknowns.movedList(as)
  }
  const object = { [as]: first.items.map((item) => item[boxed] as Json) }
  learnList(object, as, first.items)
  return { kind: 'object', object }
}

const textOf = (items: Items): string => (items.kind === 'items' ? canonicalJson(items.items) : items.kind)

/** An element whose key was on an earlier page: the list moved meanwhile. */
const elementIdentity = ({ key = [], element, plain }: Collection): ItemIdentity | undefined => {
  if (plain)
    return { label: 'plain elements', lacks: () => undefined, same: ({ [boxed]: item = null }) => canonicalJson(item) }
  const places = key.map((name) => element[name]?.path ?? name)
  if (places.length === 0) return undefined
  return {
    label: `elements by ${JSON.stringify(places)}`,
    lacks: () => undefined,
    same: ({ [boxed]: item }) => {
      const values = present(...places.map((place) => isObject(item) && valueAt(item, pathOf(place))))
      return values.length === places.length ? canonicalJson(values) : undefined
    },
  }
}
