import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/* The deployment uses this file too, so it imports nothing of this project. */

const faults = {
  notJson: 'its package.json is not JSON',
  noModule: 'its package.json has no "exports" that is one file',
  outside: 'its "exports" leads out of the package',
  notText: 'its module is not UTF-8',
  tooLarge: 'its module is larger than 5 MiB',
}

/** In bytes: the module is copied into the sandbox as one text. */
const largestModule = 5 * 1024 * 1024

/** `integrity`: `sha512-<base64>` over the bytes. */
interface ModuleFile {
  readonly kind: 'found'
  readonly code: string
  readonly integrity: string
}

export type ReadModule = ModuleFile | { readonly kind: 'unusable'; readonly detail: string }
export type InstalledPackage = (ModuleFile & { readonly version: string }) | Exclude<ReadModule, ModuleFile>

const unusable = (detail: string) => ({ kind: 'unusable', detail }) as const

/** Reads the file only once, so that the verified bytes are the bytes that run. */
export const readModule = (file: string): ReadModule => {
  if (statSync(file).size > largestModule) return unusable(faults.tooLarge)
  const bytes = readFileSync(file)
  if (!isUtf8(bytes)) return unusable(faults.notText)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return { kind: 'found', code: bytes.toString('utf8'), integrity }
}

/** Searches the `node_modules` of a folder and of the folders above it. */
export const findInstalled = (name: string, folder: string): InstalledPackage | { readonly kind: 'missing' } => {
  const place = join(folder, 'node_modules', name)
  if (existsSync(join(place, 'package.json'))) return readInstalled(realpathSync(place))
  return dirname(folder) === folder ? { kind: 'missing' } : findInstalled(name, dirname(folder))
}

const readInstalled = (place: string): InstalledPackage => {
  const manifest = readManifest(join(place, 'package.json'))
  if (manifest === undefined) return unusable(faults.notJson)
  const { version, exports: exported } = manifest
  const entry = typeof exported === 'string' ? exported : membersOf(exported)['.']
  if (typeof entry !== 'string' || typeof version !== 'string') return unusable(faults.noModule)
  const file = join(place, entry)
  if (!existsSync(file)) return unusable(faults.noModule)
  if (!realpathSync(file).startsWith(`${place}${sep}`)) return unusable(faults.outside)
  const module = readModule(file)
  return module.kind === 'found' ? { ...module, version } : module
}

const readManifest = (file: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return membersOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
