import type {
  Configured,
  Provider,
  ProviderFactory,
  ProviderInput,
  ResourceType,
} from '../../engine/provider/provider.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'
import { isObject, type Json, type JsonObject } from '../../engine/schema/json.ts'
import { environmentNames } from '../../engine/transport/programs.ts'
import { defined, present } from '../../engine/values/defined.ts'
import { awsProfileType } from './aws/aws-profile.ts'
import { directoryType } from './entry/directory.ts'
import { linkType } from './entry/link.ts'
import { fileType } from './file/file.ts'
import { packageType } from './package/package.ts'
import { blockType } from './part/block.ts'
import { lineType } from './part/line.ts'
import { aliasType, envType } from './part/shell.ts'
import { gitConfigType } from './program/git-config.ts'
import { serviceType } from './program/service.ts'
import { canonicalFolder, isWithin } from './shared/place.ts'
import type { MachineScope } from './shared/scope.ts'
import { refusals } from './shared/words.ts'

const typesOf = (machine: MachineScope): readonly ResourceType[] => [
  fileType('machine_file', machine),
  directoryType(machine),
  linkType(machine),
  lineType(machine),
  blockType(machine),
  aliasType(machine),
  envType(machine),
  awsProfileType(machine),
  gitConfigType(machine),
  packageType(machine),
  serviceType(machine),
]

/** All that a call of a program may need, and no other. */
const programs = ['git', 'npm', 'pip', 'apt-get', 'apt-mark', 'dpkg-query', 'systemctl']

/** Installing takes its time. */
const timeoutMs = 600_000

/** Files only, on the machine that runs the check: `with: { root }`, a folder that bounds every path. It runs no program. */
export const host: ProviderFactory = {
  configure: (input) => {
    const extra = unknownIn(input, ['root'], 'host')
    if (extra !== undefined) return extra
    const root = folderOf(input, 'root')
    if (typeof root !== 'string') return root
    const type = fileType('host_file', { root, home: root, env: {}, files: input.files })
    return {
      ok: true,
      provider: { types: { [type.name]: type }, fileRoots: [root], home: `file:${String(input.with['root'])}` },
    }
  },
}

const members = ['home', 'root', 'env', 'npmPrefix', 'timeoutMs']

/** The machine that runs the check: `with: { home }`, and programs whose calls are all requests. */
export const machine: ProviderFactory = {
  configure: (input) => {
    const extra = unknownIn(input, members, 'machine')
    if (extra !== undefined) return extra
    const home = folderOf(input, 'home')
    if (typeof home !== 'string') return home
    const root = input.with['root'] === undefined ? home : folderOf(input, 'root')
    if (typeof root !== 'string') return root
    if (!isWithin(home, root)) return problem(input, refusals.homeOutside(input.alias, root), home)
    const prefix = input.with['npmPrefix'] === undefined ? undefined : folderOf(input, 'npmPrefix')
    if (prefix !== undefined && typeof prefix !== 'string') return prefix
    if (prefix !== undefined && !isWithin(prefix, root))
      return problem(input, refusals.prefixOutside(input.alias, root), prefix)
    const env = environmentOf(input)
    if (!('HOME' in env)) return env
    const time = input.with['timeoutMs'] ?? timeoutMs
    if (typeof time !== 'number' || !Number.isInteger(time) || time < 1_000 || time > 3_600_000)
      return problem(input, refusals.timeout(input.alias), JSON.stringify(time))
    const scope = { root, home, env: { ...env, HOME: home }, files: input.files, ...defined({ npmPrefix: prefix }) }
    const types = Object.fromEntries(typesOf(scope).map((type) => [type.name, type]))
    const written = present(input.with['home'], input.with['root'], input.with['npmPrefix']).map(String)
    const place = `machine:${written.join(' ')}`
    const provider: Provider = { types, fileRoots: [root], programs, limits: { timeoutMs: time }, home: place }
    return { ok: true, provider }
  },
}

type Refused = Extract<Configured, { readonly ok: false }>

const unknownIn = (input: ProviderInput, known: readonly string[], source: string): Refused | undefined => {
  const extra = Object.keys(input.with).find((member) => !known.includes(member))
  return extra === undefined ? undefined : problem(input, refusals.unknownMember(input.alias, source, known), extra)
}

/** Absolute, in its one spelling. */
const folderOf = (input: ProviderInput, member: string): string | Refused => {
  const folder = input.with[member]
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0')) {
    return problem(input, refusals.noFolder(input.alias, member), JSON.stringify(folder ?? null))
  }
  if (folder.startsWith('/')) return canonicalFolder(folder)
  if (input.folder !== undefined) return canonicalFolder(`${input.folder}/${folder}`)
  return problem(input, refusals.relativeFolder(input.alias, member), folder)
}

type MachineEnvironment = Readonly<Record<string, string>> & { readonly HOME: string }

const environmentOf = (input: ProviderInput): MachineEnvironment | Refused => {
  const { env = {} } = input.with
  if (!isObject(env)) return problem(input, refusals.env(input.alias, [...environmentNames]), JSON.stringify(env))
  const isKnown = ([name, value]: readonly [string, Json]): boolean =>
    name !== 'HOME' && environmentNames.has(name) && typeof value === 'string' && !value.includes('\0')
  const wrong = Object.entries(env).find((entry) => !isKnown(entry))
  if (wrong === undefined) return { ...(env as JsonObject & Record<string, string>), HOME: '' }
  return problem(
    input,
    refusals.env(
      input.alias,
      [...environmentNames].filter((name) => name !== 'HOME'),
    ),
    wrong[0],
  )
}

const problem = ({ position }: ProviderInput, refusal: Diagnostic, value: string): Refused => ({
  ok: false,
  issues: [{ ...position, ...refusal, value }],
})
