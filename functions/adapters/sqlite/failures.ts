import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { AppError, foreignWords } from '#core'
import { errno, systemWords } from '../files/system-errors.ts'
import { readOnlyWords } from './read-only.ts'

/** Primary result codes, without the extension in the upper bits: https://sqlite.org/rescode.html */
const results = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

const resultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined

export const isBusy = (error: unknown): boolean => {
  const result = resultOf(error)
  return result === results.busy || result === results.locked
}

export const isNoDatabase = (error: unknown): boolean => resultOf(error) === results.notADatabase

/** SQLite needs this much at once for the files beside the database. */
const neededBytes = 1024 * 1024

/** Writes a file beside the database, and removes it: the name of the system's error, if there is one. */
const tryToWrite = (file: string): string | undefined => {
  const trial = `${file}-room-${process.pid}`
  let made: number | undefined
  try {
    made = openSync(trial, 'wx', 0o600)
    writeSync(made, Buffer.alloc(neededBytes))
    // Some disks say only now that there is no room.
    fsyncSync(made)
    return undefined
  } catch (error) {
    return errno(error)
  } finally {
    if (made !== undefined) {
      closeSync(made)
      rmSync(trial, { force: true })
    }
  }
}

/**
 * Says why there is no room, if this is the reason. SQLite knows a full disk only where it writes, and a quota nowhere: it says that a
 * read or a write failed. Then a write of our own says why.
 */
export const whyFull = (error: unknown, file: string, attempt = tryToWrite): string | undefined => {
  const result = resultOf(error)
  if (result === results.full) return systemWords['ENOSPC']
  if (result !== results.io && result !== results.cannotOpen) return undefined
  const code = attempt(file)
  return code === 'ENOSPC' || code === 'EDQUOT' ? systemWords[code] : undefined
}

/** SQLite's own message is read, and never shown. */
export const asStoreError = (error: unknown, file: string): AppError => {
  if (error instanceof AppError) return error
  const full = whyFull(error, file)
  if (full !== undefined) return new AppError('STORE_FULL', { detail: full }, { cause: error })
  const result = resultOf(error)
  if (result === results.readOnly)
    return new AppError('FILE_REFUSED', { path: file, detail: readOnlyWords.write }, { cause: error })
  const detail = foreignWords(error)
  if (result === results.corrupt || result === results.notADatabase)
    return new AppError('STORE_CORRUPT', { what: 'file', detail }, { cause: error })
  return new AppError('STORE_UNAVAILABLE', { detail }, { cause: error })
}
