import { AppError, foreignWords } from '#core'

/**
 * Matches the message of an engine that has no disk space for a write. Its error code is the same for every failure.
 */
const noRoom = /\b(disk is full|no space left|disk quota|SQLITE_FULL|ENOSPC|EDQUOT)\b/i

/** The engine's own message is read, and never shown. */
export const asStoreError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (noRoom.test(message)) return new AppError('STORE_FULL', { detail: 'the disk is full' }, { cause: error })
  const code = name === 'ValidationException' ? 'INTERNAL' : 'STORE_UNAVAILABLE'
  return new AppError(code, { detail: foreignWords(error) }, { cause: error })
}
