import type { ObjectReference, ObjectSchema } from '../schema/attribute.ts'
import type { CommandDraft } from '../schema/command.ts'
import type { Diff } from '../schema/diff.ts'
import type { Issue, Problem } from '../schema/issue.ts'
import type { Json, JsonObject, Path } from '../schema/json.ts'
import type { PermissionUse, WithoutApi } from '../schema/permissions.ts'
import type { Seal, WorkspaceFiles } from '../schema/ports.ts'
import type {
  AbsentResult,
  Address,
  Archived,
  IdentityRules,
  Position,
  ReadResult,
  ReplaceOrder,
  TypeLifecycle,
  UnknownResult,
} from '../schema/resource.ts'
import type { Traced } from '../schema/traced.ts'
import type { SecretMark } from '../schema/value.ts'
import type { ProviderLimits } from '../transport/limits/provider-limits.ts'
import type { Transport } from '../transport/transport.ts'
import type { Listing } from './listing.ts'

/** Identifies an object for a read: desired attributes; recorded ones if the resource left the configuration. */
export interface Target {
  readonly address: Address
  /** Normalised; values may hold marks, but those that identify the object are plain. */
  readonly attributes: JsonObject
  /** Find the object with these ids, even under other keys. Absent: the object that has the keys. */
  readonly ids?: Readonly<Record<string, string>>
  /** Ids of what contains it, by the attribute that names it: inside of another object it is unknown. */
  readonly parents?: Readonly<Record<string, string>>
  /** The object is to be deleted. */
  readonly leaving?: true
  /** Something that it depends on will be created, and this object with it. */
  readonly coming?: true
  /** Attributes are those of a record: their references contain ids already, and no name is resolved. */
  readonly isRecorded?: true
  /** The objects behind its references, as `resolve` found them. */
  readonly refs?: JsonObject
  /** Attributes that the configuration of other resources takes from it. */
  readonly referredTo?: readonly string[]
  /** Resources that it depends on, which a value may refer to by name. Only `resolve` uses them. */
  readonly neighbours?: readonly Neighbour[]
}

/** A resource of the same provider that the configuration declares. */
export interface Neighbour {
  readonly address: Address
  readonly type: string
  /** Normalised, as they are after this plan. */
  readonly attributes: JsonObject
  /** Server ids of the object that exists now, and the object as it was found. */
  readonly ids: Readonly<Record<string, string>>
  readonly object?: JsonObject
  readonly refs: JsonObject
  /** Whether its object exists and stays, or is created by this plan, as a new one or as a replacement. */
  readonly state: 'settled' | 'created' | 'replaced'
}

/** A value that may be the name of a resource: a reference to that type. */
export interface NamedResource {
  readonly type: string
  readonly key: string
  readonly value: string | number
  /** Attributes of that resource that say what contains it, as far as this one says it too. */
  readonly within?: JsonObject
}

/** Why values of attributes are not known. */
export type OpenValues = Readonly<Record<string, UnknownResult>>

/** `unresolved`: the known state of the resource in that case. */
export type ResolvedReferences =
  | {
      readonly kind: 'resolved'
      readonly attributes: JsonObject
      readonly refs: JsonObject
      /** Attributes that refer to an object. */
      readonly refersBy?: readonly string[]
      /** Left out of `attributes`: their references cannot be resolved, and they are not needed to find the object. */
      readonly open?: OpenValues
    }
  | { readonly kind: 'unresolved'; readonly result: AbsentResult | UnknownResult }

/** How many requests of a run a list may spare, by the name of its request. */
export type Worth = ReadonlyMap<string, number>

export interface ReadDeps {
  /** In a check it refuses everything except reads, and sends equal reads of one run once. */
  readonly transport: Transport
  readonly signal?: AbortSignal
  /** Absent where only the requests of the object itself count. */
  readonly worth?: Worth
}

/** Who the credentials belong to, by plain values that are no secrets. */
export type Caller = { readonly kind: 'known'; readonly as: JsonObject } | UnknownResult

