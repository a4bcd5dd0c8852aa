import type { ObjectSchema } from '../schema/attribute.ts'
import type { CommandDraft } from '../schema/command.ts'
import type { Diff } from '../schema/diff.ts'
import type { Issue, Problem } from '../schema/issue.ts'
import type { Json, JsonObject, Path } from '../schema/json.ts'
import type { Seal } from '../schema/ports.ts'
import type {
  AbsentResult,
  Address,
  Archived,
  IdentityRules,
  Position,
  ReadResult,
  TypeLifecycle,
  UnknownReason,
  UnknownResult,
} from '../schema/resource.ts'
import type { SecretMark } from '../schema/value.ts'
import type { WorkspaceFiles } from '../schema/workspace-files.ts'
import type { Rate } from '../transport/limits/pace.ts'
import type { Transport } from '../transport/transport.ts'

/** What identifies an object to a read: desired or, for a resource that left the configuration, recorded attributes. */
export interface Target {
  readonly address: Address
  /** Normalised; values may hold marks, but those that identify the object are plain. */
  readonly attributes: JsonObject
  /** The object with these ids is meant, even under other keys. Absent: the object that has the keys. */
  readonly ids?: Readonly<Record<string, string>>
  /** The object is to be deleted. */
  readonly leaving?: true
  /** Something that it depends on is about to be made, and what comes with that. */
  readonly coming?: true
  /** Attributes are those of a record: what they refer to is known by what they hold, and no name is looked for. */
  readonly isRecorded?: true
  /** The objects behind its references, as `resolve` found them. */
  readonly refs?: JsonObject
  /** Resources that it depends on, which a value may mean by a name. Only `resolve` looks at them. */
  readonly neighbours?: readonly Neighbour[]
}

/** A resource of the same provider that the configuration declares. */
export interface Neighbour {
  readonly address: Address
  readonly type: string
  /** Normalised, as they are after this plan. */
  readonly attributes: JsonObject
  /** Of the object that is there now. */
  readonly ids: Readonly<Record<string, string>>
  /** The same, as it was found. */
  readonly object?: JsonObject
  /** The objects behind its references. */
  readonly refs: JsonObject
  /** Whether its object is there and stays, or comes with this plan: as a new one, or in the place of another. */
  readonly state: 'settled' | 'created' | 'replaced'
}

/** A value that may be the name of a resource: what an attribute of that type is. */
export interface NamedResource {
  readonly type: string
  readonly key: string
  readonly value: string | number
}

/** Why values of attributes are not known. */
export type OpenValues = Readonly<Record<string, UnknownResult>>

/** `unresolved`: what is known of the resource itself then. */
export type ResolvedReferences =
  | {
      readonly kind: 'resolved'
      readonly attributes: JsonObject
      readonly refs: JsonObject
      /** Attributes that refer to an object. */
      readonly refersBy?: readonly string[]
      /** Left out of `attributes`, because it is not known what they refer to, and nothing needs it to find the object. */
      readonly open?: OpenValues
    }
  | { readonly kind: 'unresolved'; readonly result: AbsentResult | UnknownResult }

export interface ReadDeps {
  /** In a check it refuses all that is not a read, and answers equal reads of one run once. */
  readonly transport: Transport
  readonly signal?: AbortSignal
}

/** Who the credentials belong to, by plain values that are no secrets. */
export type Caller = { readonly kind: 'known'; readonly as: JsonObject } | UnknownResult

export interface Listed {
  /** Attributes that identify the object, normalised by the caller. */
  readonly identity: JsonObject
  /** What its list was asked for within. */
  readonly within?: JsonObject
  readonly ids?: Readonly<Record<string, string>>
}

/** A place that could not be listed: what is inside of it is not known. */
export interface UnlistedPlace {
  /** What the list was to be asked for with. */
  readonly within: JsonObject
  readonly reason: UnknownReason
  readonly detail: string
}

/** `unknown` where nothing could be listed. */
export type Listing =
  | { readonly kind: 'listed'; readonly objects: readonly Listed[]; readonly unlisted?: readonly UnlistedPlace[] }
  | UnknownResult

