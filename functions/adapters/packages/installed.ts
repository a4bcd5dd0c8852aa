import { loadProvidersWith, type Packages } from '#core'
import { findInstalled } from './module-file.ts'
import { openSandbox } from './sandbox.ts'
import { sandboxLimits } from './sandbox-messages.ts'

/** Reads `@acme/x` or `@acme/*`, separated by commas; without a text no package is allowed. */
const allowList = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

const covers = (pattern: string, name: string): boolean =>
  pattern === name || (/^@[^/*]+\/\*$/.test(pattern) && name.startsWith(pattern.slice(0, -1)))

/**
 * Finds packages in the `node_modules` of a workspace's folder, or of a folder above it. `allowed`: the value of
 * PLUMBLINE_PROVIDERS.
 */
export const installedPackages = (allowed: string | undefined): Packages => ({
  origin: 'installed',
  mostOpened: 20,
  isAllowed: (name) => allowList(allowed).some((pattern) => covers(pattern, name)),
  find: ({ name, version, folder }) => {
    const found = folder === undefined ? ({ kind: 'missing' } as const) : findInstalled(name, folder)
    return found.kind === 'found' && found.version !== version
      ? { kind: 'otherVersion', versions: [found.version] }
      : found
  },
  open: (code, name) => openSandbox(code, name, sandboxLimits),
})

const registries = new Map<string | undefined, ReturnType<typeof loadProvidersWith>>()

/**
 * Loads the providers of this machine: the built-in ones, and the packages that its user allows. Equal variables give
 * the same result.
 */
export const providersHere = ({ PLUMBLINE_PROVIDERS: allowed }: Readonly<Record<string, string | undefined>>) => {
  const known = registries.get(allowed) ?? loadProvidersWith(installedPackages(allowed))
  registries.set(allowed, known)
  return known
}
