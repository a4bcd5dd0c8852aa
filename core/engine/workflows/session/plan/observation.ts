import type { PlannedResource } from '../../../plan/planning.ts'
import type { OpenValues, ResourceType, Target } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Address, DesiredResource, Doubt, ReadResult, RecordedResource } from '../../../schema/resource.ts'
import type { NamedReference, NotLookedInto, Plan, Unmanaged } from '../../../schema/stored/plan.ts'

/** The result of reading one object. */
export interface ReadOutcome {
  /** Sensitive values are sealed. */
  readonly result: ReadResult
  /** The original values, for requests that pass them on: they are sent, never stored. Missing if nothing was read. */
  readonly raw?: JsonObject
}

/** The result if it cannot be decided which object it is. */
export const ambiguous = (detail: string): ReadOutcome => ({ result: { kind: 'unknown', reason: 'ambiguous', detail } })

/** Which object one resource is, decided without the other resources. */
export interface Located {
  readonly observed: ReadOutcome
  /** The current keys and ids of the object; if there is none, those of the object that will be created. */
  readonly target: Target
  /** The found object is the object of the record. */
  readonly isOwn: boolean
  /** The object of the record is gone, and the configuration says that this one is the object from now on. */
  readonly isInstead?: true
  /** If it is undecided: the objects that it may be, as `object` of their sightings. */
  readonly candidates?: readonly string[]
  /** A contradiction to the record that this run found. */
  readonly doubt?: Doubt
  /** An id that is never reused leads to it. */
  readonly isProven?: true
}

/** One resource after its read, with the data for its requests and its record. */
export interface ObservedResource extends Located {
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Missing if the configuration has no provider for it any more. */
  readonly type?: ResourceType
  readonly provider: string
  readonly place: string
  /** Canonical attributes as configured; missing if their references could not be resolved. */
  readonly desiredAttributes?: JsonObject
  /** The objects behind the references of the configured attributes. */
  readonly refs?: JsonObject
  /** Attributes that the configuration sets by a reference. */
  readonly refersBy?: readonly string[]
  /** The caller, if requests of the type use it. */
  readonly as?: JsonObject
  /** It was not read, because the requests of this check did not suffice. */
  readonly isLeftOut?: true
  /** It counts as absent without a search, because an object that it refers to will be created. */
  readonly isAssumed?: true
  /** Attributes whose configured value is not known. */
  readonly open?: OpenValues
  /** The names of these references in the configuration. */
  readonly named?: readonly Omit<NamedReference, 'address'>[]
}

/** A resource whose object belongs to no other resource, or with the address of the other one. */
export interface BoundResource extends ObservedResource {
  /** The former address of the record. */
  readonly previousAddress?: Address
  /** Its object is declared under this address now. */
  readonly movedTo?: Address
}

/** Objects that exist beside the declared resources. */
export interface ListedUnmanaged {
  readonly found: readonly Unmanaged[]
  /** Lists that failed: their objects are unknown. */
  readonly unchecked: readonly PlannedResource[]
  /** Types and places that no list covers. */
  readonly notLookedInto: readonly NotLookedInto[]
}

/** Everything that was read of a workspace, now or earlier. */
export interface Observation {
  readonly resources: ReadonlyMap<Address, BoundResource>
  readonly unmanaged: ListedUnmanaged
}

/** A resource with its part of the plan. */
export interface ResourcePlan extends BoundResource {
  readonly planned: PlannedResource
}

export interface WorkspacePlan {
  readonly plan: Plan
  readonly resources: ReadonlyMap<Address, ResourcePlan>
}

/** How the objects of a type are distinguished; by their keys alone if the type does not say it. */
export const rulesOf = ({ identity = { readable: false } }: ResourceType): NonNullable<ResourceType['identity']> =>
  identity
