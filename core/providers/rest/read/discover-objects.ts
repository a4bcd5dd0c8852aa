import type { Listed, Listing, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import { type RestResource, shownIds } from '../document/document.ts'
import { variablesOf } from '../document/shared/template.ts'
import { buildRead, unresolved } from '../request/ask.ts'
import { objectScope, type ReadContext, type TypeContext, withRefs } from '../request/context.ts'
import { decodeAll, idsAt } from '../request/decode.ts'
import { rawValue } from '../request/raw-value.ts'
import { identified } from './find-object.ts'
import { listItems, listOf } from './lists/list-items.ts'
import { discoveredEntries, discoveredIdentity, isDiscovered, isGone } from './shared/item-identity.ts'

type Discover = NonNullable<RestResource['discover']>

/**
 * Everything of a type in the places where the targets are; each list is requested once, and a failed one is reported
 * separately.
 */
export const discoverObjects = async (
  context: ReadContext,
  discover: Discover,
  scope: readonly Target[],
  shows: readonly string[] = [],
): Promise<Listing> => {
  const list = listOf(context, discover, discoveredIdentity(context))
  const listed = new Map<string, readonly Listed[]>()
  const unlisted = new Map<string, UnlistedPlace>()
  for (const target of scope) {
    const attributes = identified(context, target.attributes)
    const variables = objectScope(withRefs(context, target.refs), attributes, {})
    const built = buildRead(context, list.operation, variables, discover.query ?? {})
    const within = placeOfList(context, discover, attributes)
    const key = built.ok ? JSON.stringify(built.request) : JSON.stringify(within)
    if (listed.has(key) || unlisted.has(key)) continue
    const found = built.ok ? await listItems(context, list, variables) : unresolved(built)
    if (found.kind === 'unknown') {
      unlisted.set(key, { within, reason: found.reason, detail: found.detail })
      continue
    }
    const items =
      found.kind === 'absent'
        ? []
        : found.items.filter((item) => isDiscovered(context.resource, item) && !isGone(context, item))
    listed.set(
      key,
      items
        .map((item) => inside(within, listedOf(context, attributes, item, shows)))
        .filter((item) => !isIgnored(context, discover, item)),
    )
  }
  const places = [...unlisted.values()]
  const [only, ...others] = places
  if (only === undefined) return { kind: 'listed', objects: [...listed.values()].flat() }
  if (others.length === 0 && listed.size === 0) return { kind: 'unknown', reason: only.reason, detail: only.detail }
  return { kind: 'listed', objects: [...listed.values()].flat(), unlisted: places }
}

/** The values of the scope that the item itself does not contain. */
const inside = (within: JsonObject, listed: Listed): Listed => {
  const more = mapMembers(within, (value, name) => (Object.hasOwn(listed.identity, name) ? undefined : value))
  return { ...listed, ...defined({ within: unlessEmpty(more) }) }
}

/** The values that distinguish the lists of a type. */
const placeOfList = (context: TypeContext, discover: Discover, attributes: JsonObject): JsonObject =>
  pick(attributes, [...listedWithin(context, discover), ...listedBy(context, discover)])

/** Attributes in the path of the list, or behind a reference in it. Constants are not among them. */
export const listedWithin = (context: TypeContext, discover: Pick<Discover, 'op'>): readonly string[] =>
  attributesIn(context, context.resource.operations[discover.op]?.path ?? '')

/** Attributes in its query or body; those without a value are left out. */
export const listedBy = (context: TypeContext, discover: Discover): readonly string[] => {
  const { query = {}, body = null } = context.resource.operations[discover.op] ?? {}
  const within = listedWithin(context, discover)
  return attributesIn(context, [query, discover.query ?? {}, body]).filter((name) => !within.includes(name))
}

const attributesIn = ({ resource, params }: TypeContext, template: Json): readonly string[] => {
  const entries = allEntries(resource)
  const names = variablesOf(template).map(([first, second]) => String(first === 'refs' ? second : first))
  return [...new Set(names)].filter((name) => Object.hasOwn(entries, name) && !Object.hasOwn(params, name))
}

const listedOf = (context: TypeContext, attributes: JsonObject, item: JsonObject, shows: readonly string[]): Listed => {
  const { identity, discover } = context.resource
  const all = discoveredEntries(context)
  const entries = pick(all, identity.keys)
  const ids = idsAt(discover?.ids ?? shownIds(context.resource), item)
  const observed = decodeAll(entries, item)
  const shown = ({ in: place }: AttributeEntry, key: string) =>
    observed[key] ?? (place === 'path' ? attributes[key] : undefined)
  // A default says what an answer about the object alone means, and a list may leave out what it does not show.
  const there = mapMembers(pick(all, shows), (entry, name) =>
    rawValue(entry, name, item) === undefined ? undefined : entry,
  )
  const more = shows.length === 0 ? undefined : { ...mapMembers(there, () => null), ...decodeAll(there, item) }
  return { identity: mapMembers(entries, shown), ...defined({ ids: unlessEmpty(ids), shown: more }) }
}

const isIgnored = (context: TypeContext, { ignore = [] }: Discover, { identity }: Listed): boolean => {
  const entries = allEntries(context.resource)
  return ignore.some((rule) =>
    Object.entries(rule).every(([name, expected]) => {
      const value = identity[name]
      if (typeof expected === 'string' && expected.endsWith('*')) {
        return typeof value === 'string' && value.startsWith(expected.slice(0, -1))
      }
      const entry = entries[name]
      return entry !== undefined && sameValue(entry, expected, value)
    }),
  )
}
