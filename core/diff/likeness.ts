import type { Json } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { canonicalText, isEqual } from './canonical.ts'

/** How much two values have in common, from 0 (nothing) to 1 (equal): decides whether a list shows one update. */
export const likeness = (left: Json, right: Json): number => {
  if (isEqual(left, right)) return 1
  if (isMark(left) || isMark(right)) return 0
  if (isObject(left) && isObject(right)) {
    const members = new Set([...Object.keys(left), ...Object.keys(right)])
    let common = 0
    for (const member of members) {
      const both = Object.hasOwn(left, member) && Object.hasOwn(right, member)
      if (both) common += likeness(left[member] as Json, right[member] as Json)
    }
    return common / members.size
  }
  if (isArray(left) && isArray(right)) return sharedElements(left, right)
  return typeof left === 'string' && typeof right === 'string' ? sharedEnds(left, right) : 0
}

const sharedElements = (left: readonly Json[], right: readonly Json[]): number => {
  const there = Map.groupBy(left, canonicalText)
  const shared = right.filter((element) => there.get(canonicalText(element))?.pop() !== undefined)
  return (2 * shared.length) / (left.length + right.length)
}

const sharedEnds = (left: string, right: string): number => {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && left[head] === right[head]) head++
  let tail = 0
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  return (head + tail) / Math.max(left.length, right.length, 1)
}
