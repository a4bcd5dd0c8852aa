import type { Issue } from '../issue.ts'
import type { Position } from '../resource.ts'

/** `error`: the document cannot be used. `warning`: it and the description disagree, and either may be right. */
export interface ProviderFinding extends Issue {
  /** The kind of disagreement, such as `noPath`; absent if the document cannot be used. */
  readonly code?: string
  readonly severity: 'error' | 'warning'
  /** RFC 6901, into the description. */
  readonly pointer?: string
}

/** A part of a description that could not be used. The rest of the description is used. */
export interface DescriptionNote {
  readonly pointer: string
  readonly message: string
}

/** A warning that the document answers. */
interface WaivedWarning extends Position {
  readonly message: string
  readonly reason: string
}

interface Uncompared extends Position {
  readonly reason: string
  readonly pointer?: string
}

export interface ProviderReport {
  readonly document: string
  readonly description?: string
  /** Empty if the document has errors. */
  readonly types: readonly string[]
  /** Sorted as in the document. */
  readonly findings: readonly ProviderFinding[]
  /** Sorted as in the document. */
  readonly waived: readonly WaivedWarning[]
  readonly uncompared: readonly Uncompared[]
  /** Mistakes of the description, as far as it was read. */
  readonly notes: readonly DescriptionNote[]
}
