import type { Json, JsonObject } from '../json.ts'
import type { Position } from '../resource.ts'

/** What an answer showed about a type that its document does not say. */
export interface ProbeFinding extends Position {
  readonly type: string
  readonly attribute?: string
  /** What kind of finding it is, such as `filledIn`. */
  readonly code: string
  readonly message: string
  /** Members to write at the place; absent where a person must decide. */
  readonly add?: JsonObject
  readonly evidence: {
    /** The request that was made for it, without its body. */
    readonly request?: string
    readonly status?: number
    /** Values of secrets stand nowhere. */
    readonly sent?: Json
    readonly read?: Json
    /** What the server said. */
    readonly said?: string
  }
}

/** An object that is made, and taken away again. */
export interface ProbeObject {
  readonly type: string
  readonly identity: JsonObject
}

interface Unprobed {
  readonly type: string
  readonly attribute?: string
  readonly detail: string
}

/** What became of a write with a version that was stale. */
export interface ProbedLock {
  readonly type: string
  readonly refused: boolean
  readonly request: string
  readonly status: number
}

/** A value that was tried and could not be set back: the probe has stopped there. */
export interface ProbedStuck extends ProbeObject {
  readonly attribute: string
  /** Values of secrets stand nowhere. */
  readonly was: Json
  /** What it is now; absent where the object cannot be read any more. */
  readonly is?: Json
  readonly detail: string
  /** Requests that would undo it, with their bodies; none where nothing could be planned. */
  readonly undo: readonly string[]
}

export interface ProbeReport {
  readonly document: string
  readonly findings: readonly ProbeFinding[]
  /** Of each type with a lock for which one could be tried. */
  readonly locks: readonly ProbedLock[]
  /** Types and attributes of which nothing was learnt. */
  readonly skipped: readonly Unprobed[]
  readonly made: readonly ProbeObject[]
  readonly stuck?: ProbedStuck
  /** What could not be taken away again. */
  readonly left: readonly (ProbeObject & { readonly detail: string })[]
  readonly interrupted: boolean
}
