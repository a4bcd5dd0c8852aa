import { isArray, isObject, type Json } from '../../../schema/json.ts'
import { askProgram, badBody, callOf } from '../ask.ts'
import { refusals, unknowns } from '../words.ts'
import { type Driver, type Installed, withVersion } from './driver.ts'

const options = ['--isolated', '--disable-pip-version-check', '--no-input']

/** Python packages of the `pip` that PATH finds: that of a virtual environment, where one is active. */
export const pip: Driver = {
  name: 'pip',
  // https://packaging.python.org/en/latest/specifications/name-normalization/
  namePattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  refuseFrom: (from) => (/^(\/|https:\/\/)[^\0\n]+$/.test(from) ? undefined : refusals.from()),
  installed: async (machine, deps): Promise<Installed> => {
    const args = [...options, 'list', '--format=json', '--no-cache-dir']
    const output = await askProgram(machine, 'pip', args, deps)
    if (output.kind !== 'output') return output
    const listed = entriesIn(output.text)
    if (listed === undefined) return badBody(unknowns.noOutput('pip'))
    return { kind: 'installed', versions: new Map(listed) }
  },
  install: (machine, { name, version, from }) =>
    callOf(machine, 'write', 'pip', [
      ...options,
      'install',
      // What stands there is replaced, also by an equal version from elsewhere.
      ...(from === undefined ? [] : ['--force-reinstall']),
      '--',
      from ?? withVersion(name, '==', version),
    ]),
  remove: (machine, name) => callOf(machine, 'write', 'pip', [...options, 'uninstall', '--yes', '--', name]),
}

/** pip lists a name as its author spelled it. */
const canonical = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

const entriesIn = (text: string): readonly (readonly [string, string])[] | undefined => {
  try {
    const listed = JSON.parse(text) as Json
    if (!isArray(listed)) return undefined
    return listed.flatMap((entry): readonly (readonly [string, string])[] => {
      const { name, version } = isObject(entry) ? entry : {}
      return typeof name === 'string' && typeof version === 'string' ? [[canonical(name), version]] : []
    })
  } catch {
    // It is no JSON: the caller says so.
    return undefined
  }
}