/** A change to build requests for. Sensitive parts are marks: desired ones `$secret`, observed ones `$sealed`. */
export interface PlannedChange {
  readonly address: Address
  readonly action: 'create' | 'update' | 'replace' | 'delete'
  readonly replaceOrder?: 'deleteFirst' | 'createFirst'
  /** What the configuration says, normalised; for a delete by absence the recorded attributes. */
  readonly desired: JsonObject
  /** Normalised observed attributes; `null` for a create. */
  readonly before: JsonObject | null
  /** `before` with what is managed brought to what is desired; `null` for a delete. */
  readonly after: JsonObject | null
  readonly diff: Diff
  /** Paths that differ, write-only ones included. */
  readonly changed: readonly Path[]
  readonly ids?: Readonly<Record<string, string>>
  /** Of a create: the archived object that it revives; attributes normalised. */
  readonly archived?: Archived
  /** The objects behind what is configured. */
  readonly refs?: JsonObject
  /** The objects behind what is there, where these may be others. */
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

export interface ResourceType {
  readonly name: string
  readonly schema: ObjectSchema
  /**
   * Pure: what was written brought to the attributes of the schema, before these are checked and normalised. For
   * written forms that the schema does not have (a file's `source`) and for names that have several spellings.
   */
  prepare?(written: JsonObject): Prepared
  /** Names of the ids that the server makes: others may refer to them. */
  readonly idNames?: readonly string[]
  /** Absent: only their keys distinguish objects. */
  readonly identity?: IdentityRules & {
    /** Settings, and objects that are only referred to: the object that has the keys now. It is never created or deleted. */
    readonly followsKeys?: true
    /** It is never written, so that several resources may be one object. */
    readonly isShared?: true
  }
  readonly lifecycle?: TypeLifecycle
  /** Where an object is, in one spelling; for types whose keys do not tell that by themselves. */
  urlOf?(attributes: JsonObject): string | undefined
  /** What attributes refer to by name or id, in the form in which the API shows and takes it. Reads only. */
  resolve?(target: Target, deps: ReadDeps): Promise<ResolvedReferences>
  /** The other way round: what is written, with names in the place of what the API shows, where a name finds it again. Reads only. */
  speak?(written: JsonObject, attributes: JsonObject, deps: ReadDeps): Promise<JsonObject>
  /** Attributes that requests and rules of the type name. Absent: any of them may be needed to find an object. */
  readonly readBy?: readonly string[]
  /** Who the caller is, for a type whose requests say that: an approval holds for this caller alone. */
  caller?(deps: ReadDeps): Promise<Caller>
  /** Reads that depend on nothing but the target; never writes. Failures come back as `unknown`, not as exceptions. */
  read(target: Target, deps: ReadDeps): Promise<ReadResult>
  /** Attributes that a target must give, so that what is around it can be listed: they, or what they refer to, are in the URL. */
  readonly listWithin?: readonly string[]
  /** Attributes that narrow a list where a target gives them. */
  readonly listBy?: readonly string[]
  /** What exists of this type within the scope of the declared resources. */
  list?(scope: readonly Target[], deps: ReadDeps): Promise<Listing>
  /** Pure: the exact requests, in order. */
  commands(change: PlannedChange): readonly CommandDraft[]
  /** Resources of the same provider that the configuration may mean by a name. Pure. */
  named?(attributes: JsonObject): readonly NamedResource[]
  /** Problems of a desired resource that its schema cannot express. */
  validate?(attributes: JsonObject): readonly Problem[]
}

export interface ProviderLimits {
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  /** Reads without credentials may be redirected to another origin. */
  readonly otherOrigins?: boolean
  /** Requests under way at once. */
  readonly concurrency?: number
  readonly rate?: Rate
}

/** PEM texts. `ca` is then the only authority that is trusted; a key comes with its `cert`. */
export interface ProviderTls {
  readonly ca?: string | SecretMark
  readonly cert?: string | SecretMark
  readonly key?: SecretMark
}

/** A Unix socket on the machine that asks. */
export interface ProviderSocket {
  /** Absolute. */
  readonly path: string
  /** Of all URLs that are asked there. */
  readonly origin: string
}

/** `blind`: what must be seen is not. */
export type SightAnswer = { readonly kind: 'clear' } | { readonly kind: 'blind'; readonly detail: string }

export interface Provider {
  /** It shows what its caller may see: what is hidden looks like what is not there. */
  readonly mayHide?: true
  /** Whether the caller still sees what must be seen. Absent: nothing tells. */
  sight?(deps: ReadDeps): Promise<SightAnswer>
  /** Where its objects are: two providers with one place look at the same objects. Absent: each has its own. */
  readonly place?: string
  readonly types: Readonly<Record<string, ResourceType>>
  /** Absolute folders that its file URLs may reach; none when absent. */
  readonly fileRoots?: readonly string[]
  /** Names of the programs that its exec URLs may run; none when absent. */
  readonly programs?: readonly string[]
  /** Limits of this provider's target, for the transport. */
  readonly limits?: ProviderLimits
  readonly tls?: ProviderTls
  /** Everything goes there, and nothing anywhere else. */
  readonly socket?: ProviderSocket
}

/** A file of the workspace's bundle that a provider entry names, with a way back to its lines. */
export interface ProviderDocument {
  readonly file: string
  readonly value: Json
  /** Where the value at a path stands. */
  locate(path: Path): Position
}

export interface ProviderInput {
  readonly alias: string
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
