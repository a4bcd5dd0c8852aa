import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { fromPointer, memberOf, setAt, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type Path,
} from '../../../../engine/schema/json.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { present } from '../../../../engine/values/defined.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { type Entries, entriesOf, isSent, placeIn } from '../../document/attributes.ts'
import type { BodyValue } from '../../document/body-values.ts'
import { listEntry } from '../../document/elements.ts'
import type { Operation } from '../../document/operation/operation.ts'
import type { Collection, ResourcePart } from '../../document/part.ts'
import type { ReplacedMember } from '../../document/replaced-place.ts'
import { pathOf } from '../../document/shared/template.ts'
import { encodeAll, ifKnown } from '../../request/encode.ts'
import type { CommandContext, Transition } from '../values/command-context.ts'
import { asPlanned, laidIn, type PartAsRead, ruleOf } from '../values/laid-in.ts'
import { holdsUnseen, isSentUnseen, withUnseen } from '../values/unseen-values.ts'
import { type CollectionChange, type ElementChange, elementsIn, placeOfList } from './element-changes.ts'

/**
 * Attributes that do not change, of a part whose PUT replaces what it leaves out, with the declared values that no read shows: they
 * go along as they are configured, or they would be lost.
 */
export const keptUnseen = (
  { change: { desired } }: CommandContext,
  part: ResourcePart,
  { method }: Operation,
  { names, after }: Pick<Transition, 'names' | 'after'>,
): JsonObject => {
  if (method !== 'PUT' || part.write?.keeps === true) return {}
  return mapMembers(entriesOf(part), (entry, name) => {
    if (names.includes(name) || name === part.collection?.field) return undefined
    if (isSentUnseen(entry)) return desired[name] ?? undefined
    const value = after[name] ?? undefined
    const isSentWhole = value !== undefined && isSent(entry, 'update') && holdsUnseen(entry)
    return isSentWhole ? withUnseen(entry, value, desired[name]) : undefined
  })
}

interface LostUnseen {
  /** What was read at a place, and what a request has there. */
  readonly read: Json | undefined
  readonly sent: Json | undefined
  readonly place: Path
  /** The server keeps members that an object in the request does not have; its lists are replaced. */
  readonly keepsMembers: boolean
}

/** Places of those that what was read may have and a request does not: nobody can tell whether they have a value. */
const lostUnseen = (entry: AttributeEntry, lost: LostUnseen): readonly string[] => {
  const { attributes = {}, element } = entry
  const { read, sent, place, keepsMembers } = lost
  if (!holdsUnseen(entry) || (keepsMembers && sent === undefined)) return []
  if (isArray(read)) return [...new Set(lostInList(entry, read, isArray(sent) ? sent : [], place))]
  if (!isObject(read)) return []
  if (element !== undefined)
    return Object.entries(read).flatMap(([key, inner]) =>
      lostUnseen(element, { ...lost, read: inner, sent: memberOf(sent, key), place: [...place, '*'] }),
    )
  return Object.entries(attributes).flatMap(([name, inner]) => {
    const steps = placeIn(inner, name)
    const own = valueAt(sent ?? null, steps)
    if (isSentUnseen(inner)) return keepsMembers || own !== undefined ? [] : [toPointer([...place, ...steps])]
    const there = liveAt(read, pathOf(inner.path ?? name))
    return lostUnseen(inner, { ...lost, read: there, sent: own, place: [...place, ...steps] })
  })
}

/** A list is replaced. Without a key, as many elements as there are must have all of them. */
const lostInList = (list: AttributeEntry, read: JsonList, sent: JsonList, place: Path): readonly string[] => {
  const { element = { type: 'any' } } = list
  const lostOf = (there: Json, own: Json | undefined): readonly string[] =>
    lostUnseen(element, { read: there, sent: own, place: [...place, '*'], keepsMembers: false })
  const { key } = ruleOf(list)
  if (key === undefined) {
    const whole = sent.filter((each) => lostOf(each, each).length === 0)
    return whole.length >= read.length ? [] : read.flatMap((there) => lostOf(there, undefined))
  }
  const keyOf = (each: Json): string => canonicalJson(key.map((pointer) => liveAt(each, fromPointer(pointer)) ?? null))
  const byKey = new Map(sent.map((each) => [keyOf(each), each]))
  return read.flatMap((there) => lostOf(there, byKey.get(keyOf(there))))
}

