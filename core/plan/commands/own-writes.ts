import { compare } from '../../diff/compare.ts'
import { elementFacts, plainAny, rootOf } from '../../diff/facts.ts'
import { byKey, formText, isKeyed } from '../../diff/keys.ts'
import { overlay } from '../../diff/overlay.ts'
import { withValueAt } from '../../diff/paths.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Footprint } from '../../schema/command.ts'
import { isSame } from '../../schema/diff.ts'
import { isArray, type Json, type JsonObject, type MaybeJson, type Path } from '../../schema/json.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { holdsUnknown } from '../../values/marks.ts'
import { mapMembers } from '../../values/members.ts'
import { writeOnlyValues } from '../record/write-only.ts'
import { withoutComputed } from './seen-digest.ts'

/* Before each write the object must be what was seen, with exactly our own writes counted in. */

/** What is ours of an object by now. */
export interface OwnWrites {
  /** What was written, readable values only. */
  readonly wanted: JsonObject
  /** Attributes that were written as a whole. */
  readonly whole: ReadonlySet<string>
  /** Elements that were written one by one, by attribute: key -> whether it shall be there. */
  readonly elements: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  /** Attributes of which a command of ours may have moved the value. */
  readonly affected: ReadonlySet<string>
}

export const nothingWritten: OwnWrites = { wanted: {}, whole: new Set(), elements: new Map(), affected: new Set() }

/** With one more command that is done. `after`: what the change makes of the object, placeholders filled in. */
export const withCommand = (
  schema: ObjectSchema,
  own: OwnWrites,
  footprint: Footprint | undefined,
  after: JsonObject,
): OwnWrites => {
  const readable = withoutComputed(rootOf(schema), withoutWriteOnly(schema, after)) as JsonObject
  const { sets = [], elements = [], affects = [] } = footprint ?? { sets: Object.keys(readable) }
  const written = sets.reduce((before, name) => withWhole(schema, before, name, readable), own)
  const listed = elements.reduce((before, each) => withElements(schema, before, each, readable), written)
  const moved = [...affects, ...sets.flatMap((name) => schema.attributes[name]?.witness ?? [])]
  return { ...listed, affected: new Set([...listed.affected, ...moved]) }
}

const withoutWriteOnly = (schema: ObjectSchema, after: JsonObject): JsonObject =>
  writeOnlyValues(schema, after).reduce((value, { path }) => withValueAt(schema, value, path, undefined), after)

const withWhole = (schema: ObjectSchema, own: OwnWrites, name: string, after: JsonObject): OwnWrites => {
  const facts = schema.attributes[name]
  const value = after[name] ?? null
  // What nobody can read, or know even now, cannot be compared.
  if (facts === undefined || facts.writeOnly || holdsUnknown(value)) {
    return { ...own, affected: new Set([...own.affected, name]) }
  }
  const affected = new Set(own.affected)
  affected.delete(name)
  const elements = new Map(own.elements)
  elements.delete(name)
  return { wanted: { ...own.wanted, [name]: value }, whole: new Set([...own.whole, name]), elements, affected }
}

const withElements = (
  schema: ObjectSchema,
  own: OwnWrites,
  { of, written, removed }: NonNullable<Footprint['elements']>[number],
  after: JsonObject,
): OwnWrites => {
  const facts = schema.attributes[of] ?? plainAny
  if (own.whole.has(of)) return own
  const keys = new Map(own.elements.get(of))
  for (const element of removed) keys.set(keyOf(facts, element), false)
  for (const element of written) keys.set(keyOf(facts, element), true)
  const now = elementsOf(facts, after[of])
  const wanted = [...keys].flatMap(([key, isThere]) => (isThere ? (now.get(key) ?? []) : []))
  return { ...own, wanted: { ...own.wanted, [of]: wanted }, elements: new Map([...own.elements, [of, keys]]) }
}

const keyOf = (facts: Attribute, element: Json): string => [...elementsOf(facts, [element]).keys()][0] ?? ''

/** By key; an element without one is its own. */
const elementsOf = (facts: Attribute, elements: MaybeJson): Map<string, Json> => {
  const list = isArray(elements) ? elements : []
  if (isKeyed(facts)) return byKey(facts, list)
  return new Map(list.map((element) => [formText(elementFacts(facts), element), element]))
}

/**
 * Where an object is not what was seen with our own writes in it: what we wrote must hold, and everything else be as it
 * was. `seen` is absent for an object of ours that nobody has read yet: then only what we wrote can be compared, and what a
 * server adds of its own to a new object is none of somebody's.
 */
export const movedBesides = (
  schema: ObjectSchema,
  seen: JsonObject | undefined,
  own: OwnWrites,
  now: JsonObject,
): readonly Path[] => {
  const wanted = mapMembers(own.wanted, (value, name) => (own.affected.has(name) ? undefined : value))
  const kept = overlay(heldOf(schema, own, seen === undefined), wanted, now)
  const written = kept === now ? [] : pathsOf(compare(schema, kept, now))
  const removed = [...own.elements].flatMap(([name, keys]) => {
    const there = elementsOf(schema.attributes[name] ?? plainAny, now[name])
    return [...keys].flatMap(([key, isThere]): Path[] => (!isThere && there.has(key) ? [[name, key]] : []))
  })
  const rest = seen === undefined ? [] : pathsOf(compare(schema, restOf(schema, own, seen), restOf(schema, own, now)))
  return [...written, ...removed, ...rest]
}

const pathsOf = (diff: ReturnType<typeof compare>): readonly Path[] => (isSame(diff) ? [] : changedPaths(diff))

/** Elements that are written one by one say nothing of their neighbours; nor does a new object of what is added to it. */
const heldOf = ({ attributes }: ObjectSchema, { elements }: OwnWrites, isNew: boolean): ObjectSchema => ({
  attributes: mapMembers(attributes, (facts, name) =>
    elements.has(name) || isNew ? { ...facts, manage: 'declared' as const } : facts,
  ),
})

/** The object without what is ours, and without what moves by itself. */
const restOf = (schema: ObjectSchema, { whole, elements, affected }: OwnWrites, object: JsonObject): JsonObject => {
  const rest = mapMembers(object, (value, name): MaybeJson => {
    if (whole.has(name) || affected.has(name)) return undefined
    const ours = elements.get(name)
    if (ours === undefined || !isArray(value)) return value
    const left = [...elementsOf(schema.attributes[name] ?? plainAny, value)].filter(([key]) => !ours.has(key))
    return left.map(([, element]) => element)
  })
  return withoutComputed(rootOf(schema), rest) as JsonObject
}
