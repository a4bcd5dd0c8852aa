import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type FoundPackage, isObject, type Json, loadProvidersWith, type Packages } from '#core'
import { openSandbox } from './sandbox.ts'
import { sandboxLimits } from './sandbox-messages.ts'

const packageFaults = {
  noModule: 'its package.json has no "exports" that is one file',
  outside: 'its "exports" leads out of the package',
  tooLarge: 'its module is larger than 5 MiB',
}

/** In bytes: it is copied into the sandbox as one text. */
const largestModule = 5 * 1024 * 1024

/** `@acme/x` or `@acme/*`, separated by commas; nothing is allowed without it. */
const allowList = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

const covers = (pattern: string, name: string): boolean =>
  pattern === name || (/^@[^/*]+\/\*$/.test(pattern) && name.startsWith(pattern.slice(0, -1)))

/** Packages in the `node_modules` of a workspace's folder, or of a folder above it. `allowed`: the value of PLUMBLINE_PROVIDERS. */
export const createPackages = (allowed: string | undefined): Packages => ({
  isAllowed: (name) => allowList(allowed).some((pattern) => covers(pattern, name)),
  find: (name, folder) => findPackage(name, folder),
  open: (code, name) => openSandbox(code, name, sandboxLimits),
})

const registries = new Map<string | undefined, ReturnType<typeof loadProvidersWith>>()

/** The providers of this machine: our own, and the packages that its user allows. The same for equal variables. */
export const providersHere = ({ PLUMBLINE_PROVIDERS: allowed }: Readonly<Record<string, string | undefined>>) => {
  const known = registries.get(allowed) ?? loadProvidersWith(createPackages(allowed))
  registries.set(allowed, known)
  return known
}

const findPackage = (name: string, folder: string): FoundPackage => {
  const place = join(folder, 'node_modules', name)
  if (existsSync(join(place, 'package.json'))) return readPackage(realpathSync(place))
  return dirname(folder) === folder ? { kind: 'missing' } : findPackage(name, dirname(folder))
}

const unusable = (detail: string): FoundPackage => ({ kind: 'unusable', detail })

const readPackage = (place: string): FoundPackage => {
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Json
  if (!isObject(manifest)) return unusable(packageFaults.noModule)
  const { version, exports: exported } = manifest
  const entry = isObject(exported) ? exported['.'] : exported
  if (typeof entry !== 'string' || typeof version !== 'string') return unusable(packageFaults.noModule)
  const file = join(place, entry)
  if (!existsSync(file)) return unusable(packageFaults.noModule)
  if (!realpathSync(file).startsWith(`${place}${sep}`)) return unusable(packageFaults.outside)
  if (statSync(file).size > largestModule) return unusable(packageFaults.tooLarge)
  // Read once: what is verified is what is run.
  const bytes = readFileSync(file)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return { kind: 'found', version, code: bytes.toString('utf8'), integrity }
}
