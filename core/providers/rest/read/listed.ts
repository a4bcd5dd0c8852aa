import { canonicalJson } from '../../../digest.ts'
import { valueAt } from '../../../json/pointer.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { mapMembers } from '../../../values/members.ts'
import { isWellFormed } from '../../../values/well-formed.ts'
import { allEntries, type Entries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { pathOf } from '../document/template.ts'
import type { TypeContext } from '../request/context.ts'

/* What the items of a list show of objects of a type. */

/** Archived or expired: it can be read, and is as good as none. */
export const isGone = ({ resource }: TypeContext, object: JsonObject): boolean => {
  const gone = resource.lifecycle?.delete?.gone
  return gone !== undefined && holdsAll(object, gone.where)
}

/** The keys as the items of the list hold them, which may be those of another collection. */
export const listedEntries = (context: TypeContext): Entries => {
  const { lookup } = context.resource
  const at = 'at' in lookup ? (lookup.at ?? {}) : {}
  return mapMembers(allEntries(context.resource), (entry, name) => {
    const path = at[name]
    return path === undefined ? entry : { ...entry, path }
  })
}

/** What an item of the list must hold, and must not, besides the keys. */
export const isMeant = ({ lookup }: RestResource, item: JsonObject): boolean => {
  if ('retrieve' in lookup) return true
  const { where = {}, whereNot = {} } = lookup
  return (
    holdsAll(item, where) && Object.entries(whereNot).every((member) => !holdsAll(item, Object.fromEntries([member])))
  )
}

export const holdsAll = (item: Json, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([place, value]) => {
    const found = valueAt(item, pathOf(place)) ?? null
    return isWellFormed(found) && canonicalJson(found) === canonicalJson(value)
  })
