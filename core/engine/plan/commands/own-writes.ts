import { compare } from '../../diff/compare.ts'
import { elementFacts, plainAny, rootOf } from '../../diff/matching/facts.ts'
import { byKey, formText, isKeyed } from '../../diff/matching/keys.ts'
import { overlay } from '../../diff/overlay.ts'
import { withValueAt } from '../../diff/paths.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Footprint } from '../../schema/command.ts'
import { isSame } from '../../schema/diff.ts'
import { isArray, type Json, type JsonObject, type MaybeJson, type Path } from '../../schema/json.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { holdsUnknown } from '../../values/marks/marks.ts'
import { mapMembers } from '../../values/members.ts'
import { writeOnlyValues } from '../record/write-only.ts'
import { changeable, withoutComputed } from './seen-digest.ts'

/* Before each write, the object must be as observed, with exactly the effects of our own writes. */

/** What our commands have changed in an object so far. */
export interface OwnWrites {
  /** Without values that cannot be read. */
  readonly written: JsonObject
  readonly whole: ReadonlySet<string>
  /** Elements that were written one by one, by attribute: key -> whether the element must exist. */
  readonly elements: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  /** Attributes whose value one of our commands may also have changed. */
  readonly affected: ReadonlySet<string>
}

export const nothingWritten: OwnWrites = { written: {}, whole: new Set(), elements: new Map(), affected: new Set() }

/** Adds one finished command. `after`: the object as the change makes it, with placeholders filled in. */
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
  const moved = [
    ...affects,
    ...sets.flatMap((name) => schema.attributes[name]?.witness ?? []),
    ...beginningWith(schema, sets),
  ]
  return { ...listed, affected: new Set([...listed.affected, ...moved]) }
}

/**
 * Attributes that begin or stop to apply when one of `sets` is written: the target may give them the value of the last
 * time, or none.
 */
const beginningWith = ({ attributes }: ObjectSchema, sets: readonly string[]): readonly string[] =>
  Object.keys(attributes).filter((name) =>
    Object.keys(attributes[name]?.appliesWhen ?? {}).some((condition) => sets.includes(condition)),
  )

const withoutWriteOnly = (schema: ObjectSchema, after: JsonObject): JsonObject =>
  writeOnlyValues(schema, after).reduce((value, { path }) => withValueAt(schema, value, path, undefined), after)

const withWhole = (schema: ObjectSchema, own: OwnWrites, name: string, after: JsonObject): OwnWrites => {
  const facts = schema.attributes[name]
  const value = after[name] ?? null
  // Values that cannot be read, or are still unknown, cannot be compared.
  if (facts === undefined || facts.writeOnly || facts.createOnly || holdsUnknown(value)) {
    return { ...own, affected: new Set([...own.affected, name]) }
  }
  const affected = new Set(own.affected)
  affected.delete(name)
  const elements = new Map(own.elements)
  elements.delete(name)
  return { written: { ...own.written, [name]: value }, whole: new Set([...own.whole, name]), elements, affected }
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
  const elementsLeft = [...keys].flatMap(([key, isThere]) => (isThere ? (now.get(key) ?? []) : []))
  return { ...own, written: { ...own.written, [of]: elementsLeft }, elements: new Map([...own.elements, [of, keys]]) }
}

const keyOf = (facts: Attribute, element: Json): string => [...elementsOf(facts, [element]).keys()][0] ?? ''

/** Elements by key; the key of an element without a key is the element itself. */
const elementsOf = (facts: Attribute, elements: MaybeJson): Map<string, Json> => {
  const list = isArray(elements) ? elements : []
  if (isKeyed(facts)) return byKey(facts, list)
  return new Map(list.map((element) => [formText(elementFacts(facts), element), element]))
}

/**
 * Where an object differs from the observation with our own writes: what we wrote must hold, and everything else must
 * be unchanged. `observed` is absent for an object that we created and nobody has read yet: then only our writes can be
 * compared, and values that the server adds to a new object are not foreign changes.
 */
export const movedBesides = (
  schema: ObjectSchema,
  observed: JsonObject | undefined,
  own: OwnWrites,
  now: JsonObject,
): readonly Path[] => {
  const expected = mapMembers(own.written, (value, name) => (own.affected.has(name) ? undefined : value))
  const kept = overlay(heldOf(schema, own, observed === undefined), expected, now)
  const written = kept === now ? [] : pathsOf(compare(schema, kept, now))
  const removed = [...own.elements].flatMap(([name, keys]) => {
    const there = elementsOf(schema.attributes[name] ?? plainAny, now[name])
    return [...keys].flatMap(([key, isThere]): Path[] => (!isThere && there.has(key) ? [[name, key]] : []))
  })
  const rest =
    observed === undefined ? [] : pathsOf(compare(schema, restOf(schema, own, observed), restOf(schema, own, now)))
  return [...written, ...removed, ...rest]
}

const pathsOf = (diff: ReturnType<typeof compare>): readonly Path[] => (isSame(diff) ? [] : changedPaths(diff))

/** Elements that are written one by one do not affect the other elements; a new object may have more than was sent. */
const heldOf = ({ attributes }: ObjectSchema, { elements }: OwnWrites, isNew: boolean): ObjectSchema => ({
  attributes: mapMembers(attributes, (facts, name) =>
    elements.has(name) || isNew ? { ...facts, manage: 'declared' as const } : facts,
  ),
})

/** Whether an object has the element of an attribute, by its key. */
export const hasElement = ({ attributes }: ObjectSchema, of: string, object: JsonObject, element: Json): boolean => {
  const facts = attributes[of] ?? plainAny
  return elementsOf(facts, object[of]).has(keyOf(facts, element))
}

/** The object without our own writes, and without values that change by themselves. */
const restOf = (schema: ObjectSchema, { whole, elements, affected }: OwnWrites, object: JsonObject): JsonObject => {
  const rest = mapMembers(object, (value, name): MaybeJson => {
    if (whole.has(name) || affected.has(name)) return undefined
    const ours = elements.get(name)
    if (ours === undefined || !isArray(value)) return value
    const left = [...elementsOf(schema.attributes[name] ?? plainAny, value)].filter(([key]) => !ours.has(key))
    return left.map(([, element]) => element)
  })
  return changeable(schema, rest as JsonObject)
}
