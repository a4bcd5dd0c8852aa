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

/** Where an instance of a module is called. */
export interface ModuleCall {
  /** The address of the instance. */
  readonly module: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The address of a resource and the provider of its type. */
export interface ResourceName {
  readonly address: Address
  readonly type: string
  readonly name: string
  /** The address of the module's instance that has it: `module.prod["eu"]`. */
  readonly module?: string
  /** Alias of the provider. */
  readonly provider: string
}

/** What happens to the object of a recorded resource that left the configuration. `forget` and `report` never touch it. */
export const orphanFates = ['delete', 'forget', 'report'] as const
export type OrphanFate = (typeof orphanFates)[number]

/** What a difference of an immutable attribute becomes: a finding, a replacement, or an error of the plan. */
export const immutableFates = ['report', 'replace', 'error'] as const
export type ImmutableFate = (typeof immutableFates)[number]

/** Which half of a replacement is sent first. */
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
  /** What happens if the resource leaves the configuration; recorded with it, so that it holds after that. */
  readonly orphan?: OrphanFate
}

/** The rules of a resource type. */
export interface TypeLifecycle {
  readonly onImmutable?: ImmutableFate
  readonly replaceOrder?: ReplaceOrder
  /** A create is sent to the place that the keys name: objects with equal keys are one object, also if they have ids. */
  readonly createsByKeys?: true
  /** A resource that leaves the configuration is forgotten, with a note, instead of deleted. */
  readonly preventDelete?: boolean
  /** False: what exists and was never recorded is not ours: it is left alone, and said so. */
  readonly adopt?: boolean
  /** The object itself: its existence gives access to something, or takes it away. */
  readonly access?: 'grants' | 'restricts'
  /** Attributes with the values of an object that takes no change, nor does what is in it. */
  readonly frozen?: Readonly<Record<string, readonly Json[]>>
  /** It can be deleted, although `preventDelete` keeps it. */
  readonly mayDelete?: true
  /** In a preview: what exists and was not created by it is left alone, and said so. */
  readonly isPreview?: true
}

/** A resource as the configuration wants it, after variables. Attribute values may hold marks (schema/value.ts). */
export interface DesiredResource extends ResourceName {
  /** The object must not exist; `attributes` then only identify it. */
  readonly absent: boolean
  readonly attributes: JsonObject
  /** Addresses: written ones, and those that references imply. */
  readonly dependsOn: readonly Address[]
  /** Top-level attributes whose value is a reference to another resource, completely or partly. */
  readonly refersBy?: readonly string[]
  readonly lifecycle: Lifecycle
  readonly position: Position
  /** Its format has types that a provider may not have: then it is unchecked, and the configuration is valid. */
  readonly mayLackType?: true
}

export const unknownReasons = [
  'unauthorised', // 401
  'forbidden', // 403
  'rate_limited', // 429
  'server_error', // 5xx
  'timeout',
  'network',
  'bad_body', // not the JSON that was promised, cut off, or too large
  'ambiguous', // more than one object matches the identity
  'page_limit',
  'budget', // more than may be read
  'deadline', // the time was over before it was read
  'unexpected_status',
  'unresolved', // a value that identifies it could not be known
  'dependency', // something it depends on is unknown
  'secret', // a secret that it needs could not be resolved
  'outside_root',
  'busy', // another change of it is under way
  'other_parent', // what contains it is another object than before
  'out_of_sight', // its provider may not show it to us any more
  'erred', // it is there, in a state that nothing can be said about
  'unsupported', // for example a directory where a file should be
] as const
export type UnknownReason = (typeof unknownReasons)[number]

