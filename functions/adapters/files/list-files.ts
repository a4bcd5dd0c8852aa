import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { namePattern } from '#core'
import { type FileLimit, isBelow, ownFolder } from './file-limit.ts'
import { unless } from './system-errors.ts'

/** Lists the items of a folder: none if there is no such folder, or if it is outside the limit. */
const itemsIn = async (root: string, folder: string, limit: FileLimit): Promise<readonly Dirent[]> => {
  const closed = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']
  const real = await unless(closed, realpath(join(root, folder)))
  if (real === undefined || (real !== limit.folder && !isBelow(limit.folder, real))) return []
  return (await unless(closed, readdir(real, { withFileTypes: true }))) ?? []
}

/**
 * Lists the files of a workspace whose paths match a pattern: `zones/*.yaml`, `../shared/*.yaml`. `root` contains no links. Links are only
 * listed by name: whether a file may be used is decided when it is read.
 */
export const listFiles = async (
  root: string,
  pattern: string,
  limit: FileLimit = ownFolder(root),
): Promise<readonly string[]> => {
  const steps = pattern.split('/')
  let paths: readonly string[] = ['']
  for (const [index, step] of steps.entries()) {
    const isIt = namePattern(step)
    const isLast = index === steps.length - 1
    const fits = (item: Dirent): boolean =>
      isIt(item.name) && (item.isSymbolicLink() || (isLast ? item.isFile() : item.isDirectory()))
    const found = await Promise.all(
      paths.map(async (path) => {
        const names = step.includes('*')
          ? (await itemsIn(root, path, limit)).filter(fits).map(({ name }) => name)
          : [step]
        return names.map((name) => (path === '' ? name : `${path}/${name}`))
      }),
    )
    paths = found.flat()
  }
  return paths
}
