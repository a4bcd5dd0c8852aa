import type { Address, Position } from '../resource.ts'

/** Why a difference cannot be written into the configuration. */
export type AcceptRefusal =
  | 'secret' // its value is never written
  | 'computed' // the server sets it
  | 'write_only' // it cannot be read
  | 'identity' // it identifies the object
  | 'unchecked' // the object could not be read
  | 'deleted' // the object does not exist
  | 'not_ours' // the object there is not that of the resource
  | 'undeclared' // no resource declares the object
  | 'absent' // the object exists and is declared absent
  | 'required' // it has no value, and must have one
  | 'unwritable' // no configuration can express it
  | 'not_written' // the spec does not contain it as such
  | 'reference' // it comes from something that no edit can change
  | 'evaluated' // its file is a program, and its text does not contain values
  | 'elsewhere' // something else would change
  | 'no_effect' // the difference would stay
  | 'invalid' // the configuration with it is not valid

export interface AcceptedValue {
  readonly address: Address
  /** In the form that plans use. */
  readonly path: string
  readonly position: Position
  /** The reference that leads there, if the spec does not contain the value itself. */
  readonly via?: string
}

export interface RefusedValue {
  readonly address: Address
  /** Absent for a whole resource. */
  readonly path?: string
  readonly reason: AcceptRefusal
  readonly detail: string
  readonly fix: string
  /** What else would change. */
  readonly elsewhere?: readonly string[]
}

export interface AcceptReport {
  readonly workspace: string
  readonly accepted: readonly AcceptedValue[]
  readonly refused: readonly RefusedValue[]
  /** Differences that were not requested: the configuration was changed, or they were never agreed. */
  readonly left: readonly {
    readonly address: Address
    readonly path: string
    /** Why it cannot be requested either. */
    readonly detail?: string
  }[]
  /** A unified diff for each file that changes. */
  readonly files: readonly { readonly file: string; readonly diff: string }[]
}
