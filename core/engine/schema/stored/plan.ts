import type { Command } from '../command.ts'
import type { Diff } from '../diff.ts'
import type { Note } from '../issue.ts'
import type { Json, JsonObject, Path } from '../json.ts'
import type { Address, OrphanFate, Position, ReplaceOrder, ResourceName, UnknownReason } from '../resource.ts'
import type { IgnoreRule, Move, Policy } from '../rules.ts'
import type { Finding } from './findings.ts'
import type { PlanCounts } from './records.ts'

export type Action = 'create' | 'update' | 'replace' | 'delete'

/**
 * What changed since the last agreement: `drift` the live value, `pending` the configuration, `conflict` both. `new`:
 * there is no record, or the plan leads back from an apply and to no configuration.
 */
export type Cause = 'drift' | 'pending' | 'conflict' | 'new'

export type Access = 'widens' | 'narrows'

export type ActionReason =
  | 'create_because_archived'
  | 'replace_because_cannot_update'
  | 'replace_because_tainted'
  | 'delete_because_no_resource_config'
  | 'delete_because_absent'
  | 'delete_because_former'

/** Why a change is shown and never sent. */
export type BlockReason =
  | 'prevent_destroy'
  | 'immutable'
  | 'dependency_unknown'
  | 'not_adopted'
  | 'made_again'
  | 'held'
  | 'unanswered'
  | 'value_missing'
  | 'not_sent'
  | 'same_keys'
  | 'also_declared'
  | 'dependent_kept'
  | 'unread'
  | 'frozen'
  | 'rule_checks'
  | 'read_only'
  | 'not_undone'

export interface Change extends ResourceName {
  /** The address under which the same object was recorded before. */
  readonly previousAddress?: Address
  readonly action: Action
  readonly reason?: ActionReason
  readonly replaceOrder?: ReplaceOrder
  /**
   * Normalised. `null`: the object does not exist on that side. `after` is the whole object, with its unmanaged parts.
   */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly diff: Diff
  /** One entry for each changed path, in the order of the diff. */
  readonly causes: readonly {
    readonly path: Path
    readonly cause: Cause
    readonly access?: Access
    /** The rule that gives the value. */
    readonly rule?: Address
  }[]
  readonly replacePaths: readonly Path[]
  /** `refuse`: an apply that would touch this resource is refused; otherwise it leaves the resource out. */
  readonly blocked?: { readonly reason: BlockReason; readonly detail: string; readonly refuse?: true }
  readonly position?: Position
}

const pathsWith = ({ causes }: Change, access: Access): readonly Path[] =>
  causes.flatMap((each) => (each.access === access ? [each.path] : []))

/** The paths where a change requests more access than there is; `[]` is the object itself. */
export const widenedPaths = (change: Change): readonly Path[] => pathsWith(change, 'widens')

export const widens = (change: Change): boolean => widenedPaths(change).length > 0

/** Whether the target gives more access than the configuration declares. */
export const isWider = (change: Change): boolean => pathsWith(change, 'narrows').length > 0

export const countActions = (changes: readonly Change[]): Pick<PlanCounts, Action> => {
  const count = (wanted: Action): number => changes.filter(({ action }) => action === wanted).length
  return { create: count('create'), update: count('update'), replace: count('replace'), delete: count('delete') }
}

/** What changed outside Plumbline since the last agreement, whether or not a change follows. */
export interface Drift extends Pick<ResourceName, 'address' | 'type' | 'name'> {
  readonly kind: 'changed' | 'deleted'
  /** It left the configuration, and another object has its name, which stays. */
  readonly madeAgain?: true
  /** It is listed under `gone`, and it was seen: somebody has put it into another container, which this attribute names. */
  readonly stillIn?: { readonly attribute: string; readonly value: Json }
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
  /** Where it is declared. Absent: it is not. */
  readonly position?: Position
}

/** An attribute that cannot be read back. The workspace can be in sync nevertheless. */
export interface Unobserved {
  readonly address: Address
  readonly path: Path
  readonly reason: 'write_only'
}

export interface Unmanaged {
  readonly type: string
  readonly provider: string
  readonly identity: JsonObject
  /** For references in `identity`: the names of their objects in the configuration. Absent: no other name is known. */
  readonly names?: Readonly<Record<string, string>>
}

export type Attributed = NonNullable<Finding['changed']> & { readonly address: Address }

/** A place where undeclared objects were not searched for. */
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

/**
 * An ignore rule without effect: it has expired, or it matches no resource, or no attribute of one, or only objects that are
 * deleted, which it does not cover.
 */
export interface IdleRule extends Omit<IgnoreRule, 'includeDeletes'> {
  readonly why: 'expired' | 'no_resource' | 'no_attribute' | 'deleted'
}

/** An entry of the configuration without effect; `ignore` has its own. */
export interface IdleEntry {
  readonly kind: 'moved' | 'import' | 'removed' | 'gone'
  /** What it names: of a move, where it comes from; of the move of a place, that place. */
  readonly address: Address
  /** Where a move leads. */
  readonly to?: Address
  /** The provider whose place moves. */
  readonly provider?: string
  /**
   * `no_record`: nothing is recorded there. `taken`: another object is recorded where it leads. `present`: the object that is
   * said to be gone is there.
   */
  readonly why: 'no_record' | 'taken' | 'present'
  /** A recorded address that was probably meant: it is no longer in the configuration. Of a place, one that records have. */
  readonly near?: Address
  readonly reason?: string
}

