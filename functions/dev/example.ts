import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../adapters/files/system-errors.ts'
import { packageRoot } from '../cli/process/package-root.ts'

const exampleFolder = 'plumbline-demo'

/** The bundle has its own copy; the sources use the repository's. */
const template = (): string => {
  const bundled = join(import.meta.dirname, 'examples', 'host')
  return existsSync(bundled) ? bundled : join(packageRoot(), 'examples', 'host')
}

/** Copies examples/host to a new folder; existing files are kept. */
export const createExample = async (here: string): Promise<string> => {
  const folder = join(here, exampleFolder)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length === 0) await cp(template(), folder, { recursive: true })
  return folder
}

/** Returns the file that a new user edits; `undefined` if the folder is not the example. */
export const exampleEdit = async (folder: string): Promise<string | undefined> => {
  const file = join(folder, 'machine', 'motd')
  return (await ifThere(stat(file))) && file
}
