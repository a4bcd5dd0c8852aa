import { AppError, foreignWords } from '#core'

/**
 * The message of an engine that has no disk space for a write. Only the text tells: its code is the same for every failure.
 */
const noRoom = /\b(disk is full|no space left|disk quota|SQLITE_FULL|ENOSPC|EDQUOT)\b/i

/** A failed request to the store. The engine's own message is read, and never shown. */
export const asStoreError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (noRoom.test(message)) return new AppError('STORE_FULL', { detail: 'the disk is full' }, { cause: error })
  const code = name === 'ValidationException' ? 'INTERNAL' : 'STORE_UNAVAILABLE'
  return new AppError(code, { detail: foreignWords(error) }, { cause: error })
}
