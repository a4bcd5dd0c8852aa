import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Deps, loadProvidersWith, type Packages } from '#core'
import { readModule } from './module-file.ts'
import { openSandbox, type SandboxOptions } from './sandbox.ts'
import { sandboxLimits } from './sandbox-messages.ts'

/** A request to the API may take 29 s: an endless package must be ended before that. */
const turnMs = 10_000

const versionsBeside = (file: string, name: string): readonly string[] => {
  const start = `${basename(name)}@`
  const beside = existsSync(dirname(file)) ? readdirSync(dirname(file)) : []
  return beside.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length, -'.mjs'.length))
}

/**
 * Finds the packages that the deployment put beside the code: `packages/@acme/x@1.0.0.mjs`, and `sandbox.mjs`. No other
 * package can run.
 */
export const bundledPackages = (codeFolder: string): Packages => {
  const options: SandboxOptions = { ...sandboxLimits, turnMs, file: join(codeFolder, 'sandbox.mjs') }
  return {
    origin: 'bundled',
    mostOpened: 10,
    // The person who deployed allowed each of them.
    isAllowed: () => true,
    find: ({ name, version }) => {
      const file = join(codeFolder, 'packages', `${name}@${version}.mjs`)
      if (existsSync(file)) return readModule(file)
      const versions = versionsBeside(file, name)
      return versions.length === 0 ? { kind: 'missing' } : { kind: 'otherVersion', versions }
    },
    open: (code, name) => openSandbox(code, name, options),
  }
}

/** Replaces the function of this name in `none.ts`. */
export const cloudProviders = (codeFolder: () => string): Deps['providers'] => {
  let load: Deps['providers'] | undefined
  return async () => {
    load ??= loadProvidersWith(bundledPackages(codeFolder()))
    return load()
  }
}
