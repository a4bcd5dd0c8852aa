import { closeSync, lstatSync, openSync, type Stats } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#core'
import { isTracked } from '../files/is-tracked.ts'
import { databaseFiles, refuseLinks } from '../files/own-file.ts'
import { asRefused } from '../files/system-errors.ts'
import { asStoreError, isBusy, isNoDatabase } from './failures.ts'
import { loadSqlite } from './module.ts'
import { isReadOnly, openToRead } from './read-only.ts'

/** "Plum" marks the file as plumbline's. https://sqlite.org/pragma.html#pragma_application_id */
const application = 0x506c756d
const version = 1

const schema = `
  CREATE TABLE items (
    pk BLOB NOT NULL, sk BLOB NOT NULL, ttl REAL, json TEXT NOT NULL, bytes BLOB, PRIMARY KEY (pk, sk)
  ) WITHOUT ROWID;
  CREATE INDEX items_ttl ON items (ttl) WHERE ttl IS NOT NULL;
  PRAGMA application_id = ${application};
  PRAGMA user_version = ${version};`

/**
 * SQLite waits this long by itself and blocks this process meanwhile; afterwards other work in this process has its
 * turn.
 */
const blockingMs = 20
const attempts = 1_000

/**
 * Repeats work while another process holds the lock, for about a minute at most. Throws the errors of `asStoreError`.
 */
export const whenFree = async <T>(file: string, work: () => T, signal?: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      signal?.throwIfAborted()
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt === attempts) throw asStoreError(error, file)
    }
    await pause(Math.random() * Math.min(50, attempt))
  }
}

/** Does all or nothing. The write lock is taken first, so that everything read inside stays true until the end. */
export const transaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

const pragma = (database: DatabaseSync, name: string): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name])

const refused = (path: string, detail: string): AppError => new AppError('FILE_REFUSED', { path, detail })

/**
 * Tells whether the file has the tables already. False for an empty file; throws before a byte of a foreign file is
 * changed.
 */
const isMade = (database: DatabaseSync, file: string): boolean => {
  const owner = pragma(database, 'application_id')
  const found = pragma(database, 'user_version')
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'])
  if (owner === 0 && found === 0 && tables === 0) return false
  if (owner !== application) throw refused(file, 'it is a database of another program')
  if (found > version)
    throw new AppError('STATE_NEWER', { what: `the file ${file}`, found: String(found), known: String(version) })
  return true
}

const prepare = (database: DatabaseSync, file: string, readOnly: boolean): void => {
  database.exec(`PRAGMA busy_timeout = ${blockingMs}`)
  const made = isMade(database, file)
  if (readOnly && made) return
  database.exec('PRAGMA journal_mode = WAL')
  // A record of a sent request must outlive a power failure, too.
  database.exec('PRAGMA synchronous = FULL')
  if (made) return
  transaction(database, () => {
    // Another process may have created the tables meanwhile.
    if (!isMade(database, file)) database.exec(schema)
  })
}

/**
 * Makes the file readable only for its owner, and so are the files that SQLite puts beside it. An existing file stays
 * as it is.
 */
const makeFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw asRefused(error, file)
  }
}

/** Why somebody else may have written the file: who can write it can write approvals. Windows has no modes. */
const whyForeign = (file: Stats): string | undefined => {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  // Root is asked by its own `--store` to work on the store of a user.
  if (own !== 0 && file.uid !== own) return 'it belongs to another user'
  if ((file.mode & 0o022) === 0) return undefined
  const rights = (file.mode & 0o777).toString(8).padStart(4, '0')
  return `others can write it (mode ${rights}), so that its state and its approvals may be theirs; if they are yours, chmod 600 it`
}

const refuseForeign = (file: string): void => {
  refuseLinks(...databaseFiles(file))
  for (const path of databaseFiles(file)) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    const detail = found && whyForeign(found)
    if (detail !== undefined) throw refused(path, detail)
  }
}

/** What came with a repository is what somebody else recorded: the state, the approvals and the ledger. */
const refuseTracked = async (file: string): Promise<void> => {
  if (await isTracked(file, `${file}-wal`, `${file}-journal`))
    throw refused(
      file,
      'Git tracks it, so that it may be the store of somebody else; take it out first (git rm --cached)',
    )
}

interface OpenDatabase {
  readonly database: DatabaseSync
  readonly readOnly: boolean
}

const openOnce = (file: string): OpenDatabase => {
  refuseForeign(file)
  const readOnly = isReadOnly(file)
  if (!readOnly) makeFile(file)
  const database = readOnly ? openToRead(file) : new (loadSqlite().DatabaseSync)(file)
  try {
    prepare(database, file, readOnly)
    return { database, readOnly }
  } catch (error) {
    database.close()
    throw isNoDatabase(error) ? refused(file, 'it is no database') : error
  }
}

/**
 * Opens the file, and creates it if it is missing; only for reading where the system allows no more. Throws FILE_REFUSED, STATE_NEWER, STORE_FULL or STORE_UNAVAILABLE.
 */
export const openDatabase = async (file: string): Promise<OpenDatabase> => {
  await refuseTracked(file)
  return whenFree(file, () => openOnce(file))
}
