import type { ObjectReference, ObjectSchema } from '../schema/attribute.ts'
import type { CommandDraft } from '../schema/command.ts'
import type { Diff } from '../schema/diff.ts'
import type { Issue, Problem } from '../schema/issue.ts'
import type { Json, JsonObject, Path } from '../schema/json.ts'
import type { PermissionUse, WithoutApi } from '../schema/permissions.ts'
import type { Seal, WorkspaceFiles } from '../schema/ports.ts'
import type {
  Address,
  Archived,
  IdentityRules,
  Lifecycle,
  Position,
  ReadResult,
  ReplaceOrder,
  TypeLifecycle,
  UnknownResult,
} from '../schema/resource.ts'
import type { Tenant } from '../schema/stored/holdings.ts'
import type { Traced } from '../schema/traced.ts'
import type { SecretMark } from '../schema/value.ts'
import type { ProviderLimits } from '../transport/limits/provider-limits.ts'
import type { Transport } from '../transport/transport.ts'
import type { Listing } from './listing.ts'
import type { Lead, NamedResource, Neighbour, ObjectSite, PlaceAmong, ResolvedReferences } from './references.ts'

/**
 * Identifies an object for a read. The attributes are desired ones, or recorded ones if the resource left the
 * configuration.
 */
export interface Target {
  readonly address: Address
  /** Normalised. Values may contain marks, except those that identify the object. */
  readonly attributes: JsonObject
  /** Find the object with these ids, even under other keys. Absent: find the object with the keys. */
  readonly ids?: Readonly<Record<string, string>>
  /**
   * Ids of the objects that must contain this one, by the attribute that names them: inside any other object, the
   * result is `unknown`.
   */
  readonly parents?: Readonly<Record<string, string>>
  /**
   * The attributes that the read is about. Others may be missing in the result, if it takes a request of their own to read
   * them. Absent: all.
   */
  readonly only?: readonly string[]
  /** The object will be deleted. */
  readonly leaving?: true
  /** The object will be created, and so will something that it depends on. */
  readonly coming?: true
  /** The attributes are those of a record: their references already contain ids, and no name is resolved. */
  readonly isRecorded?: true
  /** References have the values of the API: where none of these can be searched, nothing is absent. */
  readonly isEmitted?: true
  /** The referenced objects, as `resolve` found them. */
  readonly refs?: JsonObject
  /** Attributes that the configuration of other resources refers to. */
  readonly referredTo?: readonly string[]
  /** Resources that this one depends on, and that a value may refer to by name. Only `resolve` uses them. */
  readonly neighbours?: readonly Neighbour[]
}

/** How many requests of a run a list may save, by the name of the list request. */
export type Worth = ReadonlyMap<string, number>

export interface ReadDeps {
  /** In a check, the transport refuses everything except reads, and sends equal reads of a run once. */
  readonly transport: Transport
  readonly signal?: AbortSignal
  /** Absent if only the requests of the object itself count. */
  readonly worth?: Worth
  /** Attributes that a list shall show besides those that identify its objects. */
  readonly shows?: readonly string[]
}

/** The user that the credentials belong to, as plain values that are not secret. */
export type Caller = { readonly kind: 'known'; readonly as: JsonObject } | UnknownResult

/** The input for building requests. Sensitive parts are marks: desired ones `$secret`, observed ones `$sealed`. */
export interface PlannedChange {
  readonly address: Address
  readonly action: 'create' | 'update' | 'replace' | 'delete'
  readonly replaceOrder?: ReplaceOrder
  /** The configured attributes, normalised; for a delete because of absence, the recorded attributes. */
  readonly desired: JsonObject
  /** Normalised observed attributes; `null` for a create. */
  readonly before: JsonObject | null
  /** `before` with the managed attributes set to the desired values; `null` for a delete. */
  readonly after: JsonObject | null
  readonly diff: Diff
  /** Paths that differ, including write-only ones. */
  readonly changed: readonly Path[]
  /** What the resource chose for its collections, instead of the facts of its type. */
  readonly manage?: Lifecycle['manage']
  readonly ids?: Readonly<Record<string, string>>
  /** For a create: the archived object that it revives, with normalised attributes. */
  readonly archived?: Archived
  readonly refs?: JsonObject
  /** The objects that the observed references refer to, if these may differ. */
  readonly presentRefs?: JsonObject
  readonly version?: string
  readonly versions?: Readonly<Record<string, Json>>
  /**
   * As the read returned them, with secrets in plain text: requests may use their shape and their keyed digest, but
   * none of their values.
   */
  readonly objects?: Readonly<Record<string, JsonObject>>
  /** Another resource of the plan writes to the same URL: what the object has by then is not what was read. */
  readonly isShared?: true
  readonly seal?: Seal
}

