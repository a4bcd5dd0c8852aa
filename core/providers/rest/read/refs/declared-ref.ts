import { setAt, toPointer } from '../../../../engine/json/pointer.ts'
import type { Neighbour } from '../../../../engine/provider/references.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import { isAfter, isConcat } from '../../../../engine/schema/value.ts'
import { allEntries, sameValue } from '../../document/attributes.ts'
import { shownIds } from '../../document/document.ts'
import { keyOf, refVariables } from '../../document/references.ts'
import type { RefEntry } from '../../document/refs.ts'
import { fill, pathOf } from '../../document/shared/template.ts'
import { contextOf, objectScope, type TypeContext, withRefs } from '../../request/context.ts'
import { decodeAll, idsAt } from '../../request/decode.ts'
import { refFaults, unknowns } from '../shared/words.ts'
import type { Resolution } from './resolve-ref.ts'

/** The declared resource that a name refers to, in addition to the result of a search. */
export type Declared =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly neighbour: Neighbour }
  | { readonly kind: 'unclear'; readonly detail: string }

/** `filters`: the values that narrow a search; marks for values that an earlier command of this plan will return. */
export const declaredAs = (
  context: TypeContext,
  entry: RefEntry,
  value: string | number,
  filters: Readonly<Record<string, Json | undefined>>,
): Declared => {
  const { type } = entry
  const meant = contextOf(context, type)
  const key = meant && keyOf(meant.resource, entry)
  const facts = key === undefined || meant === undefined ? undefined : allEntries(meant.resource)[key]
  if (meant === undefined || key === undefined || facts === undefined) return { kind: 'none' }
  const within = (context.neighbours ?? [])
    .filter((each) => each.type === type && sameValue(facts, String(value), textOf(each.attributes[key])))
    .map((neighbour) => ({ neighbour, isWithin: isWithin(meant, neighbour, filters) }))
    .filter((each) => each.isWithin !== 'no')
  const [only, ...others] = within
  if (only === undefined) return { kind: 'none' }
  const addresses = within.map(({ neighbour: { address } }) => address)
  if (others.length > 0) return { kind: 'unclear', detail: refFaults.severalDeclared(addresses) }
  if (only.isWithin === 'yes') return { kind: 'one', neighbour: only.neighbour }
  return { kind: 'unclear', detail: refFaults.unclearScope(only.neighbour.address, Object.keys(filters)) }
}

const textOf = (value: Json | undefined): Json | undefined => (typeof value === 'number' ? String(value) : value)

/** Compared with what a search for the neighbour itself is narrowed by, or with its attribute of that name. */
const isWithin = (
  meant: TypeContext,
  { attributes, ids, refs }: Neighbour,
  filters: Readonly<Record<string, Json | undefined>>,
): 'yes' | 'no' | 'unclear' => {
  const scope = objectScope(withRefs(meant, refs), attributes, ids)
  const { lookup, operations } = meant.resource
  const listing = 'list' in lookup ? lookup.list : undefined
  const query: Readonly<Record<string, Json>> = { ...operations[listing?.op ?? '']?.query, ...listing?.query }
  const judged = Object.entries(filters).map(([name, value]) =>
    compareScopes(value, query[name] === undefined ? scope([name]) : fill(query[name], scope)),
  )
  return judged.includes('no') ? 'no' : judged.includes('unclear') ? 'unclear' : 'yes'
}

const compareScopes = (asked: Json | undefined, own: Json | undefined): 'yes' | 'no' | 'unclear' => {
  if (isAfter(asked) && isAfter(own)) {
    return asked.$after === own.$after && asked.pointer === own.pointer ? 'yes' : 'unclear'
  }
  if (!isScalar(asked) || !isScalar(own)) return 'unclear'
  return String(asked) === String(own) ? 'yes' : 'no'
}

const isScalar = (value: Json | undefined): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A scope that does not exist yet cannot be searched. */
export const isWithinComing = (filters: Readonly<Record<string, Json | undefined>>): boolean =>
  Object.values(filters).some((value) => isAfter(value) || isConcat(value))

/**
 * The object that a name refers to. `found` is the result of a search; the declared resource is used unless it is another
 * object.
 */
export const chooseDeclared = (
  context: TypeContext,
  entry: RefEntry,
  desired: Declared,
  found: Resolution,
): Resolution | { readonly kind: 'declared'; readonly value: Json; readonly object: JsonObject } => {
  if (found.kind === 'unknown' || desired.kind === 'none') return found
  if (desired.kind === 'unclear') {
    return found.kind === 'found' ? found : unknowns.ambiguous(desired.detail)
  }
  const { neighbour } = desired
  if (neighbour.state === 'settled') return found.kind === 'found' ? found : asItIs(context, entry, neighbour)
  if (found.kind === 'none' || isTheOld(context, entry, neighbour, found.object)) {
    return { kind: 'declared', ...asItComes(context, entry, neighbour.address) }
  }
  return unknowns.wouldBeAnother(neighbour.address)
}

/** If the object is replaced, a search finds the old one, which will be deleted. */
const isTheOld = (context: TypeContext, { type }: RefEntry, { state, ids }: Neighbour, object: JsonObject) => {
  const meant = contextOf(context, type)
  if (state !== 'replaced' || meant === undefined) return false
  const found = idsAt(shownIds(meant.resource), object)
  return Object.entries(found).every(([name, id]) => ids[name] === undefined || ids[name] === id)
}

/** No object has the name yet, because a change of this plan sets it. The sent value must not depend on that change. */
const asItIs = (context: TypeContext, entry: RefEntry, { attributes, object }: Neighbour): Resolution => {
  const meant = contextOf(context, entry.type)
  if (object === undefined || meant === undefined) return { kind: 'none' }
  const entries = allEntries(meant.resource)
  const observed = decodeAll(entries, object)
  const place = toPointer(pathOf(entry.emit))
  const changes = Object.entries(entries).some(
    ([name, facts]) =>
      facts.select === undefined &&
      toPointer(pathOf(facts.path ?? name)) === place &&
      !sameValue(facts, observed[name], attributes[name]),
  )
  return changes ? { kind: 'none' } : { kind: 'found', object }
}

/** In the spelling of the object itself, as a search finds it: an id of a number is text among server ids. */
const asItComes = (context: TypeContext, entry: RefEntry, address: string) => ({
  value: { $after: address, pointer: `/object${toPointer(pathOf(entry.emit))}` },
  object: comingObject(context, entry, address),
})

/**
 * An object that the same plan creates: each member that a request names is what the create answers of it, or what is read
 * of it later.
 */
export const comingObject = (context: TypeContext, entry: RefEntry, address: string): JsonObject => {
  const named = refVariables(context.resource).flatMap(([, , ...path]) => (path.length > 0 ? [path.map(String)] : []))
  return named.reduce<Json>(
    (object, path) => setAt(object, path, { $after: address, pointer: pointerOf(context, entry, path) }),
    {},
  ) as JsonObject
}

const pointerOf = (context: TypeContext, { type }: RefEntry, path: readonly string[]): string => {
  const ids = shownIds(contextOf(context, type)?.resource ?? {})
  const id = Object.entries(ids).find(([, place]) => toPointer(pathOf(place)) === toPointer(path))
  return id === undefined ? `/object${toPointer(path)}` : `/ids/${id[0]}`
}
