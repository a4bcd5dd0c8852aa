import type { Json, JsonObject } from '../json.ts'
import type { Position } from '../resource.ts'

/** What an answer showed about a type that its document does not say. */
export interface ProbeFinding extends Position {
  readonly type: string
  readonly attribute?: string
  /** The kind of the finding, such as `filledIn`. */
  readonly code: string
  readonly message: string
  /** Members to add at the place; absent if a person must decide. */
  readonly add?: JsonObject
  readonly evidence: {
    /** The request that was sent for it, without its body. */
    readonly request?: string
    readonly status?: number
    /** Values without secrets. */
    readonly sent?: Json
    readonly read?: Json
    /** The message of the server. */
    readonly said?: string
  }
}

/** An object that is created, and deleted again. */
export interface ProbeObject {
  readonly type: string
  readonly identity: JsonObject
}

interface Unprobed {
  readonly type: string
  readonly attribute?: string
  readonly detail: string
}

/** The result of a write with a stale version. */
export interface ProbedLock {
  readonly type: string
  readonly refused: boolean
  readonly request: string
  readonly status: number
}

/** A value that was tried and could not be set back: the probe has stopped there. */
export interface ProbedStuck extends ProbeObject {
  readonly attribute: string
  /** Values without secrets. */
  readonly was: Json
  /** Its current value; missing if the object cannot be read any more. */
  readonly is?: Json
  readonly detail: string
  /** Requests that would undo it, with their bodies; none if nothing could be planned. */
  readonly undo: readonly string[]
}

export interface ProbeReport {
  readonly document: string
  readonly findings: readonly ProbeFinding[]
  /** For each type with a lock that could be tried. */
  readonly locks: readonly ProbedLock[]
  /** Types and attributes that could not be probed. */
  readonly skipped: readonly Unprobed[]
  readonly made: readonly ProbeObject[]
  readonly stuck?: ProbedStuck
  /** Objects that could not be deleted. */
  readonly left: readonly (ProbeObject & { readonly detail: string })[]
  readonly interrupted: boolean
}
