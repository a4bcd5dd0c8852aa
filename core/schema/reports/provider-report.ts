import type { Issue } from '../issue.ts'
import type { Position } from '../resource.ts'

/** `error`: the document cannot be used. `warning`: it and the description disagree, and either may be right. */
export interface ProviderFinding extends Issue {
  /** What kind of disagreement it is, such as `noPath`; absent where the document cannot be used. */
  readonly code?: string
  readonly severity: 'error' | 'warning'
  /** RFC 6901, into the description. */
  readonly pointer?: string
}

/** Something in a description that could not be used, and where. The rest of it is. */
export interface DescriptionNote {
  readonly pointer: string
  readonly message: string
}

/** What could not be compared, and why. */
interface Uncompared extends Position {
  readonly reason: string
  readonly pointer?: string
}

/** A provider document looked at by itself and, where there is one, beside a description of its API. */
export interface ProviderReport {
  readonly document: string
  /** What it was compared with. */
  readonly description?: string
  /** Resource types; none where the document has errors. */
  readonly types: readonly string[]
  /** In the order of the document. */
  readonly findings: readonly ProviderFinding[]
  readonly uncompared: readonly Uncompared[]
  /** Of the description, as far as it was looked at. */
  readonly notes: readonly DescriptionNote[]
}
