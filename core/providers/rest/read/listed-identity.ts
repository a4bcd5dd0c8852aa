import { allEntries, type Entries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { shownIds } from '../document/server-ids.ts'
import type { TypeContext } from '../request/context.ts'
import { type ItemIdentity, itemIdentity } from './item-identity.ts'
import { isGone, isMeant, listedEntries } from './listed.ts'

/** How the list of a lookup shows which object is which. */
export const listedIdentity = (context: TypeContext): ItemIdentity | undefined => {
  const { lookup } = context.resource
  if (!('list' in lookup)) return undefined
  return itemIdentity({
    label: `lookup of ${context.name}`,
    keys: pick(listedEntries(context), lookup.match),
    ids: lookup.ids ?? shownIds(context.resource),
    // Where an id leads to the object, an item that has none yet is one that is being made.
    idsMayCome: lookup.ids !== undefined || lookup.follow !== undefined,
    counts: (item) => isMeant(context.resource, item) && !isGone(context, item),
  })
}

/** How a list of all that exists shows it: keys that stand in the path of the list are those of the path. */
export const discoveredIdentity = (context: TypeContext): ItemIdentity => {
  const { identity } = context.resource
  const entries = allEntries(context.resource)
  return itemIdentity({
    label: `discovery of ${context.name}`,
    keys: pick(
      entries,
      identity.keys.filter((key) => entries[key]?.in !== 'path'),
    ),
    ids: shownIds(context.resource),
    idsMayCome: false,
    counts: (item) => !isGone(context, item),
  })
}

const pick = (entries: Entries, names: RestResource['identity']['keys']): Entries =>
  Object.fromEntries(names.flatMap((name) => (entries[name] === undefined ? [] : [[name, entries[name]] as const])))
