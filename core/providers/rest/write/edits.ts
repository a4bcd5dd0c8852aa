import { canonicalJson } from '../../../digest.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../schema/json.ts'
import { isLiteral, isMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { type Entries, isSent } from '../document/attributes.ts'
import { pathOf } from '../document/template.ts'
import { encodeValue } from '../request/encode.ts'

/** One place of an object that is to become another value; without `value` it is to go. */
export interface Edit {
  readonly place: Path
  readonly value?: Json
  /** Of a list: the members, in the body, by which its elements are told from one another. */
  readonly key?: readonly string[]
}

/** Where an attribute stands in an object that goes back in the form in which it was read. */
export const placeIn = (entry: AttributeEntry, name: string): Path => pathOf(entry.send ?? entry.path ?? name)

/** The smallest places at which the attributes of these names differ. Both sides are attribute values. */
export const editsOf = (
  entries: Entries,
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
): readonly Edit[] =>
  names.flatMap((name) => {
    const entry = entries[name]
    if (entry === undefined || !isSent(entry, 'update')) return []
    if (entry.unlessSent?.some((other) => names.includes(other))) return []
    return editsAt(entry, placeIn(entry, name), before[name], after[name])
  })

const editsAt = (
  entry: AttributeEntry,
  place: Path,
  before: Json | undefined,
  after: Json | undefined,
): readonly Edit[] => {
  if (after === undefined || after === null) return (before ?? null) === null ? [] : [cleared(entry, place)]
  if (before !== undefined && canonicalJson(before) === canonicalJson(after)) return []
  if (entry.as === undefined && isOpen(after)) {
    const was = isOpen(before) ? before : {}
    if (entry.type === 'object' && entry.attributes !== undefined)
      return memberEdits(entry.attributes, place, was, after)
    const isOurs = isOpen(before) || entry.manage === 'declared' || entry.partial === true
    if (isOurs && (entry.type === 'map' || entry.type === 'any')) return keyEdits(entry, place, was, after)
  }
  const key = entry.type === 'set' ? bodyKey(entry) : undefined
  return [{ place, value: encodeValue(entry, after, 'update'), ...defined({ key }) }]
}

const cleared = (entry: AttributeEntry, place: Path): Edit =>
  entry.clearAs === null ? { place, value: null } : { place }

/** An object whose members can be looked at one by one. */
const isOpen = (value: Json | undefined): value is JsonObject => isObject(value) && !isMark(value) && !isLiteral(value)

const memberEdits = (entries: Entries, place: Path, before: JsonObject, after: JsonObject): readonly Edit[] =>
  Object.entries(entries).flatMap(([member, entry]) => {
    const [was, now] = [before[member], after[member]]
    if (!isSent(entry, 'update') || (was === undefined && now === undefined)) return []
    // What an object does not declare stays as it is; null asks for it to go.
    if (now === undefined || (now === null && (was === undefined || was === null))) return []
    return editsAt(entry, [...place, ...placeIn(entry, member)], was, now)
  })

const keyEdits = (entry: AttributeEntry, place: Path, before: JsonObject, after: JsonObject): readonly Edit[] => {
  const element: AttributeEntry = entry.element ?? { type: 'any' }
  const isPlain = entry.type === 'any'
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): readonly Edit[] => {
    const inner = [...place, key]
    const [was, now] = [before[key], after[key]]
    if (now === undefined) return [{ place: inner }]
    // In untyped JSON, null is an ordinary value.
    if (now === null && isPlain) return was === null ? [] : [{ place: inner, value: null }]
    return editsAt(element, inner, was, now)
  })
}

/** The key of a set's elements by the names that its members have in a body; none where one has another place or form. */
const bodyKey = ({ key, element }: AttributeEntry): readonly string[] | undefined => {
  const members = key?.map((name) => {
    const entry = element?.attributes?.[name]
    const [step, ...deeper] = entry === undefined ? [] : placeIn(entry, name)
    return deeper.length > 0 || entry?.as !== undefined ? undefined : step
  })
  return members?.every((member) => typeof member === 'string') ? members : undefined
}
