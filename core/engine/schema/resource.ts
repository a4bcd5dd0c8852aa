import type { Actor } from './actor.ts'
import type { Json, JsonObject } from './json.ts'

/** `type.name`; core/engine/values/addresses/address.ts has the whole syntax. */
export type Address = string

/** A position in a configuration file. Line and column count from 1; 0 if `file` is an option or an environment variable. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
  /** In a file of a module: the calls that lead there, the outermost first. */
  readonly calls?: readonly ModuleCall[]
}

export interface ModuleCall {
  /** Address of the instance. */
  readonly module: string
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface ResourceName {
  readonly address: Address
  readonly type: string
  readonly name: string
  /** Address of the module's instance that contains the resource: `module.prod["eu"]`. */
  readonly module?: string
  readonly provider: string
}

/** What happens to the object of a recorded resource that left the configuration. `forget` and `report` never touch it. */
export const orphanFates = ['delete', 'forget', 'report'] as const
export type OrphanFate = (typeof orphanFates)[number]

/** What a difference of an immutable attribute becomes: a finding, a replacement, or an error of the plan. */
export const immutableFates = ['report', 'replace', 'error'] as const
export type ImmutableFate = (typeof immutableFates)[number]

export const replaceOrders = ['deleteFirst', 'createFirst'] as const
export type ReplaceOrder = (typeof replaceOrders)[number]

export interface Lifecycle {
  /** A delete of this resource, or a replacement, is shown but never sent. */
  readonly preventDestroy?: boolean
  /** Paths (`a.b`, elements by `[key]`) whose differences are ignored. */
  readonly ignoreChanges?: readonly string[]
  readonly onImmutable?: ImmutableFate
  /** Overrides the order of its type. */
  readonly replaceOrder?: ReplaceOrder
  /** Overrides, for each top-level collection, whether undeclared elements are removed. */
  readonly manage?: Readonly<Record<string, 'exclusive' | 'declared'>>
  /** The object is only read: nothing of it is changed or recorded, and others can refer to it. */
  readonly readOnly?: boolean
  /** What happens if the resource leaves the configuration. It is recorded, so that it still applies then. */
  readonly orphan?: OrphanFate
}

export interface TypeLifecycle {
  readonly onImmutable?: ImmutableFate
  readonly replaceOrder?: ReplaceOrder
  /**
   * A create is sent to the place that the keys name: objects with equal keys are the same object, even if they have
   * ids.
   */
  readonly createsByKeys?: true
  /** A resource that leaves the configuration is forgotten, with a note, instead of deleted. */
  readonly preventDelete?: boolean
  /** `false`: an object that exists and was never recorded is left alone and reported. */
  readonly adopt?: boolean
  /** The existence of the object gives access to something, or takes it away. */
  readonly access?: 'grants' | 'restricts'
  /** The values of attributes by which an object is frozen: it cannot be changed, and neither can the objects in it. */
  readonly frozen?: Readonly<Record<string, readonly Json[]>>
  /** The provider can delete the object, although `preventDelete` keeps it. */
  readonly mayDelete?: true
  /** In a preview: an object that exists and that the preview did not create is left alone and reported. */
  readonly isPreview?: true
  /** Nothing of earlier checks and applies is kept: an object without a record may be one that was created or changed here. */
  readonly isUnkept?: true
}

/** Values that an object must have, by attribute: one of several texts with `*`, or, for a map, that for each key. */
export type ObjectCondition = Readonly<Record<string, Json>>

/** A resource that is no object: its spec holds for all objects of its type that fit. */
export interface ForAll {
  /** One of them must hold; all objects if there is none. */
  readonly where: readonly ObjectCondition[]
  readonly except: readonly ObjectCondition[]
  /** Differences of objects that no resource declares are repaired, too. */
  readonly repair: boolean
}

/** Values that rules give to a resource. */
export interface Ruled {
  /** The rule of each attribute. */
  readonly by: Readonly<Record<string, Address>>
  /** No resource declares the object: `check` shows its differences, `repair` plans their repair as well. */
  readonly alone?: 'check' | 'repair'
}

/** A resource as the configuration wants it, after variables. Attribute values may hold marks (schema/value.ts). */
export interface DesiredResource extends ResourceName {
  /** The object must not exist; `attributes` then only identify it. */
  readonly absent: boolean
  readonly attributes: JsonObject
  /** Addresses that are written, and those that references imply. */
  readonly dependsOn: readonly Address[]
  /** Top-level attributes whose value is a reference to another resource, completely or partly. */
  readonly refersBy?: readonly string[]
  readonly lifecycle: Lifecycle
  readonly position: Position
  /**
   * The format of the resource has types that a provider may lack: the resource is then unchecked, and the
   * configuration is valid.
   */
  readonly mayLackType?: true
  /** Present for a rule; the resources of a session have none. */
  readonly forAll?: ForAll
  /** Present in a session, for a resource with values of rules. */
  readonly ruled?: Ruled
}

export const unknownReasons = [
  'unauthorised', // 401
  'not_offered', // 402: the plan of the account does not include it
  'forbidden', // 403
  'rate_limited', // 429
  'server_error', // 5xx
  'timeout',
  'network',
  'bad_body', // not the JSON that was promised, cut off, or too large
  'ambiguous', // it is not certain which object it is
  'page_limit',
  'budget', // the budget for reads was used up
  'deadline', // the deadline passed before it was read
  'unexpected_status',
  'unresolved', // a value that identifies it could not be known
  'dependency', // something it depends on is unknown
  'secret', // a secret that it needs could not be resolved
  'outside_root',
  'busy', // another change of it is under way
  'other_place', // it was recorded at another target
  'other_parent', // what contains it is another object than before
  'out_of_sight', // its provider may not show it to us any more
  'erred', // the object exists in a state that cannot be compared
  'unsupported', // for example a directory where a file should be
  'provider_fault', // its provider broke a promise: it failed, or tried to write
] as const
export type UnknownReason = (typeof unknownReasons)[number]

export interface PresentResult {
  readonly kind: 'present'
  readonly attributes: JsonObject
  /** Ids that the server made. They are recorded, and the next read tries them first. */
  readonly ids?: Readonly<Record<string, string>>
  /** Ids of the objects that contain it, by the attribute that names them. */
  readonly parents?: Readonly<Record<string, string>>
  /** ETag or generation, if the API has one. */
  readonly version?: string
  /** Versions by the name of the object, if a resource is read as several objects. */
  readonly versions?: Readonly<Record<string, Json>>
  /** The object as it was read, for requests of other resources that use its members. Never stored, never shown. */
  readonly object?: JsonObject
  /**
   * Whole objects as they were read, by name, for writes that send them back; foreign marks are escaped. Never stored,
   * never shown.
   */
  readonly objects?: Readonly<Record<string, JsonObject>>
  /**
   * Lists of many objects contained the object, as far as it is declared. If it differs, it is read again by itself.
   */
  readonly fromLists?: true
  /** Top-level attributes that the credentials may not read, with the reason. `attributes` does not contain them. */
  readonly unread?: Readonly<Record<string, UnknownResult>>
}

/** An object that counts as absent, and that a create with the same keys would have to revive. */
export type Archived = Pick<PresentResult, 'attributes' | 'ids' | 'versions' | 'objects'>

export interface AbsentResult {
  readonly kind: 'absent'
  readonly archived?: Archived
  /** Ids of the objects that would contain it. */
  readonly parents?: PresentResult['parents']
}

export interface UnknownResult {
  readonly kind: 'unknown'
  readonly reason: UnknownReason
  readonly detail: string
  /** What the credentials would have to be allowed to do, as the target or its document names it. */
  readonly permission?: string
  /** For an object that was found, but about which nothing else is known now. */
  readonly ids?: Readonly<Record<string, string>>
  /** If several objects have the keys: the ids of each. */
  readonly among?: readonly Readonly<Record<string, string>>[]
}

/** `unknown` never counts as `absent`. */
export type ReadResult = PresentResult | AbsentResult | UnknownResult

/** Whether server ids are never reused, reused after a delete, or a position in a list, which changes. */
type IdKind = 'stable' | 'reused' | 'position'

export interface IdentityRules {
  /** Absent: only the keys distinguish the objects. */
  readonly ids?: IdKind
  /** Whether objects can be requested by their ids; otherwise ids are only in answers. */
  readonly readable: boolean
  /** Ids that only the answer to a create contains; a read need not contain them. */
  readonly told?: readonly string[]
}

/**
 * Why the keys of a record do not identify its object. `several`: a search found several objects with the keys of the
 * record. `sent`: a create was about to be sent and its result is not recorded; nothing was agreed, and an object with
 * the keys may be its result. If the record has ids, they are from the answer to the create. `strayed`: the referenced
 * object is no longer the object of the referenced resource's record. `deleted`: a delete was about to be sent and its
 * result is not recorded; an object with the keys, or with an id that may be given again, may be another one. `replaced`: it was
 * deleted to be replaced, and its successor was not made.
 */
export type Doubt = 'several' | 'sent' | 'strayed' | 'deleted' | 'replaced'

export interface LastApplied {
  readonly applyId: string
  /** The check whose commands were approved. */
  readonly runId: string
  readonly actor: Actor
  /** ISO 8601: when its result was recorded. */
  readonly at: string
}

/** That an object is to be replaced. */
interface Taint {
  readonly reason: string
  readonly by: Actor
  /** ISO time. */
  readonly at: string
}

/** A resource as it was last agreed: the base for drift, pending and conflict. Secrets are sealed. */
export interface RecordedResource extends ResourceName {
  readonly attributes: JsonObject
  /** Where it was seen: the address of the target, or the folder of files. Its ids and names prove nothing elsewhere. */
  readonly place?: string
  /** Who saw it, where its provider says who its caller is: what another one is not shown may exist. */
  readonly seenBy?: JsonObject
  /** How its answers became attributes (`ResourceType.reading`). */
  readonly reading?: string
  readonly ids?: Readonly<Record<string, string>>
  /**
   * Ids of the objects that contained it, by the attribute that names them: later, another object may have that name.
   */
  readonly parents?: Readonly<Record<string, string>>
  /**
   * The members of referenced objects that requests use, so that an object whose resource left the configuration is
   * found without a search.
   */
  readonly refs?: JsonObject
  /**
   * Attributes that were set by a reference: an object with the same keys may be a different one if the referenced
   * object is.
   */
  readonly refersBy?: readonly string[]
  /** Why its keys alone do not identify its object. */
  readonly doubted?: Doubt
  /** For `sent`, `deleted` and `replaced`: the apply that sent it. */
  readonly sentBy?: string
  /** Keyed digests of the values last sent to write-only attributes, by JSON pointer, and of their witnesses at that time. */
  readonly sent?: Readonly<Record<string, { readonly digest: string; readonly witness?: string }>>
  /** What the last apply sent and its target did not show yet, by attribute: when it appears, nobody else has changed it. */
  readonly awaited?: JsonObject
  /** What the read after the last apply showed instead of what was sent, by attribute: by others, or by the target itself. */
  readonly shownInstead?: JsonObject
  /** Somebody wants the object replaced by the next apply. */
  readonly tainted?: Taint
  /** JSON pointers of values that differed when they were first seen and were never agreed: their cause stays `new`. */
  readonly neverAgreed?: readonly string[]
  /** Absent: no apply changed it, or the version of Plumbline that did so did not record this. */
  readonly lastApplied?: LastApplied
  readonly dependsOn: readonly Address[]
  readonly lifecycle: Lifecycle
}
