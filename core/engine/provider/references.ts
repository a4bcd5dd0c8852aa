import type { JsonObject } from '../schema/json.ts'
import type { AbsentResult, Address, UnknownResult } from '../schema/resource.ts'

/* What values of a resource say of other resources. */

/** A resource of the same provider that the configuration declares. */
export interface Neighbour {
  readonly address: Address
  readonly type: string
  /** Normalised, as they will be after this plan. */
  readonly attributes: JsonObject
  /** Server ids of the object that exists now, and the object as it was found. */
  readonly ids: Readonly<Record<string, string>>
  readonly object?: JsonObject
  readonly refs: JsonObject
  /** Whether the object exists and stays, or this plan creates it, as a new object or as a replacement. */
  readonly state: 'settled' | 'created' | 'replaced'
}

/** A value that may be the name of a resource: a reference to that type. */
export interface NamedResource {
  readonly type: string
  readonly key: string
  readonly value: string | number
  /** Attributes of that resource that say what contains it, as far as this resource has the same ones. */
  readonly within?: JsonObject
}

export type OpenValues = Readonly<Record<string, UnknownResult>>

/** `unresolved`: what is known of the resource in that case. */
export type ResolvedReferences =
  | {
      readonly kind: 'resolved'
      readonly attributes: JsonObject
      readonly refs: JsonObject
      readonly refersBy?: readonly string[]
      /**
       * Attributes that `attributes` lacks, because their references cannot be resolved and are not needed to find the
       * object.
       */
      readonly open?: OpenValues
    }
  | { readonly kind: 'unresolved'; readonly result: AbsentResult | UnknownResult }

/**
 * An object of another type, by a value that it has: of an attribute or an id, or at a place of the object as it was read.
 * Without a type: a place that is no object of the document, by the attribute that names it here.
 */
export interface Lead {
  readonly type?: string
  readonly value: string | number
  readonly at: { readonly attribute: string } | { readonly pointer: string }
  /** Attributes of that object that say what it is in: another one may have the same value elsewhere. */
  readonly within?: JsonObject
  /** The object is in that one, and not only marked with it: its URL or its keys name it, or the document calls it a container. */
  readonly isAround?: true
}

export interface ObjectSite {
  readonly urls: readonly string[]
  readonly deleted?: string
  /** Where the object is looked up; it may be a place of many. */
  readonly asked?: string
}

/** A place of many objects, with what tells one of them from the others there: each of its ids, and all of its keys together. */
export interface PlaceAmong {
  readonly url: string
  readonly ids: Readonly<Record<string, string>>
  /** Those that the URL does not have. */
  readonly keys: readonly string[]
}
