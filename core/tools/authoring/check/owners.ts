import type { Json } from '../../../engine/schema/json.ts'
import { soundsOwned } from '../../../engine/values/texts/name-words.ts'
import { variablesOf } from '../../../providers/rest/document/shared/template.ts'
import type { Schema } from '../description/description.ts'
import { isWithin, ownersAmong } from '../description/owners.ts'
import { fieldsOf, listingsOf, partsOf, type ResourceView, readPlace } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import { say } from './words.ts'

/**
 * Finds lists that may contain objects of other owners: the items name their owner, and neither a key nor a filter
 * does. An object that is found by its name alone may then belong to somebody else. `item`: the schema of the items.
 */
export function* findSharedLists(view: ResourceView, item?: Schema): Findings {
  const { lifecycle, identity, lookup } = view.resource
  const [first] = listingsOf(view)
  if (first === undefined || lifecycle?.mode === 'reference' || lifecycle?.adopt === false) return
  const fields = partsOf(view).flatMap(fieldsOf)
  const keys = fields.filter(({ name }) => identity.keys.includes(name)).map((field) => String(readPlace(field)[0]))
  const described = [...(item?.properties() ?? [])].map(([name, { description }]) => [name, description ?? ''] as const)
  const named = fields.map(({ name, entry }) => [String(readPlace({ name, entry, at: [] })[0]), ''] as const)
  const places = 'where' in lookup ? Object.keys(lookup.where ?? {}) : []
  const owners = new Set(ownersAmong([...named, ...described]))
  if (owners.size === 0 || [...keys, ...places].some((place) => owners.has(place) || soundsOwned(place))) return
  const open = listingsOf(view).find(({ listing: { op, query = {} } }) => !isNarrowed(view, op, query))
  if (open === undefined) return
  const { path = '' } = view.resource.operations[open.listing.op] ?? {}
  yield finding(open.at, say('sharedList', path, [...owners]))
}

const isNarrowed = (
  { resource: { operations, lookup } }: ResourceView,
  op: string,
  more: Readonly<Record<string, Json>>,
) => {
  const { path = '', query: own = {}, body = null } = operations[op] ?? {}
  const query = { ...own, ...more }
  const where: Json = 'where' in lookup ? (lookup.where ?? {}) : {}
  const variables = variablesOf([path, query, body, where])
  const namesCaller = variables.some(
    ([first, second]) => first === 'me' || (first === 'with' && soundsOwned(String(second))),
  )
  return isWithin(path) || namesCaller || Object.keys(query).some(soundsOwned)
}
