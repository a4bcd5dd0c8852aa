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
export const notFound = { ...user, status: 404 } as const
export const forbidden = { ...user, status: 403 } as const
export const invalid = { ...user, status: 422 } as const
export const conflict = { ...user, status: 409 } as const
/** What was approved is not what is there. */
export const stale = { ...conflict, exit: 2 } as const
export const remote = { fault: 'remote', retryable: true, status: 502, exit: 1 } as const
export const unavailable = { ...remote, status: 503 } as const
/** Trying again does not help. */
export const permanent = { ...remote, retryable: false } as const
export const ours = { fault: 'ours', retryable: false, status: 500, exit: 1 } as const
