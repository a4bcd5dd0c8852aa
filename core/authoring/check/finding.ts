import type { Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'

/** Where a document and a description of the same API disagree. Which of them is right, nobody knows here. */
export interface Disagreement {
  /** In the document. */
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** In the description. */
  readonly pointer?: string
}

/** What could not be compared, and why. */
interface Uncompared {
  readonly path: Path
  readonly reason: string
  readonly pointer?: string
}

export interface Comparison {
  readonly disagreements: readonly Disagreement[]
  readonly uncompared: readonly Uncompared[]
}

export const nothing: Comparison = { disagreements: [], uncompared: [] }

export const disagree = (path: Path, message: string, fix: string, pointer?: string): Comparison => ({
  disagreements: [{ path, message, fix, ...defined({ pointer }) }],
  uncompared: [],
})

export const uncompared = (path: Path, reason: string, pointer?: string): Comparison => ({
  disagreements: [],
  uncompared: [{ path, reason, ...defined({ pointer }) }],
})

/** Several as one; the same thing said twice is said once. */
export const together = (comparisons: readonly Comparison[]): Comparison => ({
  disagreements: unlike(comparisons.flatMap(({ disagreements }) => disagreements)),
  uncompared: unlike(comparisons.flatMap((one) => one.uncompared)),
})

const unlike = <One extends { readonly path: Path; readonly message?: string; readonly reason?: string }>(
  all: readonly One[],
): readonly One[] =>
  [
    ...new Map(all.toReversed().map((one) => [JSON.stringify([one.path, one.message ?? one.reason]), one])).values(),
  ].toReversed()
