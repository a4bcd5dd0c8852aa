import { elementFacts, holds, memberFacts, rootOf } from '../../diff/matching/facts.ts'
import { byKey, isKeyed } from '../../diff/matching/keys.ts'
import { digest } from '../../json/digest.ts'
import { toPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import type { Cause } from '../../schema/stored/plan.ts'
import { isMark, isSensitive, isUnknown, sealOf } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'

/** A configured value that can be sent but never read back. */
interface WriteOnly {
  readonly path: Path
  readonly pointer: string
  readonly value: Json
  readonly facts: Attribute
}

export type Sent = NonNullable<RecordedResource['sent']>

/**
 * The declared values of write-only attributes; elements of keyed sets are named by key text. `desired` is normalised.
 */
export const writeOnlyValues = (schema: ObjectSchema, desired: JsonObject): readonly WriteOnly[] =>
  valuesIn(rootOf(schema), desired, [])

const valuesIn = (facts: Attribute, value: Json, path: Path): readonly WriteOnly[] => {
  if (facts.writeOnly) return [{ path, pointer: toPointer(path), value, facts }]
  if (isMark(value) || !holds(facts, 'writeOnly')) return []
  if (isArray(value)) {
    const elements = isKeyed(facts) ? [...byKey(facts, value)] : [...value.entries()]
    return elements.flatMap(([step, element]) => valuesIn(elementFacts(facts), element, [...path, step]))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) => {
    const innerFacts = memberFacts(facts, member)
    return innerFacts === undefined ? [] : valuesIn(innerFacts, inner, [...path, member])
  })
}

/** What is recorded of a sent value: a keyed digest for a secret; `undefined` if the value is not known yet. */
const digestOf = (value: Json): string | undefined => {
  if (isUnknown(value)) return undefined
  return isSensitive(value) ? sealOf(value) : digest(value)
}

/** The digest of the observed witness; it never comes from the configuration. */
const witnessOf = (facts: Attribute, observed: JsonObject): string | undefined => {
  const value = facts.witness === undefined ? undefined : observed[facts.witness]
  return value === undefined ? undefined : digest(value)
}

export interface WriteOnlyPlan {
  /** The values to send, by JSON pointer. */
  readonly changed: ReadonlyMap<string, Cause>
  /** Values that need not be sent. Whether the target still has them cannot be read. */
  readonly unobserved: readonly Path[]
  /** Witnesses that changed since the value was last sent: attribute -> digest of its former value. */
  readonly moved: ReadonlyMap<string, string>
}

/**
 * Compares the values with those that were last sent. If a value is fixed at creation, or if nothing is kept, an
 * existing object without a recorded sent value shows nothing about it.
 */
export const planWriteOnly = (
  values: readonly WriteOnly[],
  observed: JsonObject,
  sent: Sent = {},
  isUnkept = false,
): WriteOnlyPlan => {
  const changed = new Map<string, Cause>()
  const unobserved: Path[] = []
  const moved = new Map<string, string>()
  for (const { path, pointer, value, facts } of values) {
    const last = sent[pointer]
    const hasMoved = last?.witness !== undefined && witnessOf(facts, observed) !== last.witness
    if (hasMoved && facts.witness !== undefined) moved.set(facts.witness, last.witness)
    const cause = last === undefined && isUnkept ? undefined : causeOf(last, value, hasMoved, facts)
    if (cause === undefined) unobserved.push(path)
    else changed.set(pointer, cause)
  }
  return { changed, unobserved, moved }
}

const causeOf = (
  last: Sent[string] | undefined,
  value: Json,
  hasMoved: boolean,
  { immutable }: Attribute,
): Cause | undefined => {
  if (last === undefined) return immutable ? undefined : 'new'
  if (last.digest === digestOf(value)) return hasMoved ? 'drift' : undefined
  return hasMoved ? 'conflict' : 'pending'
}

/**
 * What to record as sent: the values for which `wasSent` is true, with their current witness; the others as recorded,
 * except that those for which `isOurs` is true also get their current witness.
 */
export const recordSent = (
  values: readonly WriteOnly[],
  observed: JsonObject,
  recorded: Sent = {},
  wasSent: (pointer: string) => boolean = () => false,
  isOurs: (pointer: string) => boolean = () => false,
): Sent =>
  Object.fromEntries(
    values.flatMap(({ pointer, value, facts }) => {
      const last = recorded[pointer]
      const witness = witnessOf(facts, observed)
      if (!wasSent(pointer)) {
        if (last === undefined) return []
        const isMoved = last.witness !== undefined && witness !== undefined && isOurs(pointer)
        return [[pointer, isMoved ? { ...last, witness } : last]]
      }
      const sealed = digestOf(value)
      return sealed === undefined ? [] : [[pointer, { digest: sealed, ...defined({ witness }) }]]
    }),
  )
