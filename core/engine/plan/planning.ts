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

/** What a resource type states, as far as a plan needs it. */
export interface TypeFacts {
  readonly schema: ObjectSchema
  readonly lifecycle?: TypeLifecycle
  /** Without `ids` the keys are all that tells two objects apart. */
  readonly identity?: { readonly ids?: IdentityRules['ids']; readonly followsKeys?: true }
}

/** Has `desired`, `recorded` or both; sensitive values are sealed, references resolved. */
export interface ResourceInput {
  readonly desired?: DesiredResource
  readonly facts: TypeFacts
  readonly observed: ReadResult
  readonly recorded?: RecordedResource
  /** Attributes whose configured value is not known, and why. All else is compared. */
  readonly open?: Readonly<Record<string, UnknownResult>>
  /** The observed object is the object of the record. */
  readonly isOwn?: boolean
  /** The former address of the record. */
  readonly previousAddress?: Address
  /** For a resource that left the configuration; absent: its object is deleted. */
  readonly orphan?: Orphan
  readonly ignoreRules: readonly IgnoreRule[]
  /** Day in UTC, `2027-01-31`. */
  readonly today: string
}

/** The plan of one resource, and the values that its requests are built from. */
export interface PlannedResource {
  readonly address: Address
  readonly change?: Change
  readonly drift?: Drift
  readonly unchecked?: Unchecked
  /** Top-level attributes that could not be read, declared or not. */
  readonly unread?: readonly string[]
  readonly unobserved: readonly Unobserved[]
  readonly ignored: readonly Ignored[]
  /** Where observed and desired differ, ignored or not: there the record stays. `fresh`: ignored paths that were never agreed. */
  readonly unsettled?: { readonly diff: Diff; readonly fresh: readonly Path[] }
  /** The digest of what was observed (`seenDigest`); null: nothing exists. Missing if it could not be read. */
  readonly observedDigest?: string | null
  /** Normalised and complete; for a resource that left the configuration, as recorded. Missing if nothing was read. */
  readonly desired?: JsonObject
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  /** Normalised: the archived object with the keys of the object that will be created. */
  readonly archived?: JsonObject
  /** Its record is not needed any more. */
  readonly forgotten?: true
  /** The rule for a resource that left the configuration. */
  readonly orphan?: Orphan
  /** The address under which the same object was recorded before. */
  readonly previousAddress?: Address
}

/** The parts of a planned resource that depend on what will happen to it. */
export type PlanFinding = Pick<PlannedResource, 'change' | 'drift' | 'after' | 'forgotten'> &
  Partial<Pick<PlannedResource, 'unobserved' | 'ignored' | 'unsettled'>>

/** One resource on its way through the planner. */
export interface Planning {
  readonly subject: DesiredResource | RecordedResource
  readonly facts: TypeFacts
  /** With the resource's own `lifecycle.manage` applied. */
  readonly schema: ObjectSchema
  readonly ignoring: Ignoring
  readonly record?: {
    /** Attributes after `normalise`. */
    readonly attributes: JsonObject
    readonly neverAgreed: readonly string[]
    readonly sent: NonNullable<RecordedResource['sent']>
  }
  /** The observed object is the object of the record. */
  readonly isOwn: boolean
}
