/** Who can do something about it. `user`: the caller. `remote`: the target or AWS. `ours`: a defect. */
export type Fault = 'user' | 'remote' | 'ours'

/** A problem of the configuration, at its place. `value` is never a secret. */
export interface Issue {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly value?: string
  readonly fix: string
}
