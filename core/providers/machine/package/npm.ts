import { isObject, type Json } from '../../../schema/json.ts'
import { askFile, askProgram, badBody, callOf, placeFor } from '../ask.ts'
import { refusals, unknowns } from '../words.ts'
import { type Driver, type Installed, withVersion } from './driver.ts'

/** No notes, no questions; a package of a folder is copied, so that its folder may go. */
const options = ['--global', '--no-fund', '--no-audit', '--no-update-notifier', '--logs-max=0', '--install-links']

/** Global packages of npm, in the folder that the provider names. */
export const npm: Driver = {
  name: 'npm',
  namePattern: /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i,
  refuseFrom: (from) => (/^(\/|https:\/\/)[^\0\n]+$/.test(from) ? undefined : refusals.from()),
  lacks: ({ npmPrefix }) => (npmPrefix === undefined ? unknowns.noPrefix : undefined),
  installed: async (machine, deps): Promise<Installed> => {
    const { npmPrefix } = machine
    const place = placeFor(machine, npmPrefix)
    if ('kind' in place) return place
    // Of a folder that is not there npm says that it failed.
    const folder = await askFile(place, deps, 'inode/directory')
    if (folder.kind === 'unknown') return folder
    if (folder.kind === 'absent') return { kind: 'installed', versions: new Map() }
    const fixed = ['list', '--global', '--depth=0', '--json', '--logs-max=0', '--no-update-notifier', '--offline']
    const output = await askProgram(machine, 'npm', [...fixed, `--prefix=${place.absolute}`], deps)
    if (output.kind !== 'output') return output
    const listed = dependenciesIn(output.text)
    if (listed === undefined) return badBody(unknowns.noOutput('npm'))
    const versions = new Map<string, string>()
    const unclear = new Map<string, string>()
    for (const [name, entry] of listed) {
      const version = isObject(entry) ? entry['version'] : undefined
      if (typeof version === 'string') versions.set(name, version)
      else unclear.set(name, unknowns.noVersion)
    }
    return { kind: 'installed', versions, unclear }
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

const dependenciesIn = (text: string): readonly (readonly [string, Json])[] | undefined => {
  try {
    const { dependencies = {} } = JSON.parse(text) as { readonly dependencies?: Json }
    return isObject(dependencies) ? Object.entries(dependencies) : undefined
  } catch {
    // It is no JSON: the caller says so.
    return undefined
  }
}
