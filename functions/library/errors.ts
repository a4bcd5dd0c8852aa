import type { ErrorCode, Issue } from '#core'

/** The error of every function. Its message contains no secret. */
export interface PlumblineError extends Error {
  /** docs/errors.md lists all codes. */
  readonly code: ErrorCode
  /** What to do. */
  readonly hint: string
  /** True if the same call may succeed later. */
  readonly retryable: boolean
  /** The facts of the message; those of CONFIG_INVALID are all problems with their places. */
  readonly payload: { readonly issues?: readonly Issue[] }
}
