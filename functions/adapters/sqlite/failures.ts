import { AppError, foreignWords } from '#core'

/** Primary result codes, without the extension in the upper bits: https://sqlite.org/rescode.html */
const results = { busy: 5, locked: 6, corrupt: 11, full: 13, notADatabase: 26 } as const

const resultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined

export const isBusy = (error: unknown): boolean => {
  const result = resultOf(error)
  return result === results.busy || result === results.locked
}

export const isNoDatabase = (error: unknown): boolean => resultOf(error) === results.notADatabase

/** SQLite's own message is read, and never shown. */
export const asStoreError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const result = resultOf(error)
  const detail = foreignWords(error)
  if (result === results.full) return new AppError('STORE_FULL', { detail: 'the disk is full' }, { cause: error })
  if (result === results.corrupt || result === results.notADatabase)
    return new AppError('STORE_CORRUPT', { what: 'file', detail }, { cause: error })
  return new AppError('STORE_UNAVAILABLE', { detail }, { cause: error })
}
