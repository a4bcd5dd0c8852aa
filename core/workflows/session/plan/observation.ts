import type { PlannedResource } from '../../../plan/planning.ts'
import type { ResourceType, Target } from '../../../providers/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { NamedReference, NotLookedInto, Plan, Unmanaged } from '../../../schema/plan.ts'
import type { Address, DesiredResource, Doubt, ReadResult, RecordedResource } from '../../../schema/resource.ts'

/** One read of one object. */
export interface ReadOutcome {
  /** Sensitive values are sealed. */
  readonly result: ReadResult
  /** As it came, for values that only pass through: they are sent, never stored. Absent where nothing was read. */
  readonly raw?: JsonObject
}

/** Which object it is cannot be told. */
export const ambiguous = (detail: string): ReadOutcome => ({ result: { kind: 'unknown', reason: 'ambiguous', detail } })

/** Which object one resource is by itself. */
export interface Located {
  readonly looked: ReadOutcome
  /** The object as it is known by now; where there is none, the one that is to be made. */
  readonly target: Target
  /** What was found is the object of the record. */
  readonly isOwn: boolean
  /** Where it is not decided: the objects that it may be, as `object` of their sightings. */
  readonly candidates?: readonly string[]
  /** What this run found that speaks against the record. */
  readonly doubt?: Doubt
  /** An id that is never given again leads to it. */
  readonly isProven?: true
}

/** One resource after its read, with what its requests and its record are made of. */
export interface ObservedResource extends Located {
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Absent where the configuration has no provider for it any more. */
  readonly type?: ResourceType
  readonly provider: string
  readonly place: string
  /** Canonical attributes as configured; absent where what they refer to could not be found. */
  readonly wanted?: JsonObject
  /** The objects behind the references of what is configured. */
  readonly refs?: JsonObject
  /** Attributes that the configuration gives by a reference. */
  readonly refersBy?: readonly string[]
  /** Who the caller is, where requests of the type say that. */
  readonly as?: JsonObject
  /** What these references are called in the configuration. */
  readonly named?: readonly Omit<NamedReference, 'address'>[]
}

/** A resource whose object is nobody else's, or says whose. */
export interface BoundResource extends ObservedResource {
  /** The record came from there. */
  readonly previousAddress?: Address
  /** Its object is declared under this address now. */
  readonly movedTo?: Address
}

/** What exists beside the declared resources. */
export interface ListedUnmanaged {
  readonly found: readonly Unmanaged[]
  /** Lists that failed: what they would have shown is not known. */
  readonly unchecked: readonly PlannedResource[]
  /** What no list is asked for about. */
  readonly notLookedInto: readonly NotLookedInto[]
}

/** All that was read of a workspace, once or long ago. */
export interface Observation {
  readonly resources: ReadonlyMap<Address, BoundResource>
  readonly unmanaged: ListedUnmanaged
}

/** A resource with what the plan says of it. */
export interface ResourcePlan extends BoundResource {
  readonly planned: PlannedResource
}

export interface WorkspacePlan {
  readonly plan: Plan
  readonly resources: ReadonlyMap<Address, ResourcePlan>
}

/** How the objects of a type are told apart; by their keys alone where it says nothing. */
export const rulesOf = ({ identity = { readable: false } }: ResourceType): NonNullable<ResourceType['identity']> =>
  identity