export interface PresentResult {
  readonly kind: 'present'
  readonly attributes: JsonObject
  /** Ids that the server made; the record keeps them, and the next read tries them first. */
  readonly ids?: Readonly<Record<string, string>>
  /** Ids of the objects that contain it, by the attribute that names them. */
  readonly parents?: Readonly<Record<string, string>>
  /** ETag or generation, if the API has one. */
  readonly version?: string
  /** The same for each named object, if a resource is read as several objects. */
  readonly versions?: Readonly<Record<string, Json>>
  /** The object as it was read, for requests of other resources that use its members. Never stored, never shown. */
  readonly object?: JsonObject
  /**
   * Whole objects as they were read, by name, for writes that send them back; foreign marks are escaped. Never stored,
   * never shown.
   */
  readonly objects?: Readonly<Record<string, JsonObject>>
  /** Lists of many objects showed it, as far as it is declared: an object that differs is read again by itself. */
  readonly fromLists?: true
  /** Top-level attributes that the credentials may not read, and why. `attributes` lacks them. */
  readonly unread?: Readonly<Record<string, UnknownResult>>
}

/** An object that counts as absent, and that a create with the same keys would have to revive. */
export type Archived = Pick<PresentResult, 'attributes' | 'ids' | 'versions' | 'objects'>

export interface AbsentResult {
  readonly kind: 'absent'
  readonly archived?: Archived
  /** Of what would contain it. */
  readonly parents?: PresentResult['parents']
}

export interface UnknownResult {
  readonly kind: 'unknown'
  readonly reason: UnknownReason
  readonly detail: string
  /** What the credentials would have to be allowed to do, as the target or its document names it. */
  readonly permission?: string
  /** For an object that was found, but of which nothing more can be said now. */
  readonly ids?: Readonly<Record<string, string>>
}

/** The result of a read. `unknown` never counts as `absent`. */
export type ReadResult = PresentResult | AbsentResult | UnknownResult

/** Whether server ids are never reused, reused after a delete, or a position in a list, which changes. */
type IdKind = 'stable' | 'reused' | 'position'

/** How the objects of a type are distinguished. */
export interface IdentityRules {
  /** Absent: by their keys only. */
  readonly ids?: IdKind
  /** Whether objects can be requested by their ids; otherwise ids are only in answers. */
  readonly readable: boolean
  /** Ids that only the answer to a create contains; a read need not repeat them. */
  readonly told?: readonly string[]
}

/**
 * `several`: a look found several objects with the keys of the record. `sent`: a create was about to be sent, and its
 * result is not recorded; nothing was agreed, and an object with the keys may be its result. With ids: they are from
 * its answer. `strayed`: the object that it refers to is no longer the object of that resource's record.
 */
export type Doubt = 'several' | 'sent' | 'strayed'

/** The last apply that changed an object. */
export interface LastApplied {
  readonly applyId: string
  /** The check whose commands were approved. */
  readonly runId: string
  readonly actor: Actor
  /** ISO 8601: when its result was recorded. */
  readonly at: string
}

/** A resource as it was last agreed: the base for drift, pending and conflict. Secrets are sealed. */
export interface RecordedResource extends ResourceName {
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Ids of the objects that contained it, by the attribute that names them: another object may have that name next. */
  readonly parents?: Readonly<Record<string, string>>
  /** The members of referenced objects that requests use: an object whose resource left is found again without a search. */
  readonly refs?: JsonObject
  /** Attributes that were set by a reference: an object with the same keys and another referenced object may be another one. */
  readonly refersBy?: readonly string[]
  /** Why its keys alone do not identify its object. */
  readonly doubted?: Doubt
  /** For `sent`: the apply that sent it. */
  readonly sentBy?: string
  /** Keyed digests of the values last sent to write-only attributes, by JSON pointer, and of their witnesses at that time. */
  readonly sent?: Readonly<Record<string, { readonly digest: string; readonly witness?: string }>>
  /** JSON pointers of values that differed when they were first seen and were never agreed: their cause stays `new`. */
  readonly neverAgreed?: readonly string[]
  /** Absent: no apply changed it, or a version of Plumbline that did not record this. */
  readonly lastApplied?: LastApplied
  readonly dependsOn: readonly Address[]
  readonly lifecycle: Lifecycle
}
