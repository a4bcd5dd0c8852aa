import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withPackages } from './handlers.ts'
import { type Settings, SettingsError } from './settings.ts'

/**
 * For stacks of users: throws a SettingsError if the handlers were bundled without a package that the settings name.
 */
export const refuseUnbundled = (packages: Settings['packages'], bundle: string): void => {
  const problems = Object.keys(packages)
    .filter((id) => withPackages.some((handler) => !existsSync(join(bundle, handler, 'packages', `${id}.mjs`))))
    .map((id) => `packages["${id}"]: it is not in the bundle: give the packages to bundleHandlers`)
  if (problems.length > 0) throw new SettingsError(problems)
}
