import type { Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { Problem } from './words.ts'

/** Where a document and a description of the same API disagree. Either may be right. */
export interface Disagreement extends Problem {
  /** In the document. */
  readonly path: Path
  /** In the description. */
  readonly pointer?: string
}

/** What could not be compared, and why. */
export interface Uncompared {
  readonly path: Path
  readonly reason: string
  readonly pointer?: string
}

export type Finding = Disagreement | Uncompared

/** A comparison yields what it finds; some also return the schema that they were looking for. */
export type Findings<Result = void> = Generator<Finding, Result>

export const disagreement = (path: Path, problem: Problem, pointer?: string): Finding => ({
  path,
  ...problem,
  ...defined({ pointer }),
})

export const uncompared = (path: Path, reason: string, pointer?: string): Finding => ({
  path,
  reason,
  ...defined({ pointer }),
})
