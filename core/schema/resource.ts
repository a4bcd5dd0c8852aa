import type { Json, JsonObject } from './json.ts'

/** `type.name`, in a module `module.<name>.type.name`. */
export type Address = string

/** Where something stands in a configuration file. Line and column count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What a resource is called, and who owns its type. */
export interface ResourceName {
  readonly address: Address
  readonly type: string
  readonly name: string
  readonly module?: string
  /** Alias of the provider. */
  readonly provider: string
}

export interface Lifecycle {
  /** A delete of this resource, or a replacement, is shown but never sent. */
  readonly preventDestroy?: boolean
  /** Paths (`a.b`, elements by `[key]`) whose differences are left alone. */
  readonly ignoreChanges?: readonly string[]
  readonly onImmutable?: 'report' | 'replace' | 'error'
  /** Overrides, per top-level collection, whether elements that are not declared are removed. */
  readonly manage?: Readonly<Record<string, 'exclusive' | 'declared'>>
}

/** The rules of a resource type. */
export interface TypeLifecycle {
  readonly onImmutable?: 'report' | 'replace' | 'error'
  readonly replaceOrder?: 'deleteFirst' | 'createFirst'
  /** A resource that leaves the configuration is forgotten, with a note, instead of deleted. */
  readonly preventDelete?: boolean
  /** False: what exists and was never recorded is not ours: it is left alone, and said so. */
  readonly adopt?: boolean
}

/** A resource as the configuration wants it, after variables. Attribute values may hold marks (schema/value.ts). */
export interface DesiredResource extends ResourceName {
  /** The object shall not exist; `attributes` then only identify it. */
  readonly absent: boolean
  readonly attributes: JsonObject
  /** Addresses: written ones and those implied by references. */
  readonly dependsOn: readonly Address[]
  /** Top-level attributes that are given by a reference to another resource, wholly or in part. */
  readonly refersBy?: readonly string[]
  readonly lifecycle: Lifecycle
  readonly position: Position
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
  'out_of_sight', // its provider may not show it to us any more
  'erred', // it is there, in a state that nothing can be said about
  'unsupported', // for example a directory where a file should be
] as const
export type UnknownReason = (typeof unknownReasons)[number]

export interface PresentResult {
  readonly kind: 'present'
  readonly attributes: JsonObject
  /** Server-made ids, kept in the record and tried first at the next read. */
  readonly ids?: Readonly<Record<string, string>>
  /** ETag or generation, where the API has one. */
  readonly version?: string
  /** The same by the name of the object, where a resource is read as several. */
  readonly versions?: Readonly<Record<string, Json>>
  /** The object as it was found, for members that requests about others name. Never stored, never shown. */
  readonly object?: JsonObject
  /** Whole objects as they came, by name, for writes that send them back; foreign marks escaped. Never stored, never shown. */
  readonly objects?: Readonly<Record<string, JsonObject>>
}

/** An object that is as good as none, and that a create of the same keys would have to revive. */
export type Archived = Pick<PresentResult, 'attributes' | 'ids' | 'versions' | 'objects'>

export interface AbsentResult {
  readonly kind: 'absent'
  readonly archived?: Archived
}

export interface UnknownResult {
  readonly kind: 'unknown'
  readonly reason: UnknownReason
  readonly detail: string
  /** Of an object that was found, and of which no more can be said now. */
  readonly ids?: Readonly<Record<string, string>>
}

/** What a read found. `unknown` is never taken for `absent`. */
export type ReadResult = PresentResult | AbsentResult | UnknownResult

/** Of server-made ids: never reused, reused after a delete, or a place in a list, which moves. */
type IdKind = 'stable' | 'reused' | 'position'

/** How the objects of a type are told apart. */
export interface IdentityRules {
  /** Absent: by their keys alone. */
  readonly ids?: IdKind
  /** Objects can be asked for by ids; otherwise answers only show them. */
  readonly readable: boolean
  /** Ids that the answer to a create tells, and that a read need not repeat. */
  readonly told?: readonly string[]
}

/**
 * `several`: a look since found several objects with the keys of a record. `sent`: a create was about to be sent, and nobody
 * noted what came of it; nothing was agreed, and what has the keys may be what it made. With ids: its answer told them.
 * `strayed`: what it refers to is not the object of that one's record any more.
 */
export type Doubt = 'several' | 'sent' | 'strayed'

/** A resource as it was last agreed: the base for drift, pending and conflict. Secrets are sealed. */
export interface RecordedResource extends ResourceName {
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Of the objects behind its references, what requests name: a resource that leaves is found again without a search. */
  readonly refs?: JsonObject
  /** Attributes that were given by a reference: what has its keys and refers to something else may be another object. */
  readonly refersBy?: readonly string[]
  /** Why its keys alone do not lead to it. */
  readonly doubted?: Doubt
  /** Of what was `sent`: the apply. */
  readonly sentBy?: string
  /** Keyed digests of what was last sent to write-only attributes, by JSON pointer, and of their witnesses at that time. */
  readonly sent?: Readonly<Record<string, { readonly digest: string; readonly witness?: string }>>
  /** JSON pointers of what differed when it was first seen and never agreed since: its cause stays `new`. */
  readonly neverAgreed?: readonly string[]
  readonly dependsOn: readonly Address[]
  readonly lifecycle: Lifecycle
}
