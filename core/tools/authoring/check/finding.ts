import type { Problem } from '../../../engine/schema/issue.ts'
import type { Path } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'

/**
 * A difference between a document and a description of the same API, by its place in the document. Either may be right.
 */
interface Disagreement extends Problem {
  /** A JSON pointer into the description. */
  readonly pointer?: string
}

type UncomparedPlace = Pick<Disagreement, 'path' | 'pointer'> & { readonly reason: string }

export type DocumentFinding = Disagreement | UncomparedPlace

export type Findings<Result = void> = Generator<DocumentFinding, Result>

export const finding = <What extends Omit<Disagreement, 'path' | 'pointer'> | { readonly reason: string }>(
  path: Path,
  what: What,
  pointer?: string,
) => ({ path, ...what, ...defined({ pointer }) })
