import { askProgram, badBody, callOf } from '../ask.ts'
import { refusals, unknowns } from '../words.ts'
import { type Driver, type Installed, withVersion } from './driver.ts'

const format = '${db:Status-Abbrev}\\t${Package}\\t${Version}\\n'

const options = ['--yes', '--quiet', '--no-install-recommends']
const quiet = { DEBIAN_FRONTEND: 'noninteractive' }

/** Debian packages. Without the right to install them the command fails, and says so. */
export const apt: Driver = {
  name: 'apt',
  namePattern: /^[a-z0-9][a-z0-9+.-]+$/,
  refuseFrom: (from) => (/^\/[^\0\n]+\.deb$/.test(from) ? undefined : refusals.fromApt()),
  installed: async (machine, deps): Promise<Installed> => {
    const output = await askProgram(machine, 'dpkg-query', ['--show', `--showformat=${format}`], deps)
    if (output.kind !== 'output') return output
    const versions = new Map<string, string>()
    const unclear = new Map<string, string>()
    for (const line of output.text.split('\n')) {
      if (line === '') continue
      const [state = '', name, version] = line.split('\t')
      if (name === undefined || version === undefined) return badBody(unknowns.noOutput('dpkg-query'))
      // https://man7.org/linux/man-pages/man1/dpkg-query.1.html: what is wanted, what is, and an error.
      if (state[1] === 'i' && state[2] === ' ') versions.set(name, version)
      else if (state[1] !== 'n' && state[1] !== 'c') unclear.set(name, state.trim())
    }
    return { kind: 'installed', versions, unclear }
  },
  chosen: async (machine, deps) => {
    const args = ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', 'showmanual']
    const output = await askProgram(machine, 'apt-mark', args, deps)
    return output.kind === 'output' ? output.text.split('\n').filter((name) => name !== '') : output
  },
  install: (machine, { name, version, from }) => {
    const what = from ?? withVersion(name, '=', version)
    const args = ['install', ...options, '--allow-downgrades', '--', what]
    return callOf(machine, 'write', 'apt-get', args, quiet)
  },
  remove: (machine, name) => callOf(machine, 'write', 'apt-get', ['remove', ...options, '--', name], quiet),
}
