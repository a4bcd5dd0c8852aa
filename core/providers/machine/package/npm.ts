import type { ReadDeps } from '../../../engine/provider/provider.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import { askFile, askText, badBody, callOf, placeFor } from '../shared/ask.ts'
import type { FilePlace } from '../shared/place.ts'
import type { MachineScope } from '../shared/scope.ts'
import { unknowns } from '../shared/words.ts'
import { type Driver, type Installed, refuseSource, withVersion } from './driver.ts'

/** No notes and no questions. A package of a folder is copied, so that its folder may be removed. */
const options = ['--global', '--no-fund', '--no-audit', '--no-update-notifier', '--logs-max=0', '--install-links']

const folderOf = ({ npmPrefix }: MachineScope, name = ''): string =>
  `${npmPrefix ?? ''}/lib/node_modules${name && `/${name}`}`

/** Global packages of npm, in the folder that the provider names. Only files are read: `npm list` would write into the home. */
export const npm: Driver = {
  name: 'npm',
  forms: {
    name: /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i,
    // Exact, as in each package.json. What else may follow `@` is a range, a tag, an alias, a folder or a repository.
    version: /^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?(?:\+[0-9a-z.-]+)?$/i,
  },
  refuseFrom: refuseSource,
  lacks: ({ npmPrefix }) => (npmPrefix === undefined ? unknowns.noPrefix : undefined),
  find: async (machine, name, deps): Promise<Installed> => {
    const place = placeFor(machine, `${folderOf(machine, name)}/package.json`)
    if ('kind' in place) return place
    const asked = await askText(place, deps)
    if (asked.kind === 'unknown') return asked
    if (asked.kind === 'text') {
      const version = versionIn(asked.text)
      return version === undefined ? badBody(unknowns.noVersion(name)) : { kind: 'installed', version }
    }
    const folder = placeFor(machine, folderOf(machine, name))
    if ('kind' in folder) return folder
    const there = await askFile(folder, deps, 'inode/directory')
    return there.kind === 'answer' ? badBody(unknowns.noVersion(name)) : there
  },
  list: async (machine, deps) => {
    const names = await namesIn(machine, folderOf(machine), deps)
    if ('kind' in names) return names
    const packages: string[] = []
    for (const name of names.filter((each) => !each.startsWith('.'))) {
      const scoped = name.startsWith('@') ? await namesIn(machine, folderOf(machine, name), deps) : undefined
      if (scoped === undefined) packages.push(name)
      else if ('kind' in scoped) return scoped
      else packages.push(...scoped.map((each) => `${name}/${each}`))
    }
    return { kind: 'names', names: packages }
  },
  install: (machine, { name, version, from }) =>
    callOf(machine, 'write', 'npm', [
      'install',
      ...options,
      `--prefix=${machine.npmPrefix ?? '/'}`,
      '--',
      from ?? withVersion(name, '@', version),
    ]),
  remove: (machine, name) =>
    callOf(machine, 'write', 'npm', ['uninstall', ...options, `--prefix=${machine.npmPrefix ?? '/'}`, '--', name]),
}

/** The names in a folder; none if it does not exist. */
const namesIn = async (
  machine: MachineScope,
  path: string,
  deps: ReadDeps,
): Promise<readonly string[] | UnknownResult> => {
  const place = placeFor(machine, path)
  if ('kind' in place) return place
  const listing: FilePlace = { ...place, url: `${place.url}/` }
  const asked = await askFile(listing, deps)
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'absent') return []
  const { names } = asked.body
  return names !== undefined && isArray(names) && names.every((each) => typeof each === 'string')
    ? names
    : badBody(unknowns.noFile)
}

const versionIn = (text: string): string | undefined => {
  try {
    const described = JSON.parse(text) as Json
    const version = isObject(described) ? described['version'] : undefined
    return typeof version === 'string' ? version : undefined
  } catch {
    // The file is not JSON: the caller reports it.
    return undefined
  }
}
