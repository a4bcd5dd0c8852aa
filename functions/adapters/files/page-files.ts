import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The text of a file of the web page, by its name; `undefined` if there is none. */
export type PageFiles = (name: string) => Promise<string | undefined>

/** Reads the page that was built into a folder. `name` is one of a file, without folders: the caller checks it. */
export const pageFiles =
  (folder: string): PageFiles =>
  async (name) => {
    try {
      return await readFile(join(folder, name), 'utf8')
    } catch {
      // It was not built, or an older page asks for a file of its own.
      return undefined
    }
  }
