import { isArray, isObject, type Json, type MaybeJson } from '../../schema/json.ts'

/**
 * The form of RFC 8785, for keys of maps and for sorting; digests are made elsewhere. Text that is not valid Unicode
 * (half of a surrogate pair) has a form too, because every value that was read must be comparable.
 */
export const canonicalText = (value: Json): string => {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((member) => `${JSON.stringify(member)}:${canonicalText(value[member] as Json)}`).join(',')}}`
}

/** Compares UTF-16 code units, so that the result does not depend on a locale. */
export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Deep equality. The order of members is irrelevant, the order of elements is not. */
export const isEqual = (left: MaybeJson, right: MaybeJson): boolean => {
  if (left === right) return true
  if (isArray(left)) {
    return isArray(right) && left.length === right.length && left.every((element, i) => isEqual(element, right[i]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const members = Object.keys(left)
  return (
    members.length === Object.keys(right).length &&
    members.every((member) => Object.hasOwn(right, member) && isEqual(left[member], right[member]))
  )
}
