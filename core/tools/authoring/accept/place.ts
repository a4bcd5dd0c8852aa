import type { Expression } from '../../../engine/config/expressions/template.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import type { Json, MaybeJson, Path } from '../../../engine/schema/json.ts'
import type { Refusal } from './words.ts'

/** A value of a resource, on all sides. */
export interface Place {
  readonly facts: Attribute
  /** As the file has it: references are texts. */
  readonly written: Json
  /** As desired, with references resolved, before it is normalised: elements have the order of the file. */
  readonly resolved: Json
  /** Canonical. */
  readonly live: MaybeJson
  /** The live value in written form, with names instead of ids; missing where the form of `live` says the same. */
  readonly spoken: MaybeJson
  /** As in plans. */
  readonly path: Path
  /** In the document. */
  readonly at: Path
  /** What references in `written` mean. */
  readonly lookUp: LookUp
  /** The canonical form that another desired value would have here; `undefined` if it would be ignored. */
  readonly canonical: (value: Json) => MaybeJson
}

/** A value that another place of the document gets. */
export interface OtherEdit {
  readonly file: string
  readonly at: Path
  readonly value: Json
  /** What the reference names. */
  readonly via: string
  readonly path: Path
}

/** What one resource takes over, and what is found on the way. */
export interface Taking {
  /** The differences to accept, as in plans. */
  readonly wanted: readonly Path[]
  /** Wanted paths that were decided, by their text: written, or refused. */
  readonly done: Set<string>
  readonly refused: Map<string, { readonly path: Path; readonly refusal: Refusal }>
  readonly others: OtherEdit[]
  /** Which old element each element of a new list was. */
  readonly origins: WeakMap<object, readonly (number | undefined)[]>
}

/** The written value behind a reference, with its place and what its own references mean; or why there is none. */
export type LookUp = (reference: { readonly expression: Expression }) =>
  | {
      readonly file: string
      readonly at: Path
      readonly written: Json
      readonly via: string
      readonly lookUp: LookUp
    }
  | { readonly refusal: Refusal }
