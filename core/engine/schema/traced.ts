export interface Traced {
  readonly actor: string
  /** ISO 8601 in UTC, to the millisecond. */
  readonly at: string
  /** As the target names it. */
  readonly action: string
  /** The credential: a token, an app or a key. */
  readonly via?: string
  readonly attributes: readonly string[]
  /** The action deleted the object. */
  readonly deleted?: true
}
