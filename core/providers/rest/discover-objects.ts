import { AppError } from '../../errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Listed, Listing, ReadDeps, Target } from '../provider.ts'
import { buildRead } from './ask.ts'
import { allEntries, sameValue } from './attributes.ts'
import { objectScope, type TypeContext, withRefs } from './context.ts'
import { decodeAll } from './decode.ts'
import type { RestResource } from './document.ts'
import { identified, idsOf, isGone } from './find-object.ts'
import { listItems } from './list-items.ts'
import { variablesOf } from './template.ts'

/** Everything of a type in the places where declared resources are; each list is asked for once. */
export const discoverObjects = async (
  context: TypeContext,
  discover: NonNullable<RestResource['discover']>,
  scope: readonly Target[],
  deps: ReadDeps,
): Promise<Listing> => {
  const operation = context.resource.operations[discover.op]
  if (operation === undefined) throw new AppError('INTERNAL', { detail: `there is no operation ${discover.op}` })
  const listed = new Map<string, readonly Listed[]>()
  for (const target of scope) {
    const attributes = identified(context, target.attributes)
    const variables = objectScope(withRefs(context, target.refs), attributes, {})
    const built = buildRead(context, operation, variables, discover.query ?? {})
    const key = built.ok ? JSON.stringify(built.request) : undefined
    if (key === undefined || listed.has(key)) continue
    const found = await listItems(context, discover, operation, variables, deps)
    if (found.kind === 'unknown') return found
    const items = found.kind === 'absent' ? [] : found.items.filter((item) => !isGone(context, item))
    listed.set(
      key,
      items.map((item) => listedOf(context, attributes, item)).filter((item) => !isIgnored(context, discover, item)),
    )
  }
  return { kind: 'listed', objects: [...listed.values()].flat() }
}

/** Attributes in the path of the list. What the query lacks is left out, and constants need nobody. */
export const listedWithin = (
  { resource, params }: TypeContext,
  discover: NonNullable<RestResource['discover']>,
): readonly string[] => {
  const entries = allEntries(resource)
  const variables = variablesOf(resource.operations[discover.op]?.path ?? '').map(([first]) => String(first))
  return [...new Set(variables)].filter((name) => Object.hasOwn(entries, name) && !Object.hasOwn(params, name))
}

const listedOf = (context: TypeContext, attributes: JsonObject, item: JsonObject): Listed => {
  const entries = allEntries(context.resource)
  const live = decodeAll(entries, item)
  const identity = context.resource.identity.keys.flatMap((key) => {
    const value = live[key] ?? (entries[key]?.in === 'path' ? attributes[key] : undefined)
    return value === undefined ? [] : [[key, value] as const]
  })
  const ids = idsOf(context, item)
  return { identity: Object.fromEntries(identity), ...(Object.keys(ids).length === 0 ? {} : { ids }) }
}

const isIgnored = (
  context: TypeContext,
  { ignore = [] }: NonNullable<RestResource['discover']>,
  { identity }: Listed,
): boolean => {
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
