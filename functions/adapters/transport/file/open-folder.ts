import { constants, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { errno, ifThere } from '../../files/system-errors.ts'

/**
 * A folder that is held open. Names joined to `base` are in exactly this folder, even if its path now leads to another
 * one.
 */
export interface Folder {
  readonly base: string
  readonly handle: FileHandle
}

// On Linux a name under the open handle is looked up in the folder itself, as openat(2) does, so that no parent can be
// replaced by a link in between. Elsewhere the path is checked once more after opening, which leaves a short gap.
const byHandle = existsSync('/proc/self/fd')

/** Both are absolute, without links and `..`. */
export const isInside = (path: string, root: string): boolean => {
  const steps = relative(root, path)
  return steps !== '..' && !steps.startsWith(`..${sep}`)
}

/**
 * Opens a folder whose real place is inside the root, which has no links in its own path. `undefined`: the folder is
 * outside. Rejects with the system's error if there is no such folder; with `create` missing folders are made (mode
 * 0755).
 */
export const openFolder = async (root: string, path: string, create: boolean): Promise<Folder | undefined> => {
  const real = await realpath(path).catch(async (error: unknown) => {
    if (errno(error) !== 'ENOENT' || !isInside(dirname(path), root)) throw error
    const parent = await openFolder(root, dirname(path), create)
    // A missing folder behind a link to the outside is outside, not only missing.
    if (parent === undefined) return undefined
    await inside(parent, async () => {
      if (!create) throw error
      await mkdir(join(parent.base, basename(path)), 0o755)
    })
    return realpath(path)
  })
  if (real === undefined) return undefined
  const handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const base = byHandle ? `/proc/self/fd/${handle.fd}` : real
  // A folder that was removed meanwhile has no path any more.
  const where = await ifThere(realpath(base))
  if (where !== undefined && isInside(where, root)) return { base, handle }
  await handle.close()
  return undefined
}

export const inside = async <Result>(folder: Folder, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } finally {
    await folder.handle.close()
  }
}
