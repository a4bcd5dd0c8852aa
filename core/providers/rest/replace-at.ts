import type { Json, Path } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'

/** A copy with the value at a path; what is no object on the way there becomes one. */
export const replaceAt = (whole: Json, [first, ...rest]: Path, value: Json): Json => {
  if (first === undefined) return value
  const members = isObject(whole) ? whole : {}
  return { ...members, [first]: replaceAt(members[first] ?? {}, rest, value) }
}
