/** An entry of the log of a target. */
export interface Traced {
  readonly actor: string
  /** ISO 8601 in UTC, to the millisecond. */
  readonly at: string
  /** As the target names it. */
  readonly action: string
  /** By what it was done: a token, an app, a key. */
  readonly via?: string
  /** The top-level attributes that it changed. */
  readonly attributes: readonly string[]
  /** It deleted the object. */
  readonly deleted?: true
}
