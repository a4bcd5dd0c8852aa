import type { ObjectSchema } from '../schema/attribute.ts'
import type { Diff } from '../schema/diff.ts'
import type { JsonObject, Path } from '../schema/json.ts'
import type { Change, Drift, Ignored, Unchecked, Unobserved } from '../schema/plan.ts'
import type { Address, DesiredResource, ReadResult, RecordedResource, TypeLifecycle } from '../schema/resource.ts'
import type { IgnoreRule } from '../schema/rules.ts'
import type { Ignoring } from './ignore-rules.ts'

/** What a resource type states, as far as a plan needs it. */
export interface TypeFacts {
  readonly schema: ObjectSchema
  readonly lifecycle?: TypeLifecycle
}

/** At least one of `desired` and `recorded`; sensitive values are sealed, references resolved. */
export interface ResourceInput {
  readonly desired?: DesiredResource
  readonly facts: TypeFacts
  readonly observed: ReadResult
  readonly recorded?: RecordedResource
  /** What was observed is the object of the record. */
  readonly isOwn?: boolean
  /** Where the record stood before. */
  readonly previousAddress?: Address
  readonly ignoreRules: readonly IgnoreRule[]
  /** Day in UTC, `2027-01-31`. */
  readonly today: string
}

/** What a plan says about one resource, and the values that requests are built from. */
export interface PlannedResource {
  readonly address: Address
  readonly change?: Change
  readonly drift?: Drift
  readonly unchecked?: Unchecked
  readonly unobserved: readonly Unobserved[]
  readonly ignored: readonly Ignored[]
  /** Where observed and desired differ, ignored or not: the record stays. `fresh`: ignored, never agreed. */
  readonly unsettled?: { readonly diff: Diff; readonly fresh: readonly Path[] }
  /** Of what was seen (`seenDigest`); null: nothing is there. Absent where it could not be read. */
  readonly observedDigest?: string | null
  /** Normalised and whole; of a resource that left the configuration, as recorded. Absent where nothing was read. */
  readonly desired?: JsonObject
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  /** Normalised: what is archived under the keys of what is to be made. */
  readonly archived?: JsonObject
  /** Its record has no purpose any more. */
  readonly forgotten?: true
  /** The same object was known under this address. */
  readonly previousAddress?: Address
}

/** The parts of a planned resource that depend on what is to happen to it. */
export type Finding = Pick<PlannedResource, 'change' | 'drift' | 'after' | 'forgotten'> &
  Partial<Pick<PlannedResource, 'unobserved' | 'ignored' | 'unsettled'>>

/** One resource on its way through the planner. */
export interface Planning {
  readonly subject: DesiredResource | RecordedResource
  readonly facts: TypeFacts
  /** With the resource's own `lifecycle.manage` in force. */
  readonly schema: ObjectSchema
  readonly ignoring: Ignoring
  readonly record?: {
    /** Canonical. */
    readonly attributes: JsonObject
    readonly neverAgreed: readonly string[]
    readonly sent: NonNullable<RecordedResource['sent']>
  }
  /** What was observed is the object of the record. */
  readonly isOwn: boolean
}
