import { valueAt } from '../../../json/pointer.ts'
import type { Response } from '../../../schema/command.ts'
import { isArray, type Json, type JsonObject } from '../../../schema/json.ts'
import type { ReadResult } from '../../../schema/resource.ts'
import { failureWords } from '../../../transport/answer/answer-errors.ts'
import { defined } from '../../../values/defined.ts'
import { holdsState } from '../../../values/equal-states.ts'
import { spellValue } from '../../../values/spell-value.ts'
import type { ReadDeps, Target } from '../../provider.ts'
import { allEntries, entriesOf } from '../document/attributes.ts'
import { isKept, isListed, type RestResource } from '../document/document.ts'
import type { Part } from '../document/part.ts'
import { namesMembers } from '../document/references.ts'
import { fill, pathOf, pointerOf, type Scope } from '../document/template.ts'
import { askForObject, type Unknown } from '../request/ask.ts'
import { objectScope, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { findMistyped } from '../request/find-mistyped.ts'
import { type Found, findListed, findObject, identified } from './find-object.ts'
import type { ItemIdentity } from './item-identity.ts'
import { itemsAmong, listItems } from './list-items.ts'
import { holdsAll } from './listed.ts'
import { agreeingAnswers, type Kept, keepFor, keptOf } from './part-answers.ts'
import { unknowns } from './words.ts'

type PartObject =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly response?: Response }
  | { readonly kind: 'absent' }
  | Unknown

/** Finds the object and reads its parts. Parts with the same read operation share one answer. */
export const readResource = async (context: TypeContext, target: Target, deps: ReadDeps): Promise<ReadResult> => {
  const kept = isKept(context.resource)
  if (kept && target.leaving) return unknowns.neverDeleted()
  const found = await findObject(context, target, deps)
  if (found.kind === 'absent' && kept) {
    return target.coming && !isReference(context.resource) ? { kind: 'absent' } : unknowns.neverCreated()
  }
  if (found.kind === 'unknown') return found
  if (found.kind === 'found') return readFound(context, target, found, deps)
  if (found.archived === undefined || target.leaving || target.ids !== undefined) return { kind: 'absent' }
  // In which state it was given up does not matter, as long as nothing is under way.
  const archived = await readFound(context, { ...target, leaving: true }, found.archived, deps)
  if (archived.kind !== 'present') return archived
  const { attributes, ids, versions, objects } = archived
  return {
    kind: 'absent',
    archived: {
      attributes,
      ...defined({ ids, versions, objects }),
    },
  }
}

/** Reads the parts of an object that was found. */
const readFound = async (context: TypeContext, target: Target, found: Found, deps: ReadDeps): Promise<ReadResult> => {
  const standing = classifyState(context, target, found)
  if (standing !== undefined) return standing
  const attributes = identified(context, target.attributes)
  const scope = objectScope(context, attributes, found.ids)
  const { object, op, response } = found
  const first: PartObject = { kind: 'object', object, ...defined({ response }) }
  const answers = new Map<string, PartObject>([[op, first]])
  const read: JsonObject[] = [urlAttributes(context, attributes)]
  const whole: Kept[] = []
  const agreeing = agreeingAnswers(context, found)
  for (const part of context.resource.parts) {
    const key = typeof part.read === 'string' ? part.read : JSON.stringify(part.read)
    const answer = answers.get(key) ?? (await readPart({ context, attributes, ids: found.ids, scope, deps }, part))
    answers.set(key, answer)
    if (answer.kind === 'unknown') return answer
    const doubt = answer.kind === 'absent' ? undefined : agreeing(part, answer)
    if (doubt !== undefined) return unknowns.doubtfulPart(part.name, doubt)
    const decoded = answer.kind === 'absent' ? {} : decodePart(part, answer.object)
    if (decoded === undefined) return unknowns.noCollection(part.collection?.field ?? part.name)
    read.push(decoded)
    if (answer.kind === 'object') whole.push(keepFor(context, part, answer))
  }
  const observed = Object.assign({}, ...read) as JsonObject
  const mistyped = findMistyped(allEntries(context.resource), target.attributes, observed)
  if (mistyped !== undefined) return unknowns.mistyped(mistyped)
  const ids = Object.keys(found.ids).length === 0 ? {} : { ids: found.ids }
  const named = namesMembers(context) ? { object } : {}
  return { kind: 'present', attributes: observed, ...ids, ...named, ...keptOf(whole) }
}

const isReference = ({ lifecycle }: RestResource): boolean => lifecycle?.mode === 'reference'

/** What the URL says about the object, for answers that leave it out. */
const urlAttributes = (context: TypeContext, attributes: JsonObject): JsonObject => {
  const entries = Object.entries(allEntries(context.resource))
  const inPath = entries.flatMap(([name, entry]): [string, Json | undefined][] =>
    entry.in === 'path' ? [[name, attributes[name]]] : [],
  )
  return Object.fromEntries(inPath.filter((member): member is [string, Json] => member[1] !== undefined))
}

