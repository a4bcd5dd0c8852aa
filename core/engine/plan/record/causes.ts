import { factsAlong, rootOf } from '../../diff/matching/facts.ts'
import { formText } from '../../diff/matching/keys.ts'
import { satisfies } from '../../diff/overlay.ts'
import { valueAtPath } from '../../diff/paths.ts'
import { fromPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { JsonObject, MaybeJson, Path } from '../../schema/json.ts'
import type { Cause } from '../../schema/stored/plan.ts'

export interface CauseInput {
  readonly schema: ObjectSchema
  /** Canonical attributes of the record; absent without a record. */
  readonly recorded?: JsonObject | undefined
  readonly neverAgreed?: readonly string[] | undefined
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/** Which side of a changed path changed since both last agreed. */
export const causeAt = (input: CauseInput, path: Path): Cause => {
  const { schema, recorded, neverAgreed = [] } = input
  if (recorded === undefined || neverAgreed.some((pointer) => isInside(path, fromPointer(pointer)))) return 'new'
  const along = [rootOf(schema), ...factsAlong(schema, path)]
  const facts = along[path.length] ?? { type: 'any' }
  const then = valueAtPath(schema, recorded, path)
  const observed = valueAtPath(schema, input.before, path)
  // If a recorded map or set lacks a key, the element did not exist; if a recorded object lacks a member, the member
  // was not observed.
  if (then === undefined && observed !== undefined && along[path.length - 1]?.type === 'object') return 'new'
  return judge(isSameValue(facts, observed, then), isAsDesired(facts, then, valueAtPath(schema, input.after, path)))
}

const judge = (observedIsRecorded: boolean, desiredIsRecorded: boolean): Cause => {
  if (observedIsRecorded) return 'pending'
  return desiredIsRecorded ? 'drift' : 'conflict'
}

const isInside = (path: Path, outer: readonly string[]): boolean =>
  path.length >= outer.length && outer.every((step, index) => String(path[index]) === step)

const isSameValue = (facts: Attribute, left: MaybeJson, right: MaybeJson): boolean =>
  left === undefined || right === undefined
    ? (left ?? null) === (right ?? null)
    : formText(facts, left) === formText(facts, right)

/** The record may contain more than is declared: undeclared parts match anything. */
const isAsDesired = (facts: Attribute, then: MaybeJson, desired: MaybeJson): boolean =>
  desired === undefined ? (then ?? null) === null : satisfies(facts, then, desired)
