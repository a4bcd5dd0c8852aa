import type { Diff } from '../../../engine/schema/diff.ts'
import type { JsonObject, Path } from '../../../engine/schema/json.ts'
import type { Invocation } from '../read/read-invocations.ts'
import type { ImportHead, ResourceHead, StateHead } from '../read/read-resource.ts'
import type { TofuMode, UnreadEntry } from '../read/shapes.ts'

/*
 * A plan or a state of OpenTofu or Terraform as our own pages show it. The report of `compat` is something else: the
 * differences as the product itself would find them.
 */

export interface ViewChange
  extends Omit<ResourceHead, 'moduleAddress' | 'index' | 'provider' | 'change' | 'importing'> {
  /** For example `module.eu["a"].module.web`. */
  readonly module?: string
  readonly importing?: ViewImport
  /** Address of one of the same type that goes where this one comes, or comes where it goes, and is the same as far as known. */
  readonly twin?: string
  /** Whose change forces the replacement, whether the diff shows a change there or not. */
  readonly replacePaths: readonly Path[]
  readonly diff: Diff
  /**
   * Where values come from that are known only after apply: what the configuration refers to there. Elements by their
   * index in the document, of sets, too. The first reference is also in the `$ref` of the value's mark.
   */
  readonly sources: readonly { readonly path: Path; readonly references: readonly string[] }[]
}

export interface ViewImport extends Omit<ImportHead, 'identity'> {
  readonly identity?: JsonObject
}

export interface ViewOutput {
  readonly name: string
  readonly diff: Diff
}

export interface ViewInvocation extends Pick<Invocation, 'address' | 'trigger'> {
  /** What it is invoked with; the diff is `same` throughout. */
  readonly config?: Diff
  /** Why it is left to a later plan. */
  readonly deferred?: string
}

/** An entry of `checks`, one for each instance. */
export interface ViewCheck {
  readonly address: string
  readonly kind: string
  readonly status: string
  readonly problems: readonly string[]
}

/** A state's object; the diff is `same` throughout. */
export interface ViewObject extends Omit<StateHead, 'provider' | 'values' | 'sensitive'> {
  readonly module?: string
  readonly diff: Diff
}

export interface PlanView {
  readonly kind: 'plan'
  readonly mode: TofuMode
  /** Planning failed part-way: only what was planned before is here. */
  readonly errored: boolean
  /** False if a later plan has more to do. */
  readonly complete: boolean
  /** The document is of a later minor version than is known. */
  readonly newer: boolean
  /** Members of the document that are not known here, and not shown. */
  readonly unknownMembers: readonly string[]
  /** In the order of the document, without no-ops that neither move nor import. */
  readonly changes: readonly ViewChange[]
  /** How many no-ops are left out of `changes`. */
  readonly unchanged: number
  /** Changed outside, and of consequence for this plan (`relevant_attributes`), or the mode is refresh-only. */
  readonly drift: readonly ViewChange[]
  /** Changed outside, without consequence. */
  readonly otherDrift: number
  readonly deferred: readonly { readonly reason: string; readonly change: ViewChange }[]
  /** Changed ones only. */
  readonly outputs: readonly ViewOutput[]
  /** Absent where there are none. */
  readonly invocations?: readonly ViewInvocation[]
  /** All but those that passed. */
  readonly checks: readonly ViewCheck[]
  readonly problems: readonly UnreadEntry[]
}

export interface StateView {
  readonly kind: 'state'
  readonly newer: boolean
  readonly unknownMembers: readonly string[]
  readonly objects: readonly ViewObject[]
  readonly outputs: readonly ViewOutput[]
  readonly checks: readonly ViewCheck[]
  readonly problems: readonly UnreadEntry[]
}

export type View = PlanView | StateView
