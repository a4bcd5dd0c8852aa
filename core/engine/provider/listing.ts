import type { JsonObject } from '../schema/json.ts'
import type { UnknownReason, UnknownResult } from '../schema/resource.ts'

export interface Listed {
  /** Attributes that identify the object; the caller normalises them. */
  readonly identity: JsonObject
  /** The scope in which the object was listed. */
  readonly within?: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  /** Those of the attributes that were asked for (`ReadDeps.shows`) which the list has. */
  readonly shown?: JsonObject
}

/** A scope that could not be listed: its objects are unknown. */
export interface UnlistedPlace {
  /** The values of the list request. */
  readonly within: JsonObject
  readonly reason: UnknownReason
  readonly detail: string
}

/** `unknown` if nothing could be listed. */
export type Listing =
  | { readonly kind: 'listed'; readonly objects: readonly Listed[]; readonly unlisted?: readonly UnlistedPlace[] }
  | UnknownResult
