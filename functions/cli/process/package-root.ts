import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const above = (folder: string): string => {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : above(parent)
}

/** Finds the folder with package.json, for the sources and for the bundle. */
export const packageRoot = (): string => above(import.meta.dirname)

export const readVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { readonly version: string }).version
