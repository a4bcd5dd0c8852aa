import type { Command } from '../command.ts'
import type { Diff } from '../diff.ts'
import type { Note } from '../issue.ts'
import type { JsonObject, Path } from '../json.ts'
import type { Address, OrphanFate, Position, ReplaceOrder, ResourceName, UnknownReason } from '../resource.ts'
import type { IgnoreRule, Move, Removed } from '../rules.ts'
import type { Finding } from './findings.ts'
import type { PlanCounts } from './records.ts'

export type Action = 'create' | 'update' | 'replace' | 'delete'

/**
 * What changed since the last agreement: `drift` the live value, `pending` the configuration, `conflict` both. `new`:
 * no record.
 */
export type Cause = 'drift' | 'pending' | 'conflict' | 'new'

/** What a change does to the access that a target gives: what it lets people and programs do. */
export type Access = 'widens' | 'narrows'

export type ActionReason =
  | 'create_because_archived'
  | 'replace_because_cannot_update'
  | 'delete_because_no_resource_config'
  | 'delete_because_absent'
  | 'delete_because_unmanaged'

/** A change that is shown and never sent. */
export type BlockReason =
  | 'prevent_destroy'
  | 'immutable'
  | 'dependency_unknown'
  | 'not_adopted'
  | 'held'
  | 'value_missing'
  | 'same_keys'
  | 'also_declared'
  | 'dependent_kept'
  | 'unread'
  | 'frozen'

export interface Change extends ResourceName {
  /** The address under which the same object was recorded before. */
  readonly previousAddress?: Address
  readonly action: Action
  readonly reason?: ActionReason
  readonly replaceOrder?: ReplaceOrder
  /** Normalised. `null`: the object does not exist on that side. `after` is the whole object, including unmanaged parts. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly diff: Diff
  /** One entry for each changed path, in the order of the diff. */
  readonly causes: readonly { readonly path: Path; readonly cause: Cause; readonly access?: Access }[]
  readonly replacePaths: readonly Path[]
  /** `refuse`: an apply that would touch this resource is refused; otherwise it leaves the resource out. */
  readonly blocked?: { readonly reason: BlockReason; readonly detail: string; readonly refuse?: true }
  readonly position?: Position
}

const pathsWith = ({ causes }: Change, access: Access): readonly Path[] =>
  causes.flatMap((each) => (each.access === access ? [each.path] : []))

/** Where the requests of a change give more access than there is; `[]` is the object itself. */
export const widenedPaths = (change: Change): readonly Path[] => pathsWith(change, 'widens')

export const widens = (change: Change): boolean => widenedPaths(change).length > 0

/** Whether the target gives more access than the configuration declares. */
export const isWider = (change: Change): boolean => pathsWith(change, 'narrows').length > 0

/** How many changes there are of each action. */
export const countActions = (changes: readonly Change[]): Pick<PlanCounts, Action> => {
  const count = (wanted: Action): number => changes.filter(({ action }) => action === wanted).length
  return { create: count('create'), update: count('update'), replace: count('replace'), delete: count('delete') }
}

/** What changed outside Plumbline since the last agreement, whether or not a change follows. */
export interface Drift extends Pick<ResourceName, 'address' | 'type' | 'name'> {
  readonly kind: 'changed' | 'deleted'
  readonly diff: Diff
}

export interface Unchecked {
  readonly address: Address
  readonly reason: UnknownReason
  readonly detail: string
  /** Only these attributes could not be read; all others were compared. Absent: nothing was. */
  readonly attributes?: readonly string[]
  /** What the credentials would have to be allowed to do, as the target or its document names it. */
  readonly permission?: string
}

/** An attribute that cannot be read back; the workspace can be in sync all the same. */
export interface Unobserved {
  readonly address: Address
  readonly path: Path
  readonly reason: 'write_only'
}

/** An object that exists and is not declared. */
export interface Unmanaged {
  readonly type: string
  readonly provider: string
  readonly identity: JsonObject
  /** What references among them are called in the configuration of the objects beside it. Absent: no other name is known. */
  readonly names?: Readonly<Record<string, string>>
}

