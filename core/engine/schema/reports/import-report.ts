import type { Issue } from '../issue.ts'
import type { JsonObject, Path } from '../json.ts'
import type { Address, UnknownReason } from '../resource.ts'
import type { NotLookedInto, Unmanaged } from '../stored/plan.ts'

/** A part of an object that is left out of the resource that is written for it. */
export interface LeftOutValue {
  readonly path: Path
  /** `secret`: its value is never written. `write-only`: it cannot be read. `unwritable`: no configuration can express it. */
  readonly why: 'secret' | 'write-only' | 'unwritable'
  /** The configuration is not complete without the value. */
  readonly required: boolean
}

/** A live object as a configuration writes it: texts contain references, `$${` is a plain `${`. */
export interface ImportedResource {
  readonly address: Address
  readonly type: string
  readonly name: string
  /** The alias, if several providers have the type. */
  readonly provider?: string
  readonly spec: JsonObject
  /** What its object is taken over by, if its type adopts nothing: its server ids, or its keys. */
  readonly takenOver?: JsonObject
  readonly leftOut: readonly LeftOutValue[]
}

/** A type, or a part of its objects, that was not listed; these objects are unknown. */
export interface UnlistedType extends NotLookedInto {
  /** Absent if nothing can be done about it here. */
  readonly fix?: string
}

export interface UnreadObject extends Unmanaged {
  readonly reason: UnknownReason | 'absent'
  readonly detail: string
}

export interface ImportReport {
  readonly workspace: string
  readonly resources: readonly ImportedResource[]
  /** YAML, to be added to the configuration. */
  readonly text: string
  /** Objects that the workspace already manages. */
  readonly managed: number
  readonly unlisted: readonly UnlistedType[]
  readonly unread: readonly UnreadObject[]
  /** Imported objects that the plan would change, with the paths, and why it would not be sent. */
  readonly differing: readonly {
    readonly address: Address
    readonly paths: readonly string[]
    readonly blocked?: string
  }[]
  readonly unchecked: readonly { readonly address: Address; readonly detail: string }[]
  /** Why nothing could be planned. */
  readonly issues: readonly Issue[]
}
