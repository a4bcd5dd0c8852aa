import type { Expression } from '../../../engine/config/expressions/template.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import type { Json, MaybeJson, Path } from '../../../engine/schema/json.ts'
import type { Refusal } from './words.ts'

export interface Place {
  readonly facts: Attribute
  /** As in the file: references are texts. */
  readonly written: Json
  /** The desired value with resolved references, before it is normalised: elements have the order of the file. */
  readonly resolved: Json
  /** Canonical. */
  readonly live: MaybeJson
  /** The live value in written form, with names instead of ids; absent if it equals `live`. */
  readonly spoken: MaybeJson
  readonly path: Path
  readonly at: Path
  readonly lookUp: LookUp
  /** Returns the canonical form of another desired value at this place; `undefined` if it would be ignored. */
  readonly canonical: (value: Json) => MaybeJson
}

export interface OtherEdit {
  readonly file: string
  readonly at: Path
  readonly value: Json
  readonly via: string
  readonly path: Path
}

export interface Taking {
  readonly wanted: readonly Path[]
  /** Wanted paths, as texts, that were written or refused. */
  readonly done: Set<string>
  readonly refused: Map<string, { readonly path: Path; readonly refusal: Refusal }>
  readonly others: OtherEdit[]
  /** Maps each element of a new list to the index of its old element. */
  readonly origins: WeakMap<object, readonly (number | undefined)[]>
}

/**
 * Finds the written value behind a reference, with its place and the context of its own references; or the reason why
 * there is none.
 */
export type LookUp = (reference: { readonly expression: Expression }) =>
  | {
      readonly file: string
      readonly at: Path
      readonly written: Json
      readonly via: string
      readonly lookUp: LookUp
    }
  | { readonly refusal: Refusal }
