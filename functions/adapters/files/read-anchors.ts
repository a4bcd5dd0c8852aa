import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { AppError, type FoundAnchor } from '#core'

const filesIn = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path]
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  return found
    .filter((one) => one.isFile() && one.name.endsWith('.json'))
    .map((one) => join(one.parentPath, one.name))
    .toSorted()
}

/**
 * The lines of a file with anchors, or of all files `*.json` below a folder, as a bucket is downloaded.
 * `named`: the path as the user wrote it. Rejects with USAGE.
 */
export const readAnchors = async (path: string, named: string): Promise<readonly FoundAnchor[]> => {
  const refused = (why: string, cause?: unknown) =>
    new AppError('USAGE', { detail: `--anchors ${named} ${why}` }, cause === undefined ? {} : { cause })
  try {
    const found: FoundAnchor[] = []
    for (const file of await filesIn(path)) {
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
      const name = relative(path, file) || named
      // A file that was emptied is told, and not left out.
      if (lines.length === 0) found.push({ name, text: '' })
      for (const [at, text] of lines.entries())
        found.push({ name: lines.length === 1 ? name : `${name}:${at + 1}`, text })
    }
    if (found.length > 0) return found
  } catch (cause) {
    throw refused('cannot be read', cause)
  }
  throw refused('holds no anchor: write the folder that the bucket was downloaded to')
}
