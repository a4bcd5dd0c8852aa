import type { PlannedResource } from '../../../plan/planning.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { OpenValues } from '../../../provider/references.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type {
  Address,
  DesiredResource,
  Doubt,
  ReadResult,
  RecordedResource,
  UnknownResult,
} from '../../../schema/resource.ts'
import type { Holdings } from '../../../schema/stored/holdings.ts'
import type { Drift, NamedReference, NotLookedInto, Plan, Unmanaged } from '../../../schema/stored/plan.ts'

export interface ReadOutcome {
  /** Sensitive values are sealed. */
  readonly result: ReadResult
  /**
   * Values in clear text, for requests that pass them on: they are sent, and never stored. Missing if nothing was read.
   */
  readonly raw?: JsonObject
}

/** The result if it cannot be decided which object a resource is. */
export const ambiguous = (detail: string, reason: UnknownResult['reason'] = 'ambiguous'): ReadOutcome => ({
  result: { kind: 'unknown', reason, detail },
})

/** Which object a resource is, decided without the other resources. */
export interface Located {
  readonly observed: ReadOutcome
  /** The current keys and ids of the object; without an object, those of the object that would be created. */
  readonly target: Target
  /** The found object is the one of the record. */
  readonly isOwn: boolean
  /** The object of the record is gone, and by the configuration this is the object from now on. */
  readonly isInstead?: true
  /** The object of the record is gone, and another one has its name, which others made: this one, if one is present. */
  readonly isRemade?: true
  /** Where the object of the record was seen that the configuration lists as gone. */
  readonly stillIn?: Drift['stillIn']
  /** If it is undecided which object it is: the possible ones, as `object` of their sightings. */
  readonly candidates?: readonly string[]
  /** A contradiction to the record, found in this run. */
  readonly doubt?: Doubt
  /** The object was found by an id that is never reused. */
  readonly isProven?: true
}

export interface ObservedResource extends Located {
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Missing if the configuration has no provider for the resource any more. */
  readonly type?: ResourceType
  readonly provider: string
  readonly place: string
  /** Canonical attributes as configured; missing if their references could not be resolved. */
  readonly desiredAttributes?: JsonObject
  /** The objects that the configured attributes refer to. */
  readonly refs?: JsonObject
  /** Attributes that the configuration sets by a reference. */
  readonly refersBy?: readonly string[]
  /** The caller, if requests of the type use it. */
  readonly as?: JsonObject
  /** The resource was not read, because the check may not send enough requests. */
  readonly isLeftOut?: true
  /** The caller, if the provider says who that is; for the record. */
  readonly seenBy?: JsonObject
  /** The object counts as absent without a search, because an object that it refers to will be created. */
  readonly isAssumed?: true
  /** Attributes whose configured value is not known. */
  readonly open?: OpenValues
  /** An entry of `import` names another object than the record. */
  readonly importsOther?: true
  /** How the configuration names the objects of resolved references. */
  readonly named?: readonly Omit<NamedReference, 'address'>[]
}

export interface BoundResource extends ObservedResource {
  /** The address of the record before it moved. */
  readonly previousAddress?: Address
  /** The address under which its object is declared now. */
  readonly movedTo?: Address
}

export interface ListedUnmanaged {
  readonly found: readonly Unmanaged[]
  /** Lists that failed, so that their objects are unknown. */
  readonly unchecked: readonly PlannedResource[]
  /** Types and places that cannot be listed. */
  readonly notLookedInto: readonly NotLookedInto[]
}

export interface Observation {
  readonly resources: ReadonlyMap<Address, BoundResource>
  readonly unmanaged: ListedUnmanaged
}

export interface ResourcePlan extends BoundResource {
  readonly planned: PlannedResource
}

export interface WorkspacePlan {
  readonly plan: Plan
  readonly resources: ReadonlyMap<Address, ResourcePlan>
  /** What the workspace manages by target: as it is stored, and now. Absent: nothing live was read. */
  readonly holdings?: { readonly [when in 'before' | 'now']: ReadonlyMap<string, Holdings> }
}

/** How the objects of a type are distinguished; only by their keys if the type does not say it. */
export const rulesOf = ({ identity = { readable: false } }: ResourceType): NonNullable<ResourceType['identity']> =>
  identity