/** A change to build requests for. Sensitive parts are marks: desired ones `$secret`, observed ones `$sealed`. */
export interface PlannedChange {
  readonly address: Address
  readonly action: 'create' | 'update' | 'replace' | 'delete'
  readonly replaceOrder?: ReplaceOrder
  /** The configured attributes, normalised; for a delete by absence the recorded attributes. */
  readonly desired: JsonObject
  /** Normalised observed attributes; `null` for a create. */
  readonly before: JsonObject | null
  /** `before` with the managed attributes set to the desired values; `null` for a delete. */
  readonly after: JsonObject | null
  readonly diff: Diff
  /** Paths that differ, write-only ones included. */
  readonly changed: readonly Path[]
  readonly ids?: Readonly<Record<string, string>>
  /** Of a create: the archived object that it revives; attributes normalised. */
  readonly archived?: Archived
  /** The objects behind the configured references. */
  readonly refs?: JsonObject
  /** The objects behind the observed references, if they may differ. */
  readonly presentRefs?: JsonObject
  readonly version?: string
  readonly versions?: Readonly<Record<string, Json>>
  /** As the read gave them, secrets in clear: their shape and their keyed digest may go into a request, no value may. */
  readonly objects?: Readonly<Record<string, JsonObject>>
  /** Keyed digest. */
  readonly seal?: Seal
}

