import type { Failure } from '../schema/stored/records.ts'
import type { Fault } from './error-entry.ts'
import { errorTable } from './error-table.ts'

export type ErrorCode = keyof typeof errorTable
export type ErrorPayload<Code extends ErrorCode> = Parameters<(typeof errorTable)[Code]['message']>[0]

/** The only error type of Plumbline. Its message contains no secret: payloads contain references, never values. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly payload: ErrorPayload<Code>

  /** `told` replaces the message with the text of another process, which had the whole payload. */
  constructor(
    code: Code,
    payload: ErrorPayload<Code>,
    { told, ...options }: { readonly cause?: unknown; readonly told?: string } = {},
  ) {
    super(told ?? (errorTable[code].message as (payload: ErrorPayload<Code>) => string)(payload), options)
    this.name = 'AppError'
    this.code = code
    this.payload = payload
  }

  get fault(): Fault {
    return errorTable[this.code].fault
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get exit(): 1 | 2 | 3 {
    return errorTable[this.code].exit
  }

  get hint(): string {
    return errorTable[this.code].hint
  }
}

/** With a code, true only for errors with that code. */
export const isAppError = <Code extends ErrorCode>(error: unknown, code?: Code): error is AppError<Code> =>
  error instanceof AppError && (code === undefined || error.code === code)

/** Another process may return a code that is not in the table. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

export const failureOf = ({ code, message, hint }: AppError): Failure => ({ code, message, hint })

/**
 * Returns an AppError as it is. Any other thrown value is a defect of Plumbline and becomes the cause of an AppError.
 */
export const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('INTERNAL', { detail: foreignWords(error) }, { cause: error })

/** Name and code only: the message of a foreign error may quote a secret from an expression, a text or a request. */
export const foreignWords = (error: unknown): string => {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const { name, code } = error as Error & { readonly code?: unknown }
  const plain = [name, code].filter((word) => typeof word === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(word))
  return plain.length === 0 ? 'an error' : plain.join(' ')
}
