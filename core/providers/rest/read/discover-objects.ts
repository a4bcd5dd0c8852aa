import { AppError } from '../../../errors.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Listed, Listing, ReadDeps, Target, UnlistedPlace } from '../../provider.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { variablesOf } from '../document/template.ts'
import { buildRead, unresolved } from '../request/ask.ts'
import { objectScope, type TypeContext, withRefs } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { identified, idsOf } from './find-object.ts'
import { discoveredIdentity } from './item-identity.ts'
import { listItems } from './list-items.ts'
import { isGone } from './listed.ts'

type Discover = NonNullable<RestResource['discover']>

/** Everything of a type in the places where the targets are; each list is asked for once, and one that fails is told apart. */
export const discoverObjects = async (
  context: TypeContext,
  discover: Discover,
  scope: readonly Target[],
  deps: ReadDeps,
): Promise<Listing> => {
  const operation = context.resource.operations[discover.op]
  if (operation === undefined) throw new AppError('INTERNAL', { detail: `there is no operation ${discover.op}` })
  const listed = new Map<string, readonly Listed[]>()
  const unlisted = new Map<string, UnlistedPlace>()
  for (const target of scope) {
    const attributes = identified(context, target.attributes)
    const variables = objectScope(withRefs(context, target.refs), attributes, {})
    const built = buildRead(context, operation, variables, discover.query ?? {})
    const within = placeOfList(context, discover, attributes)
    const key = built.ok ? JSON.stringify(built.request) : JSON.stringify(within)
    if (listed.has(key) || unlisted.has(key)) continue
    const found = built.ok
      ? await listItems(context, discover, operation, variables, deps, discoveredIdentity(context))
      : unresolved(built)
    if (found.kind === 'unknown') {
      unlisted.set(key, { within, reason: found.reason, detail: found.detail })
      continue
    }
    const items = found.kind === 'absent' ? [] : found.items.filter((item) => !isGone(context, item))
    listed.set(
      key,
      items
        .map((item) => inside(within, listedOf(context, attributes, item)))
        .filter((item) => !isIgnored(context, discover, item)),
    )
  }
  const places = [...unlisted.values()]
  const [only] = places
  if (only !== undefined && places.length === 1 && listed.size === 0)
    return { kind: 'unknown', reason: only.reason, detail: only.detail }
  return {
    kind: 'listed',
    objects: [...listed.values()].flat(),
    ...defined({ unlisted: places.length === 0 ? undefined : places }),
  }
}

/** What the item does not tell of the place that it is in. */
const inside = (within: JsonObject, listed: Listed): Listed => {
  const more = Object.entries(within).filter(([name]) => !Object.hasOwn(listed.identity, name))
  return more.length === 0 ? listed : { ...listed, within: Object.fromEntries(more) }
}

/** What tells one list of the type from another. */
const placeOfList = (context: TypeContext, discover: Discover, attributes: JsonObject): JsonObject => {
  const names = [...listedWithin(context, discover), ...listedBy(context, discover)]
  return Object.fromEntries(
    names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]] as const])),
  )
}

/** Attributes in the path of the list, or behind a reference in it. Constants are not among them. */
export const listedWithin = (context: TypeContext, discover: Discover): readonly string[] =>
  attributesIn(context, context.resource.operations[discover.op]?.path ?? '')

/** Attributes in its query or body, of which what has no value is left out. */
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

const listedOf = (context: TypeContext, attributes: JsonObject, item: JsonObject): Listed => {
  const entries = allEntries(context.resource)
  const observed = decodeAll(entries, item)
  const identity = context.resource.identity.keys.flatMap((key) => {
    const value = observed[key] ?? (entries[key]?.in === 'path' ? attributes[key] : undefined)
    return value === undefined ? [] : [[key, value] as const]
  })
  const ids = idsOf(context, item)
  return {
    identity: Object.fromEntries(identity),
    ...defined({ ids: Object.keys(ids).length === 0 ? undefined : ids }),
  }
}

const isIgnored = (context: TypeContext, { ignore = [] }: Discover, { identity }: Listed): boolean => {
  const entries = allEntries(context.resource)
  return ignore.some((rule) =>
    Object.entries(rule).every(([name, wanted]) => {
      const value = identity[name]
      if (typeof wanted === 'string' && wanted.endsWith('*')) {
        return typeof value === 'string' && value.startsWith(wanted.slice(0, -1))
      }
      const entry = entries[name]
      return entry !== undefined && sameValue(entry, wanted, value)
    }),
  )
}
