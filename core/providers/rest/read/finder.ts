import { valueAt } from '../../../json/pointer.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Absences } from '../document/answers.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import type { Listing, Operation } from '../document/operation.ts'
import { keyOf } from '../document/references.ts'
import type { RefEntry } from '../document/refs.ts'
import { pathOf } from '../document/template.ts'
import type { TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { discoveredIdentity, type ItemIdentity, listedIdentity } from './item-identity.ts'
import { holdsAll, isMeant } from './listed.ts'

/** How an object is found by a name, an id or its URL. */
export interface Finder {
  /** What it is, for people. */
  readonly label: string
  readonly byName?: {
    readonly operation: Operation
    /** Absent: it answers one object, and the name is in its path. */
    readonly listing?: Listing
    readonly identity?: ItemIdentity | undefined
  }
  readonly byId?: Operation
  /** Everything that there is, for what no request can be asked with. */
  readonly all?: { readonly operation: Operation; readonly listing: Listing; readonly identity?: ItemIdentity }
  /** Variables that stand for what is looked for. */
  readonly variables: readonly string[]
  readonly absent: Absences
  /** Nothing is believed that was not compared here; objects that are as good as gone are none. */
  isNamed(object: JsonObject, value: Json): boolean
  isThere(object: JsonObject): boolean
  /** Whether the value is what this object was sent and shown as before. */
  isEmitted(object: JsonObject, value: Json): boolean
}

const emits =
  ({ emit }: RefEntry) =>
  (object: JsonObject, value: Json): boolean => {
    const emitted = valueAt(object, pathOf(emit))
    return (typeof emitted === 'string' || typeof emitted === 'number') && String(emitted) === String(value)
  }

/** `undefined` where the document has no such type or resolver. */
export const finderOf = (context: TypeContext, entry: RefEntry): Finder | undefined => {
  if (entry.type !== undefined) {
    const resource = context.types?.[entry.type]
    return resource === undefined ? undefined : finderOfType(context, entry, entry.type, resource)
  }
  const resolver = context.resolvers?.[entry.resolver ?? '']
  if (resolver === undefined) return undefined
  const { list, items, retrieve, where = {} } = resolver
  const names = [resolver.name].flat()
  const listed = list && {
    operation: list,
    listing: { op: 'list', items, absent: [] },
    identity: namedIdentity(entry.resolver ?? '', names),
  }
  return {
    label: entry.resolver ?? '',
    ...defined({ byName: listed, all: listed, byId: retrieve }),
    variables: ['value'],
    absent: context.settings.reads.absent,
    isNamed: (object, value) => names.some((each) => String(valueAt(object, pathOf(each)) ?? '') === String(value)),
    isThere: (object) => holdsAll(object, where),
    isEmitted: emits(entry),
  }
}

/** Of the objects of a resolver the document tells no more than where a name stands. */
const namedIdentity = (label: string, names: readonly string[]): ItemIdentity => ({
  label: `names of ${label}`,
  lacks: (item) => (names.some((each) => valueAt(item, pathOf(each)) !== undefined) ? undefined : names.join(' or ')),
  same: (item) => JSON.stringify(item),
})

const finderOfType = (context: TypeContext, entry: RefEntry, label: string, resource: RestResource): Finder => {
  const { lookup, operations, lifecycle } = resource
  const key = keyOf(resource, entry) ?? ''
  const entries = allEntries(resource)
  const isList = 'list' in lookup
  const named = isList
    ? operations[lookup.list.op]
    : operations[lookup.retrieve === true ? 'retrieve' : lookup.retrieve]
  const gone = lifecycle?.delete?.gone
  const byId = isList ? operations['retrieve'] : undefined
  return {
    label,
    ...defined({
      byName: named && {
        operation: named,
        ...defined({
          listing: isList ? lookup.list : undefined,
          identity: isList ? listedIdentity({ ...context, name: label, resource }) : undefined,
        }),
      },
      byId,
    }),
    ...allOf({ ...context, name: label, resource }),
    variables: [key, ...Object.keys(resource.serverId ?? {})],
    absent: context.settings.reads.absent,
    isNamed: (object, value) => {
      const observed = decodeAll(entries, object)[key]
      const facts = entries[key]
      // What stands in the path need not stand in the answer.
      if (observed === undefined && !isList) return true
      return (
        facts !== undefined && sameValue(facts, String(value), observed === undefined ? observed : String(observed))
      )
    },
    isThere: (object) => isMeant(resource, object) && (gone === undefined || !holdsAll(object, gone.where)),
    isEmitted: emits(entry),
  }
}

/** The list of `lookup`, where its items are the objects, else the one of `discover`. */
const allOf = (context: TypeContext): Pick<Finder, 'all'> => {
  const { lookup, operations, discover } = context.resource
  const own = 'list' in lookup && lookup.follow === undefined ? lookup.list : undefined
  const listing = own ?? discover
  const operation = operations[listing?.op ?? '']
  if (listing === undefined || operation === undefined) return {}
  const identity = own === undefined ? discoveredIdentity(context) : listedIdentity(context)
  return { all: { operation, listing, ...defined({ identity }) } }
}
