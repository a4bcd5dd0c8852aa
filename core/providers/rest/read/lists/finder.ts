import { valueAt } from '../../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { pick } from '../../../../engine/values/members.ts'
import { allEntries, comparisonText } from '../../document/attributes.ts'
import { lookupOp, shownIds, showsObjects } from '../../document/document.ts'
import { retrievesById } from '../../document/ids.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { keyOf, leadsBack } from '../../document/references.ts'
import type { RefEntry, ResolverEntry } from '../../document/refs.ts'
import type { Absences } from '../../document/shared/answers.ts'
import { pathOf } from '../../document/shared/template.ts'
import { contextOf, operationOf, type TypeContext } from '../../request/context.ts'
import { decodeAll } from '../../request/decode.ts'
import {
  discoveredIdentity,
  holdsAll,
  type ItemIdentity,
  isGone,
  isMeant,
  listedIdentity,
} from '../shared/item-identity.ts'
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
  /** Whether the value that was emitted for an object finds it again. */
  readonly findsEmitted: boolean
  /** Equal for finders that tell objects apart in the same way. */
  readonly key: string
  /** Texts under which an object is found by its name; equal to the text of each value that names it. */
  namesOf(object: JsonObject): readonly string[]
  textOf(value: Json): string | undefined
  /** An answer need not repeat the name that is in its path. */
  isNamed(object: JsonObject, value: Json): boolean
  /** Objects that count as deleted are not. */
  isThere(object: JsonObject): boolean
  /** What people call it. */
  nameIn(object: JsonObject): Json | undefined
  /** What the object is sent and shown as. */
  emittedOf(object: JsonObject): string | undefined
}

/** `undefined` where the document has no such type or resolver. */
export const finderOf = (context: TypeContext, ref: RefEntry): Finder | undefined => {
  const place = pathOf(ref.emit)
  const emittedOf = (object: JsonObject): string | undefined => {
    const emitted = valueAt(object, place)
    return typeof emitted === 'string' || typeof emitted === 'number' ? String(emitted) : undefined
  }
  const { absent } = context.settings.reads
  const common = { key: JSON.stringify([ref.type, ref.resolver, ref.by, ref.emit]), absent, emittedOf }
  if (ref.type !== undefined) {
    const target = contextOf(context, ref.type)
    return target && { ...finderOfType(target, ref), ...common }
  }
  const label = ref.resolver ?? ''
  const resolver = context.resolvers?.[label]
  return resolver && { ...finderOfResolver(label, resolver), ...common }
}

type OwnFinder = Omit<Finder, 'absent' | 'emittedOf' | 'key'>

const finderOfResolver = (
  label: string,
  { list, items, plain, retrieve, name, where = {} }: ResolverEntry,
): OwnFinder => {
  const names = [name].flat()
  const listed = list && {
    operation: list,
    listing: { op: 'list', items, absent: [], ...defined({ plain }) },
    identity: namedIdentity(label, names),
  }
  const namesOf = (object: JsonObject): readonly string[] =>
    names.map((each) => String(valueAt(object, pathOf(each)) ?? ''))
  return {
    label,
    ...defined({ byName: listed, all: listed, byId: retrieve }),
    findsEmitted: list !== undefined,
    variables: ['value'],
    namesOf,
    textOf: String,
    isNamed: (object, value) => namesOf(object).includes(String(value)),
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

const finderOfType = (context: TypeContext, ref: RefEntry): OwnFinder => {
  const { name, resource } = context
  const { lookup, operations, discover } = resource
  const key = keyOf(resource, ref) ?? ''
  const entries = allEntries(resource)
  const isList = 'list' in lookup
  const hasIds = isList && Object.keys(shownIds(resource)).length > 0
  const listed = isList ? listOf(context, lookup.list, listedIdentity(context)) : undefined
  const isWhole = isList && lookup.follow === undefined
  const own = pick(entries, [key])
  const facts = entries[key]
  const textOf = (value: Json | undefined): string | undefined =>
    facts && comparisonText(facts, value === undefined ? undefined : String(value))
  const nameIn = (object: JsonObject): Json | undefined => decodeAll(own, object)[key]
  return {
    label: name,
    ...defined({
      byName: listed ?? { operation: operationOf(context, lookupOp(resource)) },
      byId: hasIds || retrievesById(resource) ? operations['retrieve'] : undefined,
      // The list of `lookup` where its items are the objects.
      all: isWhole
        ? listed
        : showsObjects(discover)
          ? listOf(context, discover, discoveredIdentity(context))
          : undefined,
    }),
    findsEmitted: leadsBack(resource, ref),
    variables: [key, ...Object.keys(resource.serverId ?? {})],
    namesOf: (object) => present(textOf(nameIn(object))),
    textOf,
    isNamed: (object, value) => {
      const observed = nameIn(object)
      if (observed === undefined && !isList) return true
      const text = textOf(value)
      return text !== undefined && text === textOf(observed)
    },
    isThere: (object) => isMeant(resource, object) && !isGone(context, object),
    nameIn,
  }
}
