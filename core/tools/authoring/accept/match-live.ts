import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { isArray, isObject, type JsonList, type MaybeJson } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'

export interface Pairing {
  readonly before?: number
  readonly after?: number
}

interface ListSides {
  /** Canonical; `undefined` for an ignored element. */
  readonly before: readonly MaybeJson[]
  readonly after: JsonList
  readonly isOrdered: boolean
  /** Tells whether the written element already means the live one. */
  readonly fits: (before: number, after: number) => boolean
}

/** With more comparisons than this, elements are matched by position. */
const maxCells = 250_000

export const matchLive = (sides: ListSides): readonly Pairing[] => {
  const fitting = sides.isOrdered ? inOrder(sides) : anywhere(sides)
  const pairs: Pairing[] = []
  const used = new Set(fitting.map(([, after]) => after))
  let [before, after] = [0, 0]
  const gap = (untilBefore: number, untilAfter: number): void => {
    const left = range(before, untilBefore)
    const right = sides.isOrdered ? range(after, untilAfter) : []
    pairs.push(...(sides.isOrdered ? alike(left, right, sides) : left.map((each) => ({ before: each }))))
  }
  for (const [fitBefore, fitAfter] of fitting) {
    gap(fitBefore, fitAfter)
    pairs.push({ before: fitBefore, after: fitAfter })
    before = fitBefore + 1
    after = fitAfter + 1
  }
  gap(sides.before.length, sides.after.length)
  if (sides.isOrdered) return pairs
  const free = range(0, sides.after.length).filter((each) => !used.has(each))
  return paired(pairs, free, sides)
}

const range = (start: number, end: number): readonly number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)

const anywhere = ({ before, after, fits }: ListSides): readonly (readonly [number, number])[] => {
  const free = new Set(after.keys())
  return [...before.keys()].flatMap((index) => {
    const found = [...free].find((live) => fits(index, live))
    if (found === undefined) return []
    free.delete(found)
    return [[index, found] as const]
  })
}

/** Finds a longest common subsequence. */
const inOrder = ({ before, after, fits }: ListSides): readonly (readonly [number, number])[] => {
  const [rows, columns] = [before.length, after.length]
  if (rows * columns > maxCells) {
    return range(0, Math.min(rows, columns)).flatMap((index) => (fits(index, index) ? [[index, index] as const] : []))
  }
  const width = columns + 1
  const best = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => best[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const both = fits(row, column) ? at(row + 1, column + 1) + 1 : 0
      best[row * width + column] = Math.max(both, at(row + 1, column), at(row, column + 1))
    }
  }
  const found: (readonly [number, number])[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (fits(row, column) && at(row, column) === at(row + 1, column + 1) + 1) found.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return found
}

const alike = (left: readonly number[], right: readonly number[], sides: ListSides): readonly Pairing[] =>
  range(0, Math.max(left.length, right.length)).flatMap((index): readonly Pairing[] => {
    const [before, after] = [left[index], right[index]]
    if (before === undefined) return after === undefined ? [] : [{ after }]
    if (after === undefined) return [{ before }]
    return isSimilar(sides.before[before], sides.after[after]) ? [{ before, after }] : [{ before }, { after }]
  })

const paired = (pairs: readonly Pairing[], free: readonly number[], sides: ListSides): readonly Pairing[] => {
  const left = new Set(free)
  const known = pairs.map(({ before, after }): Pairing => {
    if (before === undefined || after !== undefined) return { ...defined({ before }), ...defined({ after }) }
    const found = [...left].find((live) => isSimilar(sides.before[before], sides.after[live]))
    if (found === undefined) return { before }
    left.delete(found)
    return { before, after: found }
  })
  return [...known, ...[...left].map((after) => ({ after }))]
}

const isSimilar = (before: MaybeJson, after: MaybeJson): boolean => {
  if (isArray(before) && isArray(after)) return true
  if (!isObject(before) || !isObject(after)) return false
  return Object.entries(before).some(([name, value]) => Object.hasOwn(after, name) && isEqual(value, after[name]))
}
