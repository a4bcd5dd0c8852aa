import { isUtf8 } from 'node:buffer'
import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { digest, digestOfText, type JsonObject } from '#core'
import { errno } from '../../files/system-errors.ts'
import { modeText } from './mode.ts'
import type { Folder } from './open-folder.ts'
import { whatIs } from './what-is.ts'

export interface FoundFile {
  readonly kind: 'file'
  readonly body: JsonObject
  /** Covers the content and the mode. */
  readonly etag: string
  readonly mode: number
  /** Identifies the file as it was read; it changes with each write. */
  readonly stamp: string
  readonly owner: { readonly uid: number; readonly gid: number }
}

/** `other`: a folder, a link, a device; `what` says it in words. */
export type Found =
  | FoundFile
  | { readonly kind: 'absent' }
  | { readonly kind: 'other'; readonly what: string }
  | { readonly kind: 'large' }

/** Never follows a link, and never waits for the other end of a pipe. */
export const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export const findFile = async (folder: Folder, name: string, maxBytes: number): Promise<Found> => {
  let handle: FileHandle
  try {
    handle = await open(join(folder.base, name), openFlags)
  } catch (error) {
    if (errno(error) === 'ENOENT') return { kind: 'absent' }
    if (errno(error) === 'ELOOP') return { kind: 'other', what: 'a link' }
    if (errno(error) === 'ENXIO') return { kind: 'other', what: 'a socket or a device' }
    throw error
  }
  try {
    return await describe(handle, maxBytes)
  } finally {
    await handle.close()
  }
}

const describe = async (handle: FileHandle, maxBytes: number): Promise<Found> => {
  const stat = await handle.stat()
  if (!stat.isFile()) return { kind: 'other', what: whatIs(stat) }
  // The stamp is taken before the file is read, so that a write in between is noticed.
  const stamp = stampOf(await handle.stat({ bigint: true }))
  if (stat.size > maxBytes) return { kind: 'large' }
  const bytes = await handle.readFile()
  // Files of /proc report the size 0, and a growing file is larger than its reported size.
  if (bytes.length > maxBytes) return { kind: 'large' }
  const mode = stat.mode & 0o7777
  const text = isUtf8(bytes) ? { content: bytes.toString('utf8') } : { contentBase64: bytes.toString('base64') }
  return {
    kind: 'file',
    body: { ...text, mode: modeText(mode) },
    etag: `"${digest({ content: digestOfText(bytes), mode })}"`,
    mode,
    stamp,
    owner: { uid: stat.uid, gid: stat.gid },
  }
}

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ')

export const isStill = (folder: Folder, name: string, { stamp }: FoundFile): boolean => {
  const now = lstatSync(join(folder.base, name), { bigint: true, throwIfNoEntry: false })
  return now !== undefined && stampOf(now) === stamp
}