export type Prepared =
  | { readonly ok: true; readonly attributes: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * A request of a read. Requests with equal names are the same request. `size`: the request reads a page of a list with
 * this number of items.
 */
export interface ForeseenRequest {
  readonly name: string
  readonly size?: number
  /** Requests for lists of many objects that may contain the same data. */
  readonly instead?: readonly ForeseenRequest[]
}

export interface ResourceType {
  readonly name: string
  readonly schema: ObjectSchema
  /**
   * Pure. Converts the written attributes to those of the schema, before these are validated and normalised: for
   * written forms that the schema does not have (a file's `source`) and for names with several spellings.
   */
  prepare?(written: JsonObject): Prepared
  /** Names of the ids that the server assigns; other resources may refer to them. */
  readonly idNames?: readonly string[]
  /** Absent: only the keys distinguish objects. */
  readonly identity?: IdentityRules & {
    /**
     * For settings and references: the object is always the one that has the keys now, and is never created or deleted.
     */
    readonly followsKeys?: true
    /** The object is never written, so several resources may be the same object. */
    readonly isShared?: true
  }
  readonly lifecycle?: TypeLifecycle
  /** The attributes that name the objects whose URLs contain those of this type. */
  readonly within?: readonly { readonly attribute: string; readonly of: ObjectReference }[]
  readonly withoutApi?: WithoutApi
  /** Absent: the permissions are not known. */
  readonly permissions?: PermissionUse
  /** The URL of an object in a single spelling, for types whose keys do not identify it. */
  urlOf?(attributes: JsonObject): string | undefined
  /**
   * Pure. The URLs that belong to one object alone, because its keys or ids are in their path; `deleted`: the URL that
   * a delete is sent to. For types whose objects may also be objects of another type.
   */
  siteOf?(object: Pick<Target, 'attributes' | 'ids' | 'refs'>): ObjectSite
  /** Pure. Where other documents may find the same object among others. */
  among?(object: Pick<Target, 'attributes' | 'ids' | 'refs'>): readonly PlaceAmong[]
  /** What chooses the part of the target besides the URLs, by the place in the requests that has it. */
  tenant?(): Tenant
  /**
   * What the commands share with other writes to the target, besides the object. `pages`: objects are found in a list
   * of several pages, always or until their ids are known. `version`: the commands carry a version that other writes
   * change.
   */
  readonly contention?: { readonly pages?: 'until known' | 'always'; readonly version?: true }
  /** Resolves references by name or id to the form that the API uses. Reads only. */
  resolve?(target: Target, deps: ReadDeps): Promise<ResolvedReferences>
  /** The inverse of `resolve`: replaces ids by names, if the name resolves to the same object. Reads only. */
  speak?(written: JsonObject, attributes: JsonObject, deps: ReadDeps): Promise<JsonObject>
  /** Attributes that requests and rules of the type name. Absent: any attribute may be needed to find an object. */
  readonly readBy?: readonly string[]
  /** The caller, for a type whose requests name it: an approval is valid for this caller only. */
  caller?(deps: ReadDeps): Promise<Caller>
  /** Pure. The caller for whom the references of a record were resolved. */
  callerIn?(refs: JsonObject): JsonObject | undefined
  /** Depends only on the target, and never writes. Failures are results of kind `unknown`, not exceptions. */
  read(target: Target, deps: ReadDeps): Promise<ReadResult>
  /**
   * Pure. Identifies how answers become attributes: where a record was made otherwise, a difference to it is no change of the target.
   * Absent: it never changes.
   */
  reading?(): string
  /** How long reads may show what was there before a write that the target has answered. Absent: not at all. */
  readonly lagSeconds?: number
  /** Pure. The requests that a read of the target needs, as far as they are known before. Absent: none is known. */
  foresee?(target: Target): readonly ForeseenRequest[]
  /** Who changed an object after a time, as its target tells it. Reads only. Absent: the target does not tell it. */
  trace?(target: Target, after: string, deps: ReadDeps): Promise<readonly Traced[] | UnknownResult>
  /**
   * Attributes that a target needs so that the objects of its scope can be listed, because the URL contains them or the
   * objects that they refer to.
   */
  readonly listWithin?: readonly string[]
  readonly listBy?: readonly string[]
  /** The existing objects of this type within the scope of the declared resources. */
  list?(scope: readonly Target[], deps: ReadDeps): Promise<Listing>
  /** Pure. The exact requests, in order. */
  commands(change: PlannedChange): readonly CommandDraft[]
  /** Pure. Resources of the same provider that the configuration may refer to by name. */
  named?(attributes: JsonObject): readonly NamedResource[]
  /** It is nothing but its ends: it goes with each of them. */
  readonly isLink?: true
  /** Pure. The objects that an object of this type is in, or is identified by, as its resolved attributes name them. */
  leads?(attributes: JsonObject): readonly Lead[]
  /** Pure. All objects that resolved attributes refer to, at any depth, whether it is in them or not. */
  uses?(attributes: JsonObject): readonly Lead[]
  /** Problems of a desired resource that its schema cannot express. */
  validate?(attributes: JsonObject): readonly Problem[]
}

/** PEM texts. If `ca` is set, only this authority is trusted; a key needs its `cert`. */
export interface ProviderTls {
  readonly ca?: string | SecretMark
  readonly cert?: string | SecretMark
  readonly key?: SecretMark
}

/** A Unix socket on the machine that sends the requests. */
export interface ProviderSocket {
  /** An absolute path. */
  readonly path: string
  /** The origin of all URLs of this target. */
  readonly origin: string
}

/** `blind`: a required object is not visible. */
export type SightAnswer = { readonly kind: 'clear' } | { readonly kind: 'blind'; readonly detail: string }

export interface Provider {
  /** The API shows only what its caller may see: hidden objects look absent. */
  readonly mayHide?: true
  /** Whether the caller still sees the required objects. Absent: this cannot be tested. */
  sight?(deps: ReadDeps): Promise<SightAnswer>
  /** Who the credentials belong to. Absent: the target does not tell it. */
  caller?(deps: ReadDeps): Promise<Caller>
  /** Two providers with the same place read the same objects. Absent: each provider has its own place. */
  readonly place?: string
  /** Where its objects are, for records; absent: `place`. What was recorded at another home proves nothing here. */
  readonly home?: string
  readonly types: Readonly<Record<string, ResourceType>>
  /** Levels of permissions, from the one that allows the least. */
  readonly permissionLevels?: readonly string[]
  /** Absolute folders that the provider's file URLs may reach. Absent: none. */
  readonly fileRoots?: readonly string[]
  /** Names of the programs that the provider's exec URLs may run. Absent: none. */
  readonly programs?: readonly string[]
  readonly limits?: ProviderLimits
  /** Answers of conditional reads may be kept. `version`: of all that decides how they are read. Absent: none is kept. */
  readonly keeps?: { readonly version: string }
  /** With a final slash. Every request of the provider must be below one of them. Absent: any URL. */
  readonly baseUrls?: readonly string[]
  readonly tls?: ProviderTls
  /** All requests of the provider go to this socket, and nowhere else. */
  readonly socket?: ProviderSocket
}

/** A file of the workspace's bundle that a provider entry names. */
export interface ProviderDocument {
  readonly file: string
  readonly value: Json
  locate(path: Path): Position
}

export interface ProviderInput {
  readonly alias: string
  /** As the configuration writes it; for a package with name and version. */
  readonly source?: string
  /** For a package: the integrity of its code, and the base URLs of its requests. */
  readonly integrity?: string
  readonly baseUrls?: readonly string[]
  /** The value of `with`; secrets are `$secret` marks. */
  readonly with: JsonObject
  readonly position: Position
  /** Where `with` is written; absent if nothing is known of it. */
  readonly withPosition?: Position
  /** Where each member of `with` is written. */
  readonly inputs?: Readonly<Record<string, Position>>
  /** The parsed `definition`, if the entry names one. */
  readonly definition?: ProviderDocument
  /** The workspace's files by path relative to its folder, for example those that `source` attributes name. */
  readonly files: WorkspaceFiles
  /** Absolute folder of the workspace on this machine; absent for a workspace that exists only in the store. */
  readonly folder?: string
}

export type Configured =
  | { readonly ok: true; readonly provider: Provider }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export interface ProviderFactory {
  configure(input: ProviderInput): Configured
}

export type ProviderRegistry = Readonly<Record<string, ProviderFactory>>