/** Who changed a resource outside Plumbline, as the log of its target tells it. */
export type Attributed = NonNullable<Finding['changed']> & { readonly address: Address }

/** A place where undeclared objects were not searched. */
export interface NotLookedInto {
  readonly type: string
  readonly provider: string
  readonly detail: string
}

/** A difference that an ignore rule or `ignoreChanges` leaves out. */
export interface Ignored {
  readonly address: Address
  readonly path: Path
  readonly rule: string
}

/** An ignore rule without effect: it has expired, or it matches no resource, or no attribute of one. */
export interface IdleRule extends Omit<IgnoreRule, 'includeDeletes'> {
  readonly why: 'expired' | 'no_resource' | 'no_attribute'
}

/** A recorded resource that left the configuration, and the rule that decides what happens to its object. */
export interface Orphan {
  readonly address: Address
  readonly fate: OrphanFate
  /** `removed:` in the configuration, the recorded `lifecycle.orphan`, or `orphans:` of the workspace. */
  readonly by: 'removed' | 'lifecycle' | 'workspace'
  /** Of `removed`. */
  readonly reason?: string
}

/** Whether the orphan itself is a difference: it is neither deleted nor forgotten. */
export const isReported = ({ fate }: Orphan): boolean => fate === 'report'

/** A reference that is configured by one name and sent as another, an id or a URL. Only for people. */
export interface NamedReference {
  readonly address: Address
  /** The path of the attribute, as configured. */
  readonly path: Path
  /** The value that is compared and sent. */
  readonly value: string | number
  /** The configured value. */
  readonly name: string
}

/** A part of a plan, by addresses; `*` matches any part of one. Nothing selected: the whole plan. */
export interface Selection {
  /** Only these and what they wait for. */
  readonly targets?: readonly string[] | undefined
  /** Without these and what waits for them. */
  readonly exclude?: readonly string[] | undefined
}

/** A change that a selection leaves out: it stays different. */
export interface LeftOut {
  readonly address: Address
  readonly why: 'no_target' | 'excluded' | 'waits' | 'blocked'
  /** The excluded address that it waits for. */
  readonly on?: Address
}

/** Plain readonly JSON without secret values. */
export interface Plan {
  readonly formatVersion: '2'
  readonly workspace: string
  /** `drift`: only what changed outside, without changes and commands. `recorded`: made from records, nothing live was read. */
  readonly view?: 'drift' | 'recorded'
  /** The plan is a view of a whole plan: only what these addresses need. */
  readonly targets?: readonly string[]
  /** The plan is a view of a whole plan: without these addresses and what waits for them. */
  readonly exclude?: readonly string[]
  /** The changes that the view leaves out. Absent: none. */
  readonly leftOut?: readonly LeftOut[]
  readonly changes: readonly Change[]
  readonly drift: readonly Drift[]
  /** Who changed what drifted, where targets tell it. Absent: no target did, or nothing drifted. No digest covers it. */
  readonly attributed?: readonly Attributed[]
  readonly unchecked: readonly Unchecked[]
  readonly unobserved: readonly Unobserved[]
  readonly unmanaged: readonly Unmanaged[]
  /** The types and places that `unmanaged` does not cover. Absent: nothing was searched, or everything was. */
  readonly notLookedInto?: readonly NotLookedInto[]
  readonly ignored: readonly Ignored[]
  /** Objects that are known under another address now. No request is sent for that. Absent: none. */
  readonly moved?: readonly Move[]
  /** Absent: no recorded resource left the configuration. */
  readonly orphans?: readonly Orphan[]
  /** Entries of `removed` that name no recorded resource. Absent: none. */
  readonly idleRemoved?: readonly Removed[]
  /** For resources with a change; absent: none. */
  readonly references?: readonly NamedReference[]
  /** Absent if every rule has an effect. */
  readonly idleRules?: readonly IdleRule[]
  /** What the configuration says besides its resources. Absent: nothing. */
  readonly notes?: readonly Note[]
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
