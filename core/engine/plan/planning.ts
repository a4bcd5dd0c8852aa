import type { ObjectSchema } from '../schema/attribute.ts'
import type { Diff } from '../schema/diff.ts'
import type { JsonObject, Path } from '../schema/json.ts'
import type {
  Address,
  DesiredResource,
  IdentityRules,
  ReadResult,
  RecordedResource,
  TypeLifecycle,
  UnknownResult,
} from '../schema/resource.ts'
import type { IgnoreRule } from '../schema/rules.ts'
import type { Change, Drift, Ignored, Orphan, Unchecked, Unobserved } from '../schema/stored/plan.ts'
import type { Ignoring } from './ignore-rules.ts'

export interface TypeFacts {
  readonly schema: ObjectSchema
  readonly lifecycle?: TypeLifecycle
  /** Without `ids`, only the keys distinguish two objects. */
  readonly identity?: { readonly ids?: IdentityRules['ids']; readonly followsKeys?: true }
}

/** At least one of `desired` and `recorded` is set. Sensitive values are sealed, and references are resolved. */
export interface ResourceInput {
  readonly desired?: DesiredResource
  readonly facts: TypeFacts
  readonly observed: ReadResult
  readonly recorded?: RecordedResource
  /** Attributes whose configured value is not known, with the reason. All others are compared. */
  readonly open?: Readonly<Record<string, UnknownResult>>
  /** The observed object is the object of the record. */
  readonly isOwn?: boolean
  /** The object of the record is gone, and the observed one is another one with its name. */
  readonly isRemade?: true
  /** The record was made with another reading of the answers: a difference to it is no change of the target. */
  readonly isReadAnew?: true
  readonly previousAddress?: Address
  /** For a resource that left the configuration. Absent: its object is deleted. */
  readonly orphan?: Orphan
  readonly ignoreRules: readonly IgnoreRule[]
  /** Day in UTC, `2027-01-31`. */
  readonly today: string
}

export interface PlannedResource {
  readonly address: Address
  readonly change?: Change
  readonly drift?: Drift
  readonly unchecked?: Unchecked
  /** Top-level attributes that could not be read, declared or not. */
  readonly unread?: readonly string[]
  readonly unobserved: readonly Unobserved[]
  readonly ignored: readonly Ignored[]
  /**
   * The differences between observed and desired, ignored or not; the record of these parts does not change. `fresh`:
   * ignored paths that were never agreed.
   */
  readonly unsettled?: { readonly diff: Diff; readonly fresh: readonly Path[] }
  /**
   * The digest of what was observed (`seenDigest`). `null`: the object does not exist. Absent: it could not be read.
   */
  readonly observedDigest?: string | null
  /** Normalised and complete; for a resource that left the configuration, as recorded. Absent if nothing was read. */
  readonly desired?: JsonObject
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  /** Normalised: the archived object with the keys of the object that will be created. */
  readonly archived?: JsonObject
  /** The record is not needed any more. */
  readonly forgotten?: true
  readonly orphan?: Orphan
  /** What is observed is agreed now, although the record differs: it was read otherwise. */
  readonly isAgreedAnew?: true
  /** The address under which the same object was recorded before. */
  readonly previousAddress?: Address
}

/** The parts of a planned resource that depend on what will happen to it. */
export type PlanFinding = Pick<PlannedResource, 'change' | 'drift' | 'after' | 'forgotten'> &
  Partial<Pick<PlannedResource, 'unobserved' | 'ignored' | 'unsettled'>>

export interface Planning {
  readonly subject: DesiredResource | RecordedResource
  readonly facts: TypeFacts
  /** With the resource's own `lifecycle.manage` applied. */
  readonly schema: ObjectSchema
  readonly ignoring: Ignoring
  readonly record?: {
    readonly attributes: JsonObject
    readonly neverAgreed: readonly string[]
    readonly sent: NonNullable<RecordedResource['sent']>
  }
  /** The observed object is the object of the record. */
  readonly isOwn: boolean
  /** That object is to be replaced, whatever differs. */
  readonly isTainted?: true
}
