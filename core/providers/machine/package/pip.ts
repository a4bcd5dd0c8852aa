import type { ReadDeps } from '../../../engine/provider/provider.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { isFileName } from '../shared/argument.ts'
import { askProgram, badBody, callOf } from '../shared/ask.ts'
import type { MachineScope } from '../shared/scope.ts'
import { unknowns } from '../shared/words.ts'
import { type Driver, refuseSource, type Unread, withVersion } from './driver.ts'

const options = ['--isolated', '--disable-pip-version-check', '--no-input']

/** What pip takes for a file stays as it is written, and is refused: no other package is meant by it. */
const nameOf = (name: string): string => (isFileName(name) ? name : canonical(name))

/** pip lists a name as its author spelled it. */
const canonical = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** Version by canonical name. */
const versions = async (machine: MachineScope, deps: ReadDeps): Promise<ReadonlyMap<string, string> | Unread> => {
  const args = [...options, 'list', '--format=json', '--no-cache-dir']
  const output = await askProgram(machine, 'pip', args, deps)
  if (output.kind !== 'output') return output
  return versionsIn(output.text) ?? badBody(unknowns.noOutput('pip'))
}

const versionsIn = (text: string): ReadonlyMap<string, string> | undefined => {
  try {
    const listed = JSON.parse(text) as Json
    if (!isArray(listed)) return undefined
    const pairs = listed.map((entry) => {
      const { name, version } = isObject(entry) ? entry : {}
      return typeof name === 'string' && typeof version === 'string' ? ([canonical(name), version] as const) : undefined
    })
    return pairs.every((pair) => pair !== undefined) ? new Map(pairs) : undefined
  } catch {
    // The output is not JSON: the caller reports it.
    return undefined
  }
}

/** Python packages of the `pip` that PATH finds: that of a virtual environment, if one is active. */
export const pip: Driver = {
  name: 'pip',
  // https://packaging.python.org/en/latest/specifications/name-normalization/
  nameOf,
  forms: {
    name: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    version: /^(?:\d+!)?[a-z0-9][\w.-]*(?:\+[a-z0-9][\w.-]*)?$/i,
  },
  refuseFrom: refuseSource,
  find: async (machine, name, deps) => {
    const found = await versions(machine, deps)
    if ('kind' in found) return found
    const version = found.get(name)
    return version === undefined ? { kind: 'absent' } : { kind: 'installed', version }
  },
  list: async (machine, deps) => {
    const found = await versions(machine, deps)
    return 'kind' in found ? found : { kind: 'names', names: [...found.keys()] }
  },
  install: (machine, { name, version, from }) =>
    callOf(machine, 'write', 'pip', [
      ...options,
      'install',
      // The same version of another source replaces the installed one.
      ...present(from !== undefined && '--force-reinstall'),
      '--',
      from ?? withVersion(name, '==', version),
    ]),
  remove: (machine, name) => callOf(machine, 'write', 'pip', [...options, 'uninstall', '--yes', '--', name]),
}
