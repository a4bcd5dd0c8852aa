import type { Issue } from '../issue.ts'
import type { JsonObject, Path } from '../json.ts'
import type { NotLookedInto, Unmanaged } from '../plan.ts'
import type { Address, UnknownReason } from '../resource.ts'

/** Part of an object that does not stand in what is written for it. */
export interface LeftOutValue {
  readonly path: Path
  /** `secret`: its value is never written. `write-only`: nobody can read it. `unwritable`: no configuration can hold it. */
  readonly why: 'secret' | 'write-only' | 'unwritable'
  /** The configuration is not complete without it. */
  readonly required: boolean
}

/** A live object as configuration, as it is written: texts hold references, `$${` is a plain `${`. */
export interface ImportedResource {
  readonly address: Address
  readonly type: string
  readonly name: string
  /** Where several providers have the type. */
  readonly provider?: string
  readonly spec: JsonObject
  readonly leftOut: readonly LeftOutValue[]
}

/** A type, or a part of what is of it, that was not listed: what would be there is not known. */
export interface UnlistedType extends NotLookedInto {
  /** Absent where nothing can be done about it here. */
  readonly fix?: string
}

export interface UnreadObject extends Unmanaged {
  readonly reason: UnknownReason | 'absent'
  readonly detail: string
}

/** What was found, the configuration for it, and what a plan of that configuration showed. */
export interface ImportReport {
  readonly workspace: string
  readonly resources: readonly ImportedResource[]
  /** YAML, to be put into the configuration. */
  readonly text: string
  /** Objects that the workspace has already. */
  readonly managed: number
  readonly unlisted: readonly UnlistedType[]
  readonly unread: readonly UnreadObject[]
  /** Imported ones that would be changed all the same, with the paths. */
  readonly differing: readonly { readonly address: Address; readonly paths: readonly string[] }[]
  /** Imported ones that could not be planned. */
  readonly unchecked: readonly { readonly address: Address; readonly detail: string }[]
  /** Why the whole could not be planned. */
  readonly issues: readonly Issue[]
}