export interface Orphan {
  readonly address: Address
  readonly fate: OrphanFate
  /** `removed:` in the configuration, the recorded `lifecycle.orphan`, or `orphans:` of the workspace. */
  readonly by: 'removed' | 'lifecycle' | 'workspace'
  /** The reason that `removed` gives. */
  readonly reason?: string
  /** No apply of it is known: a check that found it, or an import of a state, recorded it. */
  readonly neverApplied?: true
}

/** Whether the orphan itself is a difference: its object is neither deleted nor forgotten. */
export const isReported = ({ fate }: Orphan): boolean => fate === 'report'

/** A reference that is configured by a name and sent as an id or a URL. For people only. */
export interface NamedReference {
  readonly address: Address
  /** The path of the attribute, as configured. */
  readonly path: Path
  /** The value that is compared and sent. */
  readonly value: string | number
  /** The configured value. */
  readonly name: string
}

/** A part of a plan, by addresses; `*` matches any part of an address. With neither member: the whole plan. */
export interface Selection {
  /** Only these resources and what they wait for. */
  readonly targets?: readonly string[] | undefined
  /** Without these resources and what waits for them. */
  readonly exclude?: readonly string[] | undefined
}

/** A change that a selection leaves out; the difference remains. */
export interface LeftOut {
  readonly address: Address
  readonly why: 'no_target' | 'excluded' | 'waits' | 'blocked'
  /** The excluded address that it waits for. */
  readonly on?: Address
}

/** Plain readonly JSON without secret values. */
type ShownKind = 'drift' | 'pending' | 'unchecked' | 'delete'
export const shownKinds: readonly ShownKind[] = ['drift', 'pending', 'unchecked', 'delete']

/** What a reader asked for. */
export interface ShownPart {
  /** Addresses, or patterns with `*`. */
  readonly addresses?: readonly string[]
  readonly only?: ShownKind
}

export interface Plan {
  readonly formatVersion: '2'
  readonly workspace: string
  /**
   * `drift`: only what changed outside, without changes and commands. `recorded`: made from records, nothing live was read.
   * `unkept`: made without records, and nothing of it is kept. No view can be approved.
   */
  readonly view?: 'drift' | 'recorded' | 'unkept'
  /** The apply that the commands undo. Absent: the plan leads to what is configured. */
  readonly undoes?: string
  /** The plan is a view of a whole plan: only what these addresses need. */
  readonly targets?: readonly string[]
  /** The plan is a view of a whole plan: without these addresses and what waits for them. */
  readonly exclude?: readonly string[]
  /** Its rows are only what a reader asked for, and its counts and digests are those of the whole plan. Never stored. */
  readonly shown?: ShownPart
  /** The changes that the view leaves out. Absent: none. */
  readonly leftOut?: readonly LeftOut[]
  readonly changes: readonly Change[]
  readonly drift: readonly Drift[]
  /**
   * Who changed what drifted, as far as targets tell it. Absent: no target did, or nothing drifted. No digest covers
   * this member.
   */
  readonly attributed?: readonly Attributed[]
  readonly unchecked: readonly Unchecked[]
  readonly unobserved: readonly Unobserved[]
  readonly unmanaged: readonly Unmanaged[]
  /** The types and places that `unmanaged` does not cover. Absent: nothing was searched, or everything was. */
  readonly notLookedInto?: readonly NotLookedInto[]
  readonly ignored: readonly Ignored[]
  /** Objects whose address changed. No request is sent for that. Absent: none. */
  readonly moved?: readonly Move[]
  /** Absent: no recorded resource left the configuration. */
  readonly orphans?: readonly Orphan[]
  /** Entries of `moved`, `import`, `removed` and `gone` without effect. Absent: none. */
  readonly idleEntries?: readonly IdleEntry[]
  /** For resources with a change. Absent: none. */
  readonly references?: readonly NamedReference[]
  /** Absent if every rule has an effect. */
  readonly idleRules?: readonly IdleRule[]
  /** Absent: the configuration has no notes. */
  readonly notes?: readonly Note[]
  readonly commands: readonly Command[]
  /** For each type of which objects are deleted: how many there are now, as far as they could be read. Absent: none is. */
  readonly existing?: Readonly<Record<string, number>>
  /** Absent: the configuration has no policy. */
  readonly policy?: Policy
  /** Why an apply of all these commands would be refused. Absent: it would not be. */
  readonly refused?: string
  readonly counts: PlanCounts
  /** True only with zero changes, zero unchecked resources, no reported orphan and no error. */
  readonly inSync: boolean
  /** False when anything is unchecked. */
  readonly complete: boolean
  readonly digests: {
    /** Digest of what was read, without computed attributes. */
    readonly observed: string
    /** Digest of changes and drift: equal digests mean the same finding. */
    readonly plan: string
    /** Digest of the commands; an approval names it. */
    readonly commands: string
  }
}
