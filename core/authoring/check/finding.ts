import type { Diagnostic, Problem } from '../../schema/issue.ts'
import type { Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'

/** Where a document and a description of the same API disagree, by the place in the document. Either may be right. */
export interface Disagreement extends Problem {
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

export const disagreement = (path: Path, diagnostic: Diagnostic, pointer?: string): Finding => ({
  path,
  ...diagnostic,
  ...defined({ pointer }),
})

export const uncompared = (path: Path, reason: string, pointer?: string): Finding => ({
  path,
  reason,
  ...defined({ pointer }),
})