/** The same of attributes that a request has as a whole. `was`: what must have them afterwards, else what the request is laid into. */
export const lostOfAttributes = (
  part: ResourcePart,
  names: readonly string[],
  { before, after }: Pick<Transition, 'before' | 'after'>,
  read: PartAsRead,
  was = read.object,
): readonly string[] =>
  Object.entries(entriesOf(part)).flatMap(([name, entry]) => {
    const { object, configured } = read
    if (!names.includes(name) || name === part.collection?.field || !isSent(entry, 'update') || !holdsUnseen(entry))
      return []
    const place = placeIn(entry, name)
    const value = after[name] ?? undefined
    const sides = value && { before: before[name], after: value, configured: configured?.[name] }
    const sent =
      sides && ifKnown(() => asPlanned(laidIn({ ...read, keepsMembers: false }, entry, place, sides), object))
    const keepsMembers = part.write?.keeps === true || ['jsonPatch', 'mergePatch'].includes(part.write?.send ?? '')
    return lostUnseen(entry, { read: liveAt(was, pathOf(entry.path ?? name)), sent, place, keepsMembers })
  })

/** The same of attributes that are no part of a write whose body replaces the object around them. */
export const lostOfOthers = (
  entries: Entries,
  read: JsonObject,
  { place, body }: { readonly place: Path; readonly body: Json },
): readonly string[] => {
  const attributes = mapMembers(entries, (entry) => (isSent(entry, 'update') ? entry : undefined))
  const [only = '', ...more] = isObject(body) ? Object.keys(body) : []
  const isNamed = Object.entries(entries).some(([name, entry]) => placeIn(entry, name)[place.length] === only)
  // A single member of another name is around the values.
  const values = more.length === 0 && !isNamed ? (memberOf(body, only) ?? body) : body
  const sent = setAt({}, place, values)
  const lost = lostUnseen({ type: 'object', attributes }, { read, sent, place: [], keepsMembers: false })
  return lost.filter((each) => each.startsWith(`${toPointer(place)}/`))
}

/**
 * The same of one element, whose body is filled as it was read: of what takes the place of an object, and of the attributes that
 * a request has which leaves the others alone.
 */
export const lostOfElement = (
  entries: Entries,
  read: Json,
  body: Json,
  { replaced, sent }: { readonly replaced: readonly ReplacedMember[]; readonly sent: readonly BodyValue[] },
): readonly string[] => {
  if (!isObject(read)) return []
  const inBody = mapMembers(entries, (entry, name) => ({ ...entry, send: entry.send ?? name }))
  const around = replaced.flatMap(({ at, place }) => {
    const own = valueAt(body, at)
    return own === undefined ? [] : lostOfOthers(inBody, read, { place, body: own })
  })
  const whole = Object.entries(inBody).flatMap(([name, entry]) => {
    const shown = pathOf(entry.path ?? name)
    const own = sent.find((each) => toPointer(each.read) === toPointer(shown))
    const value = own && valueAt(body, own.at)
    const lost = { read: liveAt(read, shown), sent: value, place: shown, keepsMembers: false }
    return value === undefined ? [] : lostUnseen(entry, lost)
  })
  return [...new Set([...around, ...whole])]
}

/** The same of elements that are removed, or written with others. */
export const lostOfElements = (
  collection: Collection,
  changes: readonly ElementChange[],
  configured: Json | undefined,
): readonly string[] => {
  const lost = changes.flatMap(({ before, after }) =>
    lostOfList(collection, { before: present(before), after: present(after) }, configured),
  )
  return [...new Set(lost)]
}

/** The same of a list that is written whole, and of its way back, which brings back elements that nobody configures. */
export const lostOfWhole = (
  collection: Collection,
  { before, after }: CollectionChange,
  configured: Json | undefined,
): readonly string[] => {
  const lost = [after, before].flatMap((to) => lostOfList(collection, { before, after: to }, configured))
  return [...new Set(lost)]
}

const lostOfList = (
  collection: Collection,
  { before, after = [] }: CollectionChange,
  configured: Json | undefined,
): readonly string[] => {
  const list = listEntry(collection)
  const formsOf = (elements: Json | undefined): Json =>
    elementsIn(collection, elements).map((each) => encodeAll(collection.element, each, 'update'))
  const sent = formsOf(withUnseen(list, after, configured))
  return lostUnseen(list, { read: formsOf(before), sent, place: placeOfList(collection), keepsMembers: false })
}
