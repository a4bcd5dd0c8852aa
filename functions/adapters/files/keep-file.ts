import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { AppError } from '#core'
import { type NewFile, replaceFile } from '../transport/file/replace-file.ts'
import { refuseLinks } from './own-file.ts'
import { asRefused, errno } from './system-errors.ts'

interface KeepOptions {
  /** True: an existing file is not replaced. */
  readonly once?: boolean
}

/**
 * Writes a document for people in one step. Returns whether it was written: an existing file is replaced only with
 * `over`. Rejects with FILE_REFUSED.
 */
export const writeDocument = async (path: string, text: string, over = false): Promise<boolean> => {
  try {
    if (over) return await writeOver(path, text)
    await putFile(path, text, { mode: 0o666 & ~process.umask(), mustBeNew: true })
    return true
  } catch (error) {
    if (errno(error) === 'EEXIST' && !over) return false
    throw asRefused(error, path)
  }
}

/** Replaces the file that a link leads to, and keeps its mode; anything that is not a regular file is refused. */
const writeOver = async (path: string, text: string): Promise<true> => {
  const target = await realpath(path)
  const there = await stat(target)
  if (!there.isFile()) throw new AppError('FILE_REFUSED', { path, detail: 'it is no file' })
  await putFile(target, text, { mode: there.mode & 0o7777, mustBeNew: false })
  return true
}

const putFile = async (path: string, text: string, file: Omit<NewFile, 'content'>): Promise<void> => {
  const base = dirname(path)
  const handle = await open(base, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await replaceFile({ base, handle }, basename(path), { content: Buffer.from(text), ...file })
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file that plumbline keeps beside its store. After a power failure the whole new file is there, or nothing of
 * it. Only its owner can read it. Rejects with FILE_REFUSED if the system refuses, and for a link.
 */
export const keepFile = async (path: string, text: string, { once = false }: KeepOptions = {}): Promise<void> => {
  try {
    refuseLinks(path)
    await putFile(path, text, { mode: 0o600, mustBeNew: once })
  } catch (error) {
    if (once && errno(error) === 'EEXIST') return
    throw asRefused(error, path)
  }
}
