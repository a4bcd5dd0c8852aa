import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findInstalled, readModule } from '../functions/adapters/packages/module-file.ts'
import type { BundledPackage } from './bundle.ts'
import { type Settings, SettingsError } from './settings.ts'

type Named = Settings['packages'][string]

/**
 * Reads and verifies the modules that the settings name. `folder`: the absolute folder of the synthesis, where modules
 * and `node_modules` are searched. Throws a SettingsError, which names each package that is not the reviewed one.
 */
export const readPackages = (packages: Settings['packages'], folder: string): readonly BundledPackage[] => {
  const read = Object.entries(packages).map(([id, named]) => ({ id, found: readPackage(id, named, folder) }))
  const problems = read.flatMap(({ id, found }) => ('problem' in found ? [`packages["${id}"]: ${found.problem}`] : []))
  if (problems.length > 0) throw new SettingsError(problems)
  return read.flatMap(({ id, found }) => ('code' in found ? [{ id, code: found.code }] : []))
}

const readPackage = (id: string, { integrity, module }: Named, folder: string) => {
  const found = module === undefined ? findExact(id, folder) : findFile(resolve(folder, module))
  if ('problem' in found) return found
  if (found.kind === 'unusable') return { problem: found.detail }
  if (found.integrity === integrity) return { code: found.code }
  return {
    problem: `its integrity is ${found.integrity}, not ${integrity}: write it only after you have read the module`,
  }
}

const findFile = (file: string) =>
  existsSync(file) && statSync(file).isFile() ? readModule(file) : { problem: `there is no file ${file}` }

const findExact = (id: string, folder: string) => {
  const at = id.lastIndexOf('@')
  const found = findInstalled(id.slice(0, at), folder)
  const advice = `run \`npm install --save-exact ${id}\` in ${folder}, or name its file in "module"`
  if (found.kind === 'missing') return { problem: `it is not installed: ${advice}` }
  if (found.kind === 'found' && found.version !== id.slice(at + 1))
    return { problem: `version ${found.version} is installed: ${advice}` }
  return found
}