/** How the parts of one object are read. */
interface Reading {
  readonly context: TypeContext
  readonly attributes: JsonObject
  readonly ids: Readonly<Record<string, string>>
  readonly scope: Scope
  readonly deps: ReadDeps
}

const readPart = (reading: Reading, part: Part): Promise<PartObject> => {
  const { context, scope, deps } = reading
  const { op, absent, select } = typeof part.read === 'string' ? { op: part.read, absent: [] } : part.read
  if (select === undefined) {
    return isListed(context.resource, part) ? readListed(reading) : askForObject(context, op, scope, absent, deps)
  }
  const { holds } = select
  const where = fill(select.where, scope) as JsonObject
  const inner = holds && { in: holds.in, where: fill(holds.where, scope) as JsonObject }
  return readElement(
    context,
    { op, absent, items: select.in },
    { where, ...defined({ inner: inner ? inner : undefined }) },
    scope,
    deps,
  )
}

/** However the object was found, here it is what the list shows of it. */
const readListed = async ({ context, attributes, ids, deps }: Reading): Promise<PartObject> => {
  const found = await findListed(context, attributes, ids, deps)
  if (found.kind === 'found') return { kind: 'object', object: found.object }
  if (found.kind === 'unknown') return found
  return unknowns.notListed()
}

/** What tells one element of a list from the others; `inner`: an element of its own list at a place. */
interface Wanted {
  readonly where: JsonObject
  readonly inner?: { readonly in: string; readonly where: JsonObject }
}

const isWanted = (item: JsonObject, { where, inner }: Wanted): boolean => {
  if (!holdsAll(item, where)) return false
  if (inner === undefined) return true
  const list = valueAt(item, pathOf(inner.in))
  return isArray(list) && list.some((each) => holdsAll(each, inner.where))
}

/** An element that does not show what it is chosen by could be the one. */
const elementIdentity = (op: string, { where, inner }: Wanted): ItemIdentity => ({
  label: `elements of ${op} by ${JSON.stringify([Object.keys(where), inner?.in])}`,
  lacks: (item) => {
    const place = Object.keys(where).find((each) => where[each] !== null && valueAt(item, pathOf(each)) === undefined)
    return place ?? (inner !== undefined && !isArray(valueAt(item, pathOf(inner.in))) ? inner.in : undefined)
  },
  same: () => undefined,
})

/** A value that hides in a list of something else. */
const readElement = async (
  context: TypeContext,
  listing: Parameters<typeof listItems>[1],
  wanted: Wanted,
  scope: Scope,
  deps: ReadDeps,
): Promise<PartObject> => {
  const operation = context.resource.operations[listing.op]
  if (operation === undefined) return unknowns.noOperation(listing.op)
  const listed = await listItems(context, listing, operation, scope, deps, elementIdentity(listing.op, wanted))
  const found = await itemsAmong(listed, (items) => items.filter((item) => isWanted(item, wanted)))
  if (found.kind !== 'items') return found
  const [element, ...others] = found.items
  if (element === undefined) return { kind: 'absent' }
  if (others.length === 0) return { kind: 'object', object: element }
  return unknowns.severalElements(found.items.length, spellValue({ ...wanted.where, ...wanted.inner?.where }))
}

/** `undefined` where a collection is not there: taking that for an empty one would create everything again. */
const decodePart = (part: Part, object: JsonObject): JsonObject | undefined => {
  const decoded = decodeAll(entriesOf(part), object)
  const { collection } = part
  if (collection === undefined) return decoded
  const observed = valueAt(object, pathOf(collection.path ?? collection.field)) ?? collection.default
  if (!isArray(observed)) return undefined
  return { ...decoded, [collection.field]: decoded[collection.field] ?? observed }
}

/**
 * Why the state of an object makes it unchecked. While another change is in progress its attributes move. In a state of error
 * they may be as desired and the object is not; that does not matter for an object that is to be deleted.
 */
const classifyState = (
  { resource }: TypeContext,
  { leaving }: Target,
  { object, ids }: Pick<Found, 'object' | 'ids'>,
): Unknown | undefined => {
  const { states } = resource.lifecycle ?? {}
  const state = states && valueAt(object, pathOf(states.at))
  if (states === undefined || state === undefined || state === null) return undefined
  const known = Object.keys(ids).length === 0 ? {} : { ids }
  if (holdsState(states.busy ?? [], state)) return { ...unknowns.busy(spellValue(state)), ...known }
  if (leaving || !holdsState(states.error ?? [], state)) return undefined
  const message = [states.message ?? []].flat().map((place) => pointerOf(place))
  return { ...unknowns.erred(spellValue(state), failureWords({ message }, object)), ...known }
}
