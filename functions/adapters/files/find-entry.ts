import { readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { entryNames, workspaceNameIn } from '#core'
import { errno, ifThere } from './system-errors.ts'

/** Returns the entry file of a folder, and the folder without links; `undefined` if there is no entry file. */
export const findEntry = async (
  folder: string,
): Promise<{ readonly root: string; readonly entry: string } | undefined> => {
  const root = await ifThere(realpath(folder))
  const names = root === undefined ? undefined : await ifThere(readdir(root))
  const entry = entryNames.find((name) => names?.includes(name))
  return root === undefined || entry === undefined ? undefined : { root, entry }
}

/**
 * Reads the name of the workspace from the entry file of a folder; `name` is `undefined` if it cannot be read. The
 * result is `undefined` if there is no entry file.
 */
export const readName = async (folder: string): Promise<{ readonly name: string | undefined } | undefined> => {
  try {
    const found = await findEntry(folder)
    const text = found && (await ifThere(readFile(join(found.root, found.entry), 'utf8')))
    return found === undefined || text === undefined ? undefined : { name: workspaceNameIn(found.entry, text) }
  } catch (error) {
    // The callers treat a file that cannot be read as one without a name, and say so.
    if (errno(error) === undefined) throw error
    return { name: undefined }
  }
}
