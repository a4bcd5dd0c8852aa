import type { Json, Path } from '../../schema/json.ts'
import { valueAt } from '../../schema/json.ts'
import { isSensitive } from '../../schema/value.ts'
import { elementsOf, isList, type Value } from '../value.ts'

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
export const openPart = (path: Path, sides: readonly (Json | undefined)[]): Path => {
  const hidden = path.findIndex((_, length) => sides.some((side) => isSensitive(valueAt(side, path.slice(0, length)))))
  return hidden < 0 ? path : path.slice(0, hidden)
}

/** Each path once. */
export const readPaths = (paths: Value | undefined, sides: readonly (Json | undefined)[]): readonly Path[] => {
  const read = elementsOf(paths)
    .filter(isList)
    .map((steps) => openPart(readPath(steps), sides))
  return [...new Map(read.map((path) => [JSON.stringify(path), path])).values()]
}
