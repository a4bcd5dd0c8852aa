const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The digits at a place, without leading zeros; empty if there are none. */
const numberAt = (text: string, start: number): string | undefined => {
  let end = start
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1
  return end === start ? undefined : text.slice(start, end).replace(/^0+(?=\d)/, '')
}

const plainly = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Where two texts begin to differ, or the beginning of the number that this place is a part of. */
const placeOfDifference = (one: string, other: string): number => {
  const least = Math.min(one.length, other.length)
  let place = 0
  while (place < least && one.charCodeAt(place) === other.charCodeAt(place)) place += 1
  while (place > 0 && isDigit(one.charCodeAt(place - 1))) place -= 1
  return place
}

/** The order in which people count: `f2` before `f10`. A total order: only equal texts are equal. */
export const naturally = (one: string, other: string): number => {
  const place = placeOfDifference(one, other)
  const [left, right] = [numberAt(one, place), numberAt(other, place)]
  if (left === undefined || right === undefined || left === right) return plainly(one, other)
  return left.length === right.length ? plainly(left, right) : left.length - right.length
}
