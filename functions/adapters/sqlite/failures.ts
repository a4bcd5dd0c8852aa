import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, foreignWords } from '#core'

/** Primary result codes, without the extension in the upper bits: https://sqlite.org/rescode.html */
const results = { busy: 5, locked: 6, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

const resultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined

export const isBusy = (error: unknown): boolean => {
  const result = resultOf(error)
  return result === results.busy || result === results.locked
}

export const isNoDatabase = (error: unknown): boolean => resultOf(error) === results.notADatabase

/** SQLite needs this much at once for the files beside the database. */
const neededBytes = 1024 * 1024

/**
 * SQLite says that the disk is full only where it writes. Where it makes or maps a file it says that this failed: then the disk says why.
 */
export const isDiskFull = (error: unknown, file: string, statfs: typeof statfsSync = statfsSync): boolean => {
  const result = resultOf(error)
  if (result !== results.io && result !== results.cannotOpen) return result === results.full
  try {
    const { bavail, bsize, blocks } = statfs(dirname(file))
    return blocks > 0 && bavail * bsize < neededBytes
  } catch {
    // Without the folder there is no disk to ask; the first error is told.
    return false
  }
}

/** SQLite's own message is read, and never shown. */
export const asStoreError = (error: unknown, file: string): AppError => {
  if (error instanceof AppError) return error
  if (isDiskFull(error, file)) return new AppError('STORE_FULL', { detail: 'the disk is full' }, { cause: error })
  const result = resultOf(error)
  const detail = foreignWords(error)
  if (result === results.corrupt || result === results.notADatabase)
    return new AppError('STORE_CORRUPT', { what: 'file', detail }, { cause: error })
  return new AppError('STORE_UNAVAILABLE', { detail }, { cause: error })
}
