import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type FoundFile, outsideFault } from '#core'
import { type FileLimit, isBelow, ownFolder } from './file-limit.ts'
import { errno, systemWords } from './system-errors.ts'

/** The limit for one file. A configuration of 100,000 resources has about 10 MB. */
export const maxFileBytes = 16_000_000

const refuse = (path: string, what: string, fix: string): FoundFile => ({ message: `the file ${path} ${what}`, fix })

const unreadable = (path: string, error: unknown): FoundFile => {
  const code = errno(error) ?? 'unknown reason'
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { message: `there is no file ${path}`, fix: 'add it, or correct the path' }
  if (code === 'ELOOP') return refuse(path, 'is a link that leads in a circle', 'put the file itself there')
  return refuse(path, `cannot be read: ${systemWords[code] ?? code}`, 'check whose file it is, and its mode')
}

const decode = (path: string, bytes: Buffer): FoundFile =>
  isUtf8(bytes)
    ? { text: bytes.toString('utf8') }
    : refuse(path, 'is not UTF-8 text', 'save it as UTF-8; bytes that are no text are given by `contentBase64`')

const readOpen = async (path: string, handle: FileHandle): Promise<FoundFile> => {
  const found = await handle.stat()
  if (!found.isFile()) return refuse(path, 'is no regular file', 'name a file')
  const tooLarge = (bytes: number): FoundFile =>
    refuse(
      path,
      `has ${bytes} bytes, more than ${maxFileBytes}`,
      'make it smaller, or take it out of the configuration',
    )
  if (found.size > maxFileBytes) return tooLarge(found.size)
  const bytes = await handle.readFile()
  return bytes.byteLength > maxFileBytes ? tooLarge(bytes.byteLength) : decode(path, bytes)
}

/** Neither holds configuration, and both may hold secrets. */
const kept = { '.plumbline': 'is of what plumbline keeps itself', '.git': 'is of what Git keeps itself' } as const

const keeperOf = (path: string): keyof typeof kept | undefined =>
  (['.plumbline', '.git'] as const).find((name) => path.split('/').includes(name))

const refusePlace = (path: string, absolute: string, { folder, what }: FileLimit): FoundFile | undefined => {
  if (!isBelow(folder, absolute))
    return {
      code: outsideFault,
      message: `${path} is outside ${what}`,
      fix: 'name a file in it; without Git, --root names the folder that holds what workspaces share',
    }
  const keeper = keeperOf(absolute.slice(folder.length))
  return keeper && refuse(path, kept[keeper], 'name another file')
}

/**
 * Reads one text file of a workspace. `root` contains no links, `path` is relative to it with forward slashes, and may be
 * above it. A link is followed as long as it stays in the limit: volumes of a cluster are made of links. Never waits for
 * a pipe.
 */
export const readTextFile = async (
  root: string,
  path: string,
  limit: FileLimit = ownFolder(root),
): Promise<FoundFile> => {
  const refused = refusePlace(path, join(root, path), limit)
  if (refused !== undefined) return refused
  try {
    const real = await realpath(join(root, path))
    if (!isBelow(limit.folder, real))
      return refuse(path, `is a link that leads out of ${limit.what}`, 'put the file itself there')
    const other = refusePlace(path, real, limit)
    if (other !== undefined) return other
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await readOpen(path, handle)
    } finally {
      await handle.close()
    }
  } catch (error) {
    return unreadable(path, error)
  }
}
