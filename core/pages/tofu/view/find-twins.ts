import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { memberOf } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import { isMark, isSensitive, isUnknown } from '../../../engine/schema/value.ts'
import type { ViewChange } from './plan-view.ts'

/** A change with the object before and after it. */
export interface ChangeSides {
  readonly change: ViewChange
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** The most pairs of one type that are compared; with more there is no result. */
const maxPairs = 10_000

/**
 * Objects that are deleted and created in one plan with the same known values: usually a rename without a `moved` block. By
 * change; each object has at most one twin.
 */
export const findTwins = (candidates: readonly ChangeSides[]): ReadonlyMap<ViewChange, string> => {
  const twins = new Map<ViewChange, string>()
  const managed = candidates.filter(({ change }) => change.mode === 'managed' && change.deposed === undefined)
  for (const group of Map.groupBy(managed, ({ change }) => change.type).values()) {
    const gone = group.filter(({ change }) => change.action === 'delete')
    const come = group.filter(({ change }) => change.action === 'create')
    if (gone.length * come.length > maxPairs) continue
    for (const { change, after } of come) {
      const twin = gone.find((other) => !twins.has(other.change) && isAlike(other.before, after))
      if (twin === undefined) continue
      twins.set(change, twin.change.address)
      twins.set(twin.change, change.address)
    }
  }
  return twins
}

/** All known values are equal, and there is at least one. */
const isAlike = (before: Json | undefined, after: Json | undefined): boolean =>
  isObject(before) && isObject(after) && fits(before, after) && Object.values(after).some(saysSomething)

const saysSomething = (value: Json): boolean => {
  if (isUnknown(value) || isSensitive(value) || value === null || value === false || value === '') return false
  if (isMark(value) || typeof value !== 'object') return true
  return Object.values(value).some(saysSomething)
}

const fits = (before: Json | undefined, after: Json | undefined): boolean => {
  if (isUnknown(after)) return true
  if (isMark(before) || isMark(after)) return isEqual(before, after)
  if (isArray(before) && isArray(after)) {
    return before.length === after.length && before.every((element, place) => fits(element, after[place]))
  }
  if (!isObject(before) || !isObject(after)) return isEqual(before ?? null, after ?? null)
  return Object.keys({ ...before, ...after }).every((name) => fits(memberOf(before, name), memberOf(after, name)))
}
