import type { Command } from './command.ts'
import type { Diff } from './diff.ts'
import type { JsonObject, Path } from './json.ts'
import type { PlanCounts } from './records.ts'
import type { Address, Position, ResourceName, UnknownReason } from './resource.ts'
import type { IgnoreRule, Move } from './rules.ts'

export type Action = 'create' | 'update' | 'replace' | 'delete'

/** What moved since both agreed: `drift` the live value, `pending` the configuration, `conflict` both. `new`: no record. */
export type Cause = 'drift' | 'pending' | 'conflict' | 'new'

export type ActionReason =
  | 'create_because_archived'
  | 'replace_because_cannot_update'
  | 'delete_because_no_resource_config'
  | 'delete_because_absent'
  | 'delete_because_unmanaged'

/** A change that is shown and never sent. */
export type BlockReason = 'prevent_destroy' | 'immutable' | 'dependency_unknown' | 'not_adopted' | 'value_missing'

export interface Change extends ResourceName {
  /** The same object was known under this address. */
  readonly previousAddress?: Address
  readonly action: Action
  readonly reason?: ActionReason
  readonly replaceOrder?: 'deleteFirst' | 'createFirst'
  /** Normalised. `null`: does not exist on that side. `after` is what the object will be, unmanaged parts included. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly diff: Diff
  /** One entry for each changed path, in the order of the diff. */
  readonly causes: readonly { readonly path: Path; readonly cause: Cause }[]
  readonly replacePaths: readonly Path[]
  /** `refuse`: an apply that would touch this resource is refused, instead of leaving it out. */
  readonly blocked?: { readonly reason: BlockReason; readonly detail: string; readonly refuse?: true }
  readonly position?: Position
}

/** How many there are of each action. */
export const countActions = (changes: readonly Change[]): Pick<PlanCounts, Action> => {
  const count = (wanted: Action): number => changes.filter(({ action }) => action === wanted).length
  return { create: count('create'), update: count('update'), replace: count('replace'), delete: count('delete') }
}

/** What moved outside us since it was last agreed, whether or not a change follows. */
export interface Drift extends Pick<ResourceName, 'address' | 'type' | 'name'> {
  readonly kind: 'changed' | 'deleted'
  readonly diff: Diff
}

export interface Unchecked {
  readonly address: Address
  readonly reason: UnknownReason
  readonly detail: string
}

/** An attribute that nobody can read back; it does not keep a workspace from being in sync. */
export interface Unobserved {
  readonly address: Address
  readonly path: Path
  readonly reason: 'write_only'
}

/** Something that exists and is not declared. */
export interface Unmanaged {
  readonly type: string
  readonly provider: string
  readonly identity: JsonObject
}

/** Where nobody looked for what is not declared. */
export interface NotLookedInto {
  readonly type: string
  readonly provider: string
  readonly detail: string
}

/** A difference that an ignore rule, or `ignoreChanges`, left out. */
export interface Ignored {
  readonly address: Address
  readonly path: Path
  readonly rule: string
}

/** An ignore rule that cannot cover anything: it has expired, or it names no resource, or no attribute of one. */
export interface IdleRule extends Omit<IgnoreRule, 'includeDeletes'> {
  readonly why: 'expired' | 'no_resource' | 'no_attribute'
}

/** A reference that is configured by one name and sent as another, an id or a URL. For people: nothing is made of it. */
export interface NamedReference {
  readonly address: Address
  /** Of the attribute, as configured. */
  readonly path: Path
  /** What is compared and sent. */
  readonly value: string | number
  /** What is configured. */
  readonly name: string
}

/** Plain readonly JSON; no secret value stands in it. */
export interface Plan {
  readonly formatVersion: '2'
  readonly workspace: string
  /** A view of a whole plan: only what these addresses need. */
  readonly targets?: readonly string[]
  readonly changes: readonly Change[]
  readonly drift: readonly Drift[]
  readonly unchecked: readonly Unchecked[]
  readonly unobserved: readonly Unobserved[]
  readonly unmanaged: readonly Unmanaged[]
  /** What `unmanaged` says nothing about. Absent: nothing was looked for, or everything was looked into. */
  readonly notLookedInto?: readonly NotLookedInto[]
  readonly ignored: readonly Ignored[]
  /** Objects that are known under another address now. Nothing is sent for that. Absent: none. */
  readonly moved?: readonly Move[]
  /** Of resources with a change; absent: none. */
  readonly references?: readonly NamedReference[]
  /** Absent where every rule can cover something. */
  readonly idleRules?: readonly IdleRule[]
  readonly commands: readonly Command[]
  readonly counts: PlanCounts
  /** True only with zero changes, zero unchecked and no error. */
  readonly inSync: boolean
  /** False when anything is unchecked. */
  readonly complete: boolean
  readonly digests: {
    /** What was read, computed attributes left out. */
    readonly observed: string
    /** Changes and drift: equal digests mean the same finding. */
    readonly plan: string
    /** The command list; this is what an approval names. */
    readonly commands: string
  }
}
