/** Who can do something about it. `user`: the caller. `remote`: the target or AWS. `ours`: a defect. */
export type Fault = 'user' | 'remote' | 'ours'

interface ErrorFacts {
  readonly fault: Fault
  readonly retryable: boolean
  /** Of the HTTP API. */
  readonly status: number
  /** Of the CLI. */
  readonly exit: 1 | 2 | 3
}

interface ErrorWords<Payload> {
  /** Lower case, with the wrong value. */
  readonly message: (payload: Payload) => string
  /** What to do. */
  readonly hint: string
}

/** Rows of one kind; a row may have facts of its own. Keeps the payload of each row apart. */
const kind =
  (facts: ErrorFacts) =>
  <Payload>(row: ErrorWords<Payload> & Partial<ErrorFacts>): ErrorWords<Payload> & ErrorFacts => ({ ...facts, ...row })

const byUser: ErrorFacts = { fault: 'user', retryable: false, status: 400, exit: 1 }
const byRemote: ErrorFacts = { fault: 'remote', retryable: true, status: 502, exit: 1 }
export const user = kind(byUser)
export const notFound = kind({ ...byUser, status: 404 })
export const forbidden = kind({ ...byUser, status: 403 })
export const invalid = kind({ ...byUser, status: 422 })
export const conflict = kind({ ...byUser, status: 409 })
/** What was approved is not what is there. */
export const stale = kind({ ...byUser, status: 409, exit: 2 })
export const remote = kind(byRemote)
export const unavailable = kind({ ...byRemote, status: 503 })
/** Trying again does not help. */
export const permanent = kind({ ...byRemote, retryable: false })
export const ours = kind({ fault: 'ours', retryable: false, status: 500, exit: 1 })
