import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const above = (folder: string): string => {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : above(parent)
}

/** Of the sources as of the bundle: the folder that holds package.json. */
export const packageRoot = (): string => above(import.meta.dirname)
