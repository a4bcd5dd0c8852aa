import { lstat, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, foreignWords } from '#core'
import { isBusy, whyFull } from '../sqlite/failures.ts'
import { loadSqlite } from '../sqlite/module.ts'
import { databaseFiles, refuseLinks } from './own-file.ts'
import { ifThere, unless } from './system-errors.ts'

/** The lock is held as long as this is open: the kernel releases it when the process ends, however it ends. */
export interface KernelLock {
  close(): Promise<void>
}

const pauseMs = 20

/**
 * The file is an empty database, because SQLite handles the locks of every system. On most systems a process loses its
 * locks on a file when it closes any handle of that file: so nothing but SQLite may open it.
 * https://sqlite.org/howtocorrupt.html It would follow a link.
 */
const openFile = (path: string): DatabaseSync => {
  refuseLinks(...databaseFiles(path))
  const database = new (loadSqlite().DatabaseSync)(path)
  database.exec('PRAGMA busy_timeout = 0')
  return database
}

/** Opens the file and runs the statement that takes its lock; `undefined` if another process has the lock. */
const asking = (path: string, sql: string): DatabaseSync | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = openFile(path)
    database.exec(sql)
    return database
  } catch (cause) {
    database?.close()
    if (isBusy(cause)) return undefined
    if (cause instanceof AppError) throw cause
    const detail = whyFull(cause, path) ?? `it cannot be locked: ${foreignWords(cause)}`
    throw new AppError('FILE_REFUSED', { path, detail }, { cause })
  }
}

/** Creates the file for its owner only. An existing file is not opened. */
const makeFile = async (path: string): Promise<void> => {
  const made = await unless(['EEXIST'], open(path, 'ax', 0o600))
  await made?.close()
}

const lockWithin = async (path: string, waitMs: number): Promise<KernelLock | undefined> => {
  await makeFile(path)
  for (let waited = 0; ; waited += pauseMs) {
    const database = asking(path, 'BEGIN EXCLUSIVE')
    if (database !== undefined) return { close: async () => database.close() }
    if (waited >= waitMs) return undefined
    await pause(pauseMs)
  }
}

/**
 * Takes the lock on a file, which is created if it is missing. `undefined`: another process still has the lock after
 * `waitSeconds`.
 */
export const takeLock = (path: string, waitSeconds: number): Promise<KernelLock | undefined> =>
  lockWithin(path, waitSeconds * 1_000)

/** Waits without a limit until the lock is free: for a lock that is held only for a moment. */
export const waitForLock = async (path: string): Promise<KernelLock> => {
  const lock = await lockWithin(path, Number.POSITIVE_INFINITY)
  if (lock !== undefined) return lock
  throw new AppError('FILE_REFUSED', { path, detail: 'it cannot be locked' })
}

/** Tells whether a process has the lock now. Several processes may ask at the same time. */
export const isLocked = async (path: string): Promise<boolean> => {
  if ((await ifThere(lstat(path))) === undefined) return false
  const database = asking(path, 'BEGIN; SELECT count(*) FROM sqlite_schema')
  database?.close()
  return database === undefined
}
