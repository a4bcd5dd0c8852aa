import { readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findEntry } from '../../adapters/files/find-entry.ts'
import { ifThere, unless } from '../../adapters/files/system-errors.ts'

const isLooked = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules'

/**
 * Lists the folders at and below a folder that have a configuration, in the order of their paths; without hidden
 * folders, `node_modules` and the targets of links. A folder that cannot be opened is included: its next reader reports
 * the error.
 */
export const findFolders = async (root: string): Promise<readonly string[]> => {
  const found: string[] = []
  const waiting = [(await ifThere(realpath(root))) ?? resolve(root)]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const items = await unless(['EACCES', 'EPERM', 'ENOENT'], readdir(folder, { withFileTypes: true }))
    if (items === undefined || (await findEntry(folder)) !== undefined) found.push(folder)
    const inner = (items ?? []).filter((item) => item.isDirectory() && isLooked(item.name)).map(({ name }) => name)
    waiting.push(
      ...inner
        .sort()
        .reverse()
        .map((name) => join(folder, name)),
    )
  }
  return found
}
