/** Who can do something about it. `user`: the caller. `remote`: the target or AWS. `ours`: a defect. */
export type Fault = 'user' | 'remote' | 'ours'

export interface Entry<Payload> {
  readonly fault: Fault
  readonly retryable: boolean
  /** Of the HTTP API. */
  readonly status: number
  /** Of the CLI. */
  readonly exit: 1 | 2 | 3
  /** Lower case, with the wrong value. */
  readonly message: (payload: Payload) => string
  /** What to do. */
  readonly hint: string
}

/** Keeps the payload of each row apart. */
export const entry = <Payload>(row: Entry<Payload>): Entry<Payload> => row
export const user = { fault: 'user', retryable: false, status: 400, exit: 1 } as const
export const remote = { fault: 'remote', retryable: true, status: 502, exit: 1 } as const
export const ours = { fault: 'ours', retryable: false, status: 500, exit: 1 } as const