export type Prepared =
  | { readonly ok: true; readonly attributes: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A request of a read; equal names are one request. `size`: it is a page of a list that has so many items. */
export interface ForeseenRequest {
  readonly name: string
  readonly size?: number
  /** Lists of many objects that may show what it asks for. */
  readonly instead?: readonly ForeseenRequest[]
}

export interface ResourceType {
  readonly name: string
  readonly schema: ObjectSchema
  /**
   * Pure: converts the written attributes to those of the schema, before these are validated and normalised: for written
   * forms that the schema does not have (a file's `source`) and for names with several spellings.
   */
  prepare?(written: JsonObject): Prepared
  /** Names of the ids that the server assigns: other resources may refer to them. */
  readonly idNames?: readonly string[]
  /** Absent: only their keys distinguish objects. */
  readonly identity?: IdentityRules & {
    /** Of settings and references: it is always the object that has the keys now, and is never created or deleted. */
    readonly followsKeys?: true
    /** It is never written, so that several resources may be one object. */
    readonly isShared?: true
  }
  readonly lifecycle?: TypeLifecycle
  /** The attributes that name the objects in whose URLs its own are. */
  readonly within?: readonly { readonly attribute: string; readonly of: ObjectReference }[]
  readonly withoutApi?: WithoutApi
  /** Absent: it is not known. */
  readonly permissions?: PermissionUse
  /** The URL of an object in one spelling, for types whose keys do not identify it. */
  urlOf?(attributes: JsonObject): string | undefined
  /**
   * The URLs that belong to one object alone, because its keys or ids are in their path; `deleted`: where its delete is sent.
   * For types whose objects may be those of another type too. Pure.
   */
  siteOf?(object: Pick<Target, 'attributes' | 'ids' | 'refs'>): { urls: readonly string[]; deleted?: string }
  /**
   * What the commands share with other writes to the target, besides the object. `pages`: objects are found in a list of several
   * pages, at least until their ids are known. `version`: they carry a version that other writes move.
   */
  readonly contention?: { readonly pages?: 'until known' | 'always'; readonly version?: true }
  /** Resolves references by name or id to the form that the API uses. Reads only. */
  resolve?(target: Target, deps: ReadDeps): Promise<ResolvedReferences>
  /** The inverse: replaces ids by names, if the name resolves to the same object. Reads only. */
  speak?(written: JsonObject, attributes: JsonObject, deps: ReadDeps): Promise<JsonObject>
  /** Attributes that requests and rules of the type name. Absent: any of them may be needed to find an object. */
  readonly readBy?: readonly string[]
  /** The caller, for a type whose requests name it: an approval is valid only for this caller. */
  caller?(deps: ReadDeps): Promise<Caller>
  /** Reads depend only on the target; it never writes. Failures are results of kind `unknown`, not exceptions. */
  read(target: Target, deps: ReadDeps): Promise<ReadResult>
  /** The requests that a read of the target takes, as far as that is known without sending one. Absent: nothing is known. Pure. */
  foresee?(target: Target): readonly ForeseenRequest[]
  /** Who changed an object after a time, as its target tells it. Reads only. Absent: the target does not tell it. */
  trace?(target: Target, after: string, deps: ReadDeps): Promise<readonly Traced[] | UnknownResult>
  /**
   * Attributes that a target needs so that the objects of its scope can be listed: they, or the objects behind them, are in
   * the URL.
   */
  readonly listWithin?: readonly string[]
  /** Attributes that narrow a list if a target has them. */
  readonly listBy?: readonly string[]
  /** The existing objects of this type within the scope of the declared resources. */
  list?(scope: readonly Target[], deps: ReadDeps): Promise<Listing>
  /** Pure: the exact requests, in order. */
  commands(change: PlannedChange): readonly CommandDraft[]
  /** Resources of the same provider that the configuration may refer to by name. Pure. */
  named?(attributes: JsonObject): readonly NamedResource[]
  /** Problems of a desired resource that its schema cannot express. */
  validate?(attributes: JsonObject): readonly Problem[]
}

/** PEM texts. `ca` is then the only authority that is trusted; a key comes with its `cert`. */
export interface ProviderTls {
  readonly ca?: string | SecretMark
  readonly cert?: string | SecretMark
  readonly key?: SecretMark
}

/** A Unix socket on the machine that sends the requests. */
export interface ProviderSocket {
  /** Absolute. */
  readonly path: string
  /** For all URLs of this target. */
  readonly origin: string
}

/** `blind`: a required object is not visible. */
export type SightAnswer = { readonly kind: 'clear' } | { readonly kind: 'blind'; readonly detail: string }

export interface Provider {
  /** An API that shows only what its caller may see: hidden objects look absent. */
  readonly mayHide?: true
  /** Whether the caller still sees the required objects. Absent: this cannot be tested. */
  sight?(deps: ReadDeps): Promise<SightAnswer>
  /** Where its objects are: two providers with one place look at the same objects. Absent: each has its own. */
  readonly place?: string
  readonly types: Readonly<Record<string, ResourceType>>
  /** Levels of permissions, from the one that allows the least. */
  readonly permissionLevels?: readonly string[]
  /** Absolute folders that its file URLs may reach; none when absent. */
  readonly fileRoots?: readonly string[]
  /** Names of the programs that its exec URLs may run; none when absent. */
  readonly programs?: readonly string[]
  /** Limits of this provider's target, for the transport. */
  readonly limits?: ProviderLimits
  /** Answers of conditional reads may be kept, for this version of what says how they are read. Absent: none is. */
  readonly keeps?: { readonly version: string }
  /** With a final slash: no request of the provider leaves them. Absent: any. */
  readonly baseUrls?: readonly string[]
  readonly tls?: ProviderTls
  /** All requests of the provider go there, and only there. */
  readonly socket?: ProviderSocket
}

/** A file of the workspace's bundle that a provider entry names, with a way back to its lines. */
export interface ProviderDocument {
  readonly file: string
  readonly value: Json
  /** The position of the value at a path. */
  locate(path: Path): Position
}

export interface ProviderInput {
  readonly alias: string
  /** As it is written, for a package with its name and version. */
  readonly source?: string
  /** Of a package: what its code must be, and where its requests may go. */
  readonly integrity?: string
  readonly baseUrls?: readonly string[]
  /** The value of `with`; secrets are `$secret` marks. */
  readonly with: JsonObject
  readonly position: Position
  /** The parsed `definition`, where the entry names one. */
  readonly definition?: ProviderDocument
  /** The workspace's files by path relative to its folder: `source` attributes and the like. */
  readonly files: WorkspaceFiles
  /** The workspace's folder on this machine, absolute; absent for a workspace that lives in the store only. */
  readonly folder?: string
}

export type Configured =
  | { readonly ok: true; readonly provider: Provider }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** What `source:` names. */
export interface ProviderFactory {
  configure(input: ProviderInput): Configured
}

export type ProviderRegistry = Readonly<Record<string, ProviderFactory>>
