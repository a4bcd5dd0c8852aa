import { type Diff, isSame } from '../schema/diff.ts'
import type { Path, Step } from '../schema/json.ts'

/**
 * The smallest changed parts that a path can name, in the order of the diff; `[[]]` for a resource that is created or
 * deleted.
 */
export const changedPaths = (diff: Diff): readonly Path[] => {
  const parts = partsOf(diff)
  if (isSame(diff)) return []
  if (diff.action !== 'update' || parts === undefined) return [[]]
  return parts.flatMap(([step, inner]) => changedPaths(inner).map((path) => [step, ...path]))
}

/** Inner nodes by step, if paths can name them; else `undefined`. */
const partsOf = (diff: Diff): readonly (readonly [Step, Diff])[] | undefined => {
  if (diff.kind === 'object' || diff.kind === 'map') return Object.entries(diff.members)
  if (diff.kind !== 'set') return undefined
  const parts = diff.elements.flatMap(({ key, diff: inner }) => (key === undefined ? [] : [[key, inner] as const]))
  return parts.length === diff.elements.length ? parts : undefined
}
