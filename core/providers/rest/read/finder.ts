import { valueAt } from '../../../json/pointer.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Absences } from '../document/answers.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import { lookupOp } from '../document/document.ts'
import type { Operation } from '../document/operation.ts'
import { keyOf } from '../document/references.ts'
import type { RefEntry, ResolverEntry } from '../document/refs.ts'
import { pathOf } from '../document/template.ts'
import { contextOf, operationOf, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { discoveredIdentity, holdsAll, type ItemIdentity, isGone, isMeant, listedIdentity } from './item-identity.ts'
import { type List, listOf } from './list-items.ts'

/** How an object is found by a name, an id or its URL. */
export interface Finder {
  /** What it is, for people. */
  readonly label: string
  /** A list, or an operation with the name in its path that answers one object. */
  readonly byName?: List | { readonly operation: Operation }
  readonly byId?: Operation
  /** All objects, for values that no request can contain. */
  readonly all?: List
  /** The variables for the searched value. */
  readonly variables: readonly string[]
  readonly absent: Absences
  /** Every found object is compared here; objects that count as deleted are skipped. */
  isNamed(object: JsonObject, value: Json): boolean
  isThere(object: JsonObject): boolean
  /** What people call it. */
  nameIn(object: JsonObject): Json | undefined
  /** Whether the value is what this object was sent and shown as before. */
  isEmitted(object: JsonObject, value: Json): boolean
}

/** `undefined` where the document has no such type or resolver. */
export const finderOf = (context: TypeContext, ref: RefEntry): Finder | undefined => {
  const isEmitted = (object: JsonObject, value: Json): boolean => {
    const emitted = valueAt(object, pathOf(ref.emit))
    return (typeof emitted === 'string' || typeof emitted === 'number') && String(emitted) === String(value)
  }
  const { absent } = context.settings.reads
  if (ref.type !== undefined) {
    const target = contextOf(context, ref.type)
    return target && { ...finderOfType(target, ref), absent, isEmitted }
  }
  const label = ref.resolver ?? ''
  const resolver = context.resolvers?.[label]
  return resolver && { ...finderOfResolver(label, resolver), absent, isEmitted }
}

type Own = Omit<Finder, 'absent' | 'isEmitted'>

const finderOfResolver = (label: string, { list, items, retrieve, name, where = {} }: ResolverEntry): Own => {
  const names = [name].flat()
  const listed = list && {
    operation: list,
    listing: { op: 'list', items, absent: [] },
    identity: namedIdentity(label, names),
  }
  return {
    label,
    ...defined({ byName: listed, all: listed, byId: retrieve }),
    variables: ['value'],
    isNamed: (object, value) => names.some((each) => String(valueAt(object, pathOf(each)) ?? '') === String(value)),
    isThere: (object) => holdsAll(object, where),
    nameIn: (object) => names.map((each) => valueAt(object, pathOf(each))).find((value) => value !== undefined),
  }
}

/** For objects of a resolver the document describes only the place of a name. */
const namedIdentity = (label: string, names: readonly string[]): ItemIdentity => ({
  label: `names of ${label}`,
  lacks: (item) => (names.some((each) => valueAt(item, pathOf(each)) !== undefined) ? undefined : names.join(' or ')),
  same: (item) => JSON.stringify(item),
})

const finderOfType = (context: TypeContext, ref: RefEntry): Own => {
  const { name, resource } = context
  const { lookup, operations, discover } = resource
  const key = keyOf(resource, ref) ?? ''
  const entries = allEntries(resource)
  const isList = 'list' in lookup
  const listed = isList ? listOf(context, lookup.list, listedIdentity(context)) : undefined
  const isWhole = isList && lookup.follow === undefined
  return {
    label: name,
    ...defined({
      byName: listed ?? { operation: operationOf(context, lookupOp(resource)) },
      byId: isList ? operations['retrieve'] : undefined,
      // The list of `lookup` where its items are the objects.
      all: isWhole ? listed : discover && listOf(context, discover, discoveredIdentity(context)),
    }),
    variables: [key, ...Object.keys(resource.serverId ?? {})],
    isNamed: (object, value) => {
      const observed = decodeAll(entries, object)[key]
      // A value in the path need not be in the answer.
      if (observed === undefined && !isList) return true
      const [facts, text] = [entries[key], observed === undefined ? observed : String(observed)]
      return facts !== undefined && sameValue(facts, String(value), text)
    },
    isThere: (object) => isMeant(resource, object) && !isGone(context, object),
    nameIn: (object) => decodeAll(entries, object)[key],
  }
}
