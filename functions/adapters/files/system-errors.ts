import { AppError } from '#core'

export const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder where a file is needed',
  ENOTDIR: 'there is a file where a folder is needed',
  EEXIST: 'there is a file where a folder is needed',
}

/** Returns the system's name of an error, for example ENOENT. */
export const errno = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/**
 * Returns the result of `work`, or `undefined` if the system answers with one of these codes. Any other error is
 * thrown.
 */
export const unless = async <Result>(codes: readonly string[], work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work
  } catch (error) {
    if (codes.includes(errno(error) ?? '')) return undefined
    throw error
  }
}

/** Returns the result of `work`, or `undefined` if the system says that there is no such file or folder. */
export const ifThere = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  unless(['ENOENT', 'ENOTDIR'], work)

/**
 * Returns FILE_REFUSED for a system error that a user can correct, else the error itself. A full disk is reported by a
 * call that knows the file only by its number: then `path` names the file.
 */
export const asRefused = (error: unknown, path?: string): unknown => {
  const detail = systemWords[errno(error) ?? '']
  const named = path ?? (error as { readonly path?: string }).path
  return detail === undefined || named === undefined
    ? error
    : new AppError('FILE_REFUSED', { path: named, detail }, { cause: error })
}
