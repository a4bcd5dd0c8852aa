import type { Json, JsonObject } from '../json.ts'
import type { Position } from '../resource.ts'

/** What an answer showed about a type, and the document does not say. */
export interface ProbeFinding extends Position {
  readonly type: string
  readonly attribute?: string
  /** For example `filledIn`. */
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

export interface ProbeObject {
  readonly type: string
  readonly identity: JsonObject
}

interface Unprobed {
  readonly type: string
  readonly attribute?: string
  readonly detail: string
}

export interface ProbedLock {
  readonly type: string
  readonly refused: boolean
  readonly request: string
  readonly status: number
}

/** A value that was tried and could not be set back. The probe stopped there. */
export interface ProbedStuck extends ProbeObject {
  readonly attribute: string
  /** Values without secrets. */
  readonly was: Json
  /** Its current value; missing if the object cannot be read any more. */
  readonly is?: Json
  readonly detail: string
  /** Requests that would undo the change, with their bodies; empty if nothing could be planned. */
  readonly undo: readonly string[]
}

export interface ProbeReport {
  readonly document: string
  readonly findings: readonly ProbeFinding[]
  readonly locks: readonly ProbedLock[]
  readonly skipped: readonly Unprobed[]
  readonly made: readonly ProbeObject[]
  readonly stuck?: ProbedStuck
  readonly left: readonly (ProbeObject & { readonly detail: string })[]
  readonly interrupted: boolean
}
