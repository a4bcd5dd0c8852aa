import { AppError } from '#core'

/** What the system says about a file that a person can put right. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder where a file is needed',
  ENOTDIR: 'there is a file where a folder is needed',
}

/** The refusal behind a failed call to the system; `undefined` where it is about no file, or a defect of ours. */
export const fromSystemError = (error: unknown): AppError | undefined => {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const detail = words[String(error.code)]
  return detail === undefined
    ? undefined
    : new AppError('FILE_REFUSED', { path: String(error.path), detail }, { cause: error })
}
