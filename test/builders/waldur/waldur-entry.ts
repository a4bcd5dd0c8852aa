import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Answered } from '../servers/json-routes.ts'
import type { Filters, Kind, WaldurState } from './waldur-state.ts'

/* A kind of objects of the Waldur stand-in: what it takes, refuses, and can be told to do. */

export interface Action {
  readonly refuses?: (state: WaldurState, object: JsonObject, body: Json) => Answered | undefined
  /** What the object is in the end. */
  readonly sets: (state: WaldurState, body: Json) => JsonObject
  /** What is answered, where it is not only a status. */
  readonly says?: (body: Json) => Json
}

export interface KindEntry {
  readonly filters: Filters
  /** Who makes one in its collection: staff, anybody for himself, or who may change what a member names. Or the call that makes it. */
  readonly made?:
    | 'by staff'
    | 'by anybody'
    | { readonly under: Kind; readonly member: string }
    | { readonly in: Kind; readonly by: string }
  /** What a create takes, and what the object has where the create does not say it. */
  readonly starts?: JsonObject
  readonly requires?: readonly string[]
  /** Members that a change takes; `lost`: what it loses where the change does not say it. */
  readonly changes?: {
    readonly takes: readonly string[]
    readonly by?: 'PUT'
    readonly lost?: JsonObject
    /** Members that the answer has, where it has not all of them. */
    readonly says?: readonly string[]
  }
  /** The words of a refusal (400) of a create, or of a change of an object. */
  readonly refuses?: (body: JsonObject, object?: JsonObject) => Json | undefined
  /** What follows from what was given. */
  readonly follows?: (state: WaldurState, body: JsonObject) => JsonObject
  /** What an object has beside that, when it is made. */
  readonly has?: JsonObject
  /** What the cloud adds, once it is there. */
  readonly arrives?: (state: WaldurState) => JsonObject
  /** How it is deleted; `marked`: it stays, with this. Without it, nobody can. */
  readonly ends?: {
    readonly refuses?: (state: WaldurState, object: JsonObject) => Answered | undefined
    readonly marked?: JsonObject
  }
  readonly actions?: Readonly<Record<string, Action>>
}
