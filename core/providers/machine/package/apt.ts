import type { ReadDeps } from '../../../engine/provider/provider.ts'
import { isPlainPath } from '../shared/argument.ts'
import { askProgram, badBody, callOf } from '../shared/ask.ts'
import type { MachineScope } from '../shared/scope.ts'
import { refusals, unknowns } from '../shared/words.ts'
import { type Driver, type Unread, withVersion } from './driver.ts'

const format = '${db:Status-Abbrev}\\t${Package}\\t${Version}\\n'

/** Otherwise a name with a dot or a plus is a regular expression where no package has this name, and means many packages. */
const namesOnly = ['-o', 'APT::Cmd::Pattern-Only=true']
const options = ['--yes', '--quiet', '--no-install-recommends', ...namesOnly]
const quiet = { DEBIAN_FRONTEND: 'noninteractive' }

interface PackageState {
  /** What is wanted, what is, and an error: https://man7.org/linux/man-pages/man1/dpkg-query.1.html */
  readonly state: string
  readonly version: string
}

const isInstalled = ({ state }: PackageState): boolean => state[1] === 'i' && state.trim().length === 2
const isRemoved = ({ state }: PackageState): boolean =>
  (state[1] === 'n' || state[1] === 'c') && state.trim().length === 2

const entries = async (machine: MachineScope, deps: ReadDeps): Promise<ReadonlyMap<string, PackageState> | Unread> => {
  const output = await askProgram(machine, 'dpkg-query', ['--show', `--showformat=${format}`], deps)
  if (output.kind !== 'output') return output
  const found = new Map<string, PackageState>()
  for (const line of output.text.split('\n').filter((each) => each !== '')) {
    const [state = '', name, version] = line.split('\t')
    if (name === undefined || version === undefined) return badBody(unknowns.noOutput('dpkg-query'))
    found.set(name, { state, version })
  }
  return found
}

/** Debian packages. */
export const apt: Driver = {
  name: 'apt',
  forms: {
    // apt reads a last `-` as "remove" and a last `+` as "install"; names like g++ are the only ones that end so.
    name: /^[a-z0-9](?:[a-z0-9+.-]*[a-z0-9.])?(?:\+\+)?$/,
    // The same signs count at the end of a version: `bash=5.2-` removes bash.
    version: /^(?:\d+:)?[A-Za-z0-9](?:[\w.+~-]*[\w.~])?$/,
  },
  refuseFrom: (from) => (isPlainPath(from) && from.endsWith('.deb') ? undefined : refusals.fromApt()),
  find: async (machine, name, deps) => {
    const found = await entries(machine, deps)
    if ('kind' in found) return found
    const entry = found.get(name)
    if (entry === undefined || isRemoved(entry)) return { kind: 'absent' }
    return isInstalled(entry)
      ? { kind: 'installed', version: entry.version }
      : { kind: 'unknown', reason: 'erred', detail: unknowns.halfInstalled(name, entry.state.trim()) }
  },
  list: async (machine, deps) => {
    const found = await entries(machine, deps)
    if ('kind' in found) return found
    const args = ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', 'showmanual']
    const output = await askProgram(machine, 'apt-mark', args, deps)
    if (output.kind !== 'output') return output
    return { kind: 'names', names: output.text.split('\n').filter((name) => found.has(name)) }
  },
  install: (machine, { name, version, from }) => {
    const args = ['install', ...options, '--allow-downgrades', '--', from ?? withVersion(name, '=', version)]
    return callOf(machine, 'write', 'apt-get', args, quiet)
  },
  remove: (machine, name) => callOf(machine, 'write', 'apt-get', ['remove', ...options, '--', name], quiet),
}
