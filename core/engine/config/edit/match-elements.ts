import { isArray, isObject, type Json, type JsonList } from '../../schema/json.ts'

/** Indices of an element in the old list, in the new list, or in both. */
export interface Match {
  readonly before?: number
  readonly after?: number
}

/** Number of comparisons; with more, elements are matched by their position. */
const maxCells = 1_000_000

export const isEqualJson = (one: Json | undefined, other: Json | undefined): boolean => {
  if (one === other) return true
  if (isArray(one) && isArray(other))
    return one.length === other.length && one.every((element, place) => isEqualJson(element, other[place]))
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqualJson(one[name], other[name]))
  )
}

/** From 0 to 2: 2 means equal, 0 means that one cannot be a changed version of the other. */
const likeness = (one: Json, other: Json): number => {
  if (isEqualJson(one, other)) return 2
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one)
    const equal = names.filter((name) => Object.hasOwn(other, name) && isEqualJson(one[name], other[name])).length
    return equal / Math.max(1, names.length, Object.keys(other).length)
  }
  return isArray(one) === isArray(other) && isObject(one) === isObject(other) ? 0.1 : 0
}

const byPosition = (before: number, after: number, from: number): Match[] =>
  Array.from({ length: Math.max(before, after) }, (_, place) => ({
    ...(place < before ? { before: from + place } : {}),
    ...(place < after ? { after: from + place } : {}),
  }))

/** Finds which new element is a changed old one. Keeps the order of both lists. */
export const matchElements = (before: JsonList, after: JsonList): readonly Match[] => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isEqualJson(before[head], after[head])) head++
  let tail = 0
  while (tail < shorter - head && isEqualJson(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const [left, right] = [before.length - head - tail, after.length - head - tail]
  const same = byPosition(head, head, 0)
  const end = Array.from({ length: tail }, (_, place) => ({
    before: before.length - tail + place,
    after: after.length - tail + place,
  }))
  const middle =
    left * right > maxCells
      ? byPosition(left, right, head)
      : align(before.slice(head, head + left), after.slice(head, head + right), head)
  return [...same, ...middle, ...end]
}

const align = (before: JsonList, after: JsonList, from: number): readonly Match[] => {
  const width = after.length + 1
  const best = new Float64Array((before.length + 1) * width)
  const scores = new Float64Array((before.length + 1) * width)
  const at = (row: number, column: number): number => best[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const score = likeness(before[row] ?? null, after[column] ?? null)
      scores[row * width + column] = score
      const both = score > 0 ? score + at(row + 1, column + 1) : 0
      best[row * width + column] = Math.max(both, at(row + 1, column), at(row, column + 1))
    }
  }
  const matches: Match[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const score = scores[row * width + column] ?? 0
    const isBoth =
      row < before.length && column < after.length && score > 0 && at(row, column) === score + at(row + 1, column + 1)
    const isGone =
      !isBoth && row < before.length && (column === after.length || at(row, column) === at(row + 1, column))
    matches.push({
      ...(isBoth || isGone ? { before: from + row } : {}),
      ...(isGone ? {} : { after: from + column }),
    })
    if (isBoth || isGone) row++
    if (!isGone) column++
  }
  return matches
}
