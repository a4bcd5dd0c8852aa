import { constants, lstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '#core'
import { errno, ifThere } from './system-errors.ts'

/*
 * Files that plumbline keeps beside its store are never read or written through a link: it may have come with a repository, and nobody
 * knows where it leads.
 */

export const linkWords = 'it is a link'

const refusedLink = (path: string): AppError => new AppError('FILE_REFUSED', { path, detail: linkWords })

/** Throws FILE_REFUSED, also for a link that leads to nothing: a writer would make what it names. */
export const refuseLinks = (...paths: readonly string[]): void => {
  for (const path of paths)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw refusedLink(path)
}

/** A database, and what SQLite puts beside it. */
export const databaseFiles = (file: string): readonly string[] => [
  file,
  `${file}-wal`,
  `${file}-shm`,
  `${file}-journal`,
]

/** `undefined` if there is no file. `refused` is the error for a link. */
export const openOwnFile = (path: string, refused = refusedLink): Promise<FileHandle | undefined> =>
  ifThere(
    open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
      throw errno(error) === 'ELOOP' ? refused(path) : error
    }),
  )

/** `undefined` if there is no file. Rejects with FILE_REFUSED for a link. */
export const readOwnFile = async (path: string): Promise<string | undefined> => {
  const handle = await openOwnFile(path)
  try {
    return await handle?.readFile('utf8')
  } finally {
    await handle?.close()
  }
}
