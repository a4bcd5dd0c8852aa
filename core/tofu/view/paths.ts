import { isEqual } from '../../diff/canonical.ts'
import { valueAt } from '../../json/pointer.ts'
import type { Json, Path, Step } from '../../schema/json.ts'
import { isLiteral, isSensitive } from '../../schema/value.ts'
import { elementsOf, isList, type Value } from '../read/value.ts'

/** A path as a document writes it. An element of a set is named there by its value: the path ends before it. */
export const readPath = (steps: Value | undefined): Path => {
  const path: (string | number)[] = []
  for (const step of elementsOf(steps)) {
    if (typeof step === 'string') path.push(step)
    else if (typeof step === 'object' && step !== null && 'number' in step) path.push(Number(step.number))
    else break
  }
  return path
}

/** As much of a path as tells nothing of what is inside a secret. */
const openPart = (path: Path, sides: readonly (Json | undefined)[]): Path => {
  const lengths = sides.map((side) => openLength(path, side))
  return path.slice(0, Math.min(...lengths))
}

const openLength = (path: Path, side: Json | undefined): number => {
  let inner = side
  for (const [length, step] of path.entries()) {
    if (isSensitive(inner)) return length
    inner = insideOf(inner, step)
  }
  return path.length
}

const insideOf = (value: Json | undefined, step: Step): Json | undefined =>
  valueAt(isLiteral(value) ? value.$literal : value, [step])

/** Whether the values differ at a path, or at what of it may be looked at. */
export const isChangedAt = (path: Path, before: Json | undefined, after: Json | undefined): boolean => {
  const open = openPart(path, [before, after])
  const [old, now] = [before, after].map((side) => open.reduce(insideOf, side))
  return !isEqual(old ?? null, now ?? null)
}

/** Each path once. */
export const readPaths = (paths: Value | undefined, sides: readonly (Json | undefined)[]): readonly Path[] => {
  const read = elementsOf(paths)
    .filter(isList)
    .map((steps) => openPart(readPath(steps), sides))
  return [...new Map(read.map((path) => [JSON.stringify(path), path])).values()]
}
