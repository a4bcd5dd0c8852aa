import { elementFacts, factsAlong, rootOf } from '../../diff/matching/facts.ts'
import { formText, isKeyed } from '../../diff/matching/keys.ts'
import { satisfies } from '../../diff/overlay.ts'
import { valueAtPath } from '../../diff/paths.ts'
import { fromPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, type Json, type JsonList, type JsonObject, type MaybeJson, type Path } from '../../schema/json.ts'
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
  const desired = valueAtPath(schema, input.after, path)
  const parent = along[path.length - 1]
  // If a recorded map or set lacks a key, the element did not exist; if a recorded object lacks a member, the member
  // was not observed.
  if (then === undefined && observed !== undefined && parent?.type === 'object') return 'new'
  // Where nothing describes the members, one that is null is there.
  const isNullThere = parent?.type === 'any'
  const isSame = (left: MaybeJson, right: MaybeJson): boolean => isSameValue(facts, left, right, isNullThere)
  const touched = facts.manage === 'declared' && !isKeyed(facts) ? touchedIn(facts, then, observed, desired) : undefined
  if (touched !== undefined)
    return judge(isSame(touched.observed, touched.former), isSame(touched.desired, touched.former))
  const isDesired = desired === undefined ? isSame(then, undefined) : satisfies(facts, then, desired)
  return judge(isSame(observed, then), isDesired)
}

/** Of sets in which others are left alone, the elements that the change adds or removes: what others do beside is no side of it. */
const touchedIn = (facts: Attribute, then: MaybeJson, observed: MaybeJson, desired: MaybeJson) => {
  if (facts.type !== 'set' || !isArray(then) || !isArray(observed) || !isArray(desired)) return undefined
  const textOf = (element: Json): string => formText(elementFacts(facts), element)
  const moved = new Set(observed.map(textOf)).symmetricDifference(new Set(desired.map(textOf)))
  const only = (list: JsonList): JsonList => list.filter((element) => moved.has(textOf(element)))
  return { former: only(then), observed: only(observed), desired: only(desired) }
}

const judge = (observedIsRecorded: boolean, desiredIsRecorded: boolean): Cause => {
  if (observedIsRecorded) return 'pending'
  return desiredIsRecorded ? 'drift' : 'conflict'
}

const isInside = (path: Path, outer: readonly string[]): boolean =>
  path.length >= outer.length && outer.every((step, index) => String(path[index]) === step)

const isSameValue = (facts: Attribute, left: MaybeJson, right: MaybeJson, isNullThere: boolean): boolean => {
  if (left !== undefined && right !== undefined) return formText(facts, left) === formText(facts, right)
  return isNullThere ? left === right : (left ?? null) === (right ?? null)
}
