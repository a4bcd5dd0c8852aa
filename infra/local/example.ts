import { access, cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

export const exampleFolder = 'plumbline-demo'

/** Copies examples/host to a folder of its own; what stands there already stays. */
export const createExample = async (here: string): Promise<string> => {
  const folder = join(here, exampleFolder)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length === 0)
    await cp(join(packageRoot(), 'examples', 'host'), folder, { recursive: true })
  return folder
}

/** The file that a newcomer edits; `undefined` where the folder is not the example's. */
export const exampleEdit = async (folder: string): Promise<string | undefined> => {
  const file = join(folder, 'machine', 'motd')
  return access(file).then(
    () => file,
    () => undefined,
  )
}
