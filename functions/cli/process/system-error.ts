import { AppError } from '#core'
import { systemWords } from '../../adapters/files/system-words.ts'

/** The refusal behind a failed call to the system; `undefined` where it is about no file, or a defect of ours. */
export const fromSystemError = (error: unknown): AppError | undefined => {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const detail = systemWords[String(error.code)]
  return detail === undefined
    ? undefined
    : new AppError('FILE_REFUSED', { path: String(error.path), detail }, { cause: error })
}
