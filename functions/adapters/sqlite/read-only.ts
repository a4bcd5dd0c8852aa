import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AppError } from '#core'
import { loadSqlite } from './module.ts'

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const holdsBytes = (path: string): boolean => (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/** What SQLite has not moved into the database yet: without it the newest records are missing. */
const isOpenElsewhere = (file: string): boolean => [`${file}-wal`, `${file}-journal`].some(holdsBytes)

/**
 * Whether a database can only be read: the system refuses writes to it, or the files that SQLite needs beside it cannot be made. An
 * empty or missing file is no database yet.
 */
export const isReadOnly = (file: string): boolean =>
  holdsBytes(file) && !(isWritable(file) && (isOpenElsewhere(file) || isWritable(dirname(file))))

/**
 * Opens a database that cannot be written. Where nothing lies beside it, no process has it open, and SQLite is told that it does not
 * change: else it would want to make files beside it. https://sqlite.org/wal.html#read_only_databases Throws FILE_REFUSED
 * where the newest records lie beside it and cannot be read without writing.
 */
export const openToRead = (file: string): DatabaseSync => {
  const { DatabaseSync } = loadSqlite()
  if (!isOpenElsewhere(file)) return new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.exec('SELECT count(*) FROM sqlite_schema')
    return database
  } catch (cause) {
    database.close()
    throw new AppError('FILE_REFUSED', { path: file, detail: readOnlyWords.unfinished }, { cause })
  }
}

export const readOnlyWords = {
  unfinished:
    'it is read-only here, and its newest records lie in a file beside it, because a command is at work or did not end; copy the folder to a place that can be written, and read the copy',
  write: 'it is read-only here: only commands that read can use it',
}
