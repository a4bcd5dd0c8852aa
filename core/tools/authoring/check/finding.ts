import type { Problem } from '../../../engine/schema/issue.ts'
import type { Path } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'

/** Where a document and a description of the same API disagree, by the place in the document. Either may be right. */
interface Disagreement extends Problem {
  /** In the description. */
  readonly pointer?: string
}

/** What could not be compared, and why. */
type UncomparedPlace = Pick<Disagreement, 'path' | 'pointer'> & { readonly reason: string }

export type DocumentFinding = Disagreement | UncomparedPlace

/** A comparison yields what it finds; some also return the schema that they were looking for. */
export type Findings<Result = void> = Generator<DocumentFinding, Result>

export const finding = <What extends Omit<Disagreement, 'path' | 'pointer'> | { readonly reason: string }>(
  path: Path,
  what: What,
  pointer?: string,
) => ({ path, ...what, ...defined({ pointer }) })
