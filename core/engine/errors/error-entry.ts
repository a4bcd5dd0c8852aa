/**
 * Who can act on the error. `user`: the caller. `remote`: the target or AWS. `ours`: Plumbline, because the error is a
 * defect.
 */
export type Fault = 'user' | 'remote' | 'ours'

interface ErrorFacts {
  readonly fault: Fault
  readonly retryable: boolean
  /** Status code of the HTTP API. */
  readonly status: number
  /** Exit code of the CLI. */
  readonly exit: 1 | 2 | 3
}

interface ErrorWords<Payload> {
  /** Lower case, with the wrong value. */
  readonly message: (payload: Payload) => string
  readonly hint: string
}

/** Rows of one kind; a row may override facts. Keeps the payload type of each row. */
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
/** What was approved no longer matches what exists. */
export const stale = kind({ ...byUser, status: 409, exit: 2 })
export const remote = kind(byRemote)
export const unavailable = kind({ ...byRemote, status: 503 })
/** A retry does not help. */
export const permanent = kind({ ...byRemote, retryable: false })
export const ours = kind({ fault: 'ours', retryable: false, status: 500, exit: 1 })
