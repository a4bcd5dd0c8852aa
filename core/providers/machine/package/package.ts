import type { Listed, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { PlannedChange, ReadDeps, ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { Problem } from '../../../engine/schema/issue.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult } from '../../../engine/schema/resource.ts'
import { isAfter, isConcat, isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { isPlainName } from '../shared/argument.ts'
import { splitReplacement } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, doing, refusals, unknowns } from '../shared/words.ts'
import { apt } from './apt.ts'
import type { Driver } from './driver.ts'
import { npm } from './npm.ts'
import { pip } from './pip.ts'

const drivers: Readonly<Record<string, Driver>> = { apt, npm, pip }

const schema: ObjectSchema = {
  attributes: {
    driver: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.driver },
    name: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.packageName },
    version: { type: 'string', nullMeans: 'reject', description: descriptions.version },
    from: { type: 'string', writeOnly: true, nullMeans: 'reject', description: descriptions.from },
  },
}

const driverOf = (name: unknown): Driver | undefined =>
  typeof name === 'string' && Object.hasOwn(drivers, name) ? drivers[name] : undefined

/** A package that one of the drivers installs. */
export const packageType = (machine: MachineScope): ResourceType => ({
  name: 'machine_package',
  schema,
  lifecycle: { onImmutable: 'replace' },
  prepare: (written) => ({ ok: true, attributes: withName(written) }),
  validate: (attributes) => problemsOf(machine, attributes),
  read: ({ attributes }, deps) => read(machine, attributes, deps),
  commands: (change) => splitReplacement(change).flatMap((each) => commandsFor(machine, each)),
  list: (_, deps) => list(machine, deps),
})

const withName = (written: JsonObject): JsonObject => {
  const { driver, name } = written
  const nameOf = driverOf(driver)?.nameOf
  return nameOf === undefined || typeof name !== 'string' ? written : { ...written, name: nameOf(name) }
}

const problemsOf = (
  machine: MachineScope,
  { driver: name, name: what, version, from }: JsonObject,
): readonly Problem[] => {
  if (typeof name !== 'string') return []
  const driver = driverOf(name)
  if (driver === undefined) return [{ path: ['driver'], ...refusals.driver(name, Object.keys(drivers)) }]
  const lack = driver.lacks?.(machine)
  if (lack !== undefined) return [{ path: ['driver'], ...refusals.lack(lack) }]
  const secret = Object.entries(defined({ version, from })).find(([, value]) => isSensitive(value))
  if (secret !== undefined) return [{ path: [secret[0]], ...refusals.secretArgument(secret[0]) }]
  const later = Object.entries(defined({ version, from })).find(([, value]) => isLater(value))
  if (later !== undefined) return [{ path: [later[0]], ...refusals.laterArgument(later[0]) }]
  if (typeof what === 'string' && !isPlainName(what, driver.forms.name))
    return [{ path: ['name'], ...refusals.packageName(name) }]
  if (typeof version === 'string' && !isPlainName(version, driver.forms.version))
    return [{ path: ['version'], ...refusals.version() }]
  const refused = typeof from === 'string' ? driver.refuseFrom(from) : undefined
  return refused === undefined ? [] : [{ path: ['from'], ...refused }]
}

/** A reference is no problem: the check resolves it, and asks again. */
const isLater = (value: Json): boolean => isAfter(value) || (isConcat(value) && value.$concat.some(isAfter))

const read = async (machine: MachineScope, attributes: JsonObject, deps: ReadDeps): Promise<ReadResult> => {
  const { driver: driverName, name } = attributes
  const driver = driverOf(driverName)
  if (driver === undefined || typeof name !== 'string')
    return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  const found = await driver.find(machine, name, deps)
  if (found.kind === 'absent') return found
  return found.kind === 'unknown'
    ? { kind: 'unknown', reason: found.reason, detail: found.detail }
    : { kind: 'present', attributes: { driver: driver.name, name, version: found.version } }
}

const commandsFor = (machine: MachineScope, { action, before, desired }: PlannedChange): readonly CommandDraft[] => {
  const driver = driverOf(desired['driver'])
  const { name, version, from } = desired
  if (driver === undefined || typeof name !== 'string') return []
  const back = installed(machine, driver, name, before?.['version'])
  const remove = driver.remove(machine, name)
  if (action === 'delete') {
    // What it had changed beside itself, and where it came from, does not come back.
    const description = doing.uninstall(name, driver.name)
    return [{ action, description, request: remove, grade: 'lossy', ...back }]
  }
  const request = driver.install(machine, { name, ...defined({ version: textIn(version), from: textIn(from) }) })
  const description = doing.install(name, driver.name)
  return before === null
    ? [{ action: 'create', description, request, grade: 'reversible', inverse: remove }]
    : [{ action: 'update', description, request, grade: 'lossy', ...back }]
}

const textIn = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Brings the version back that was read, unless what was read is no version: it is what a file of the package says. */
const installed = (
  machine: MachineScope,
  driver: Driver,
  name: string,
  version: Json | undefined,
): { readonly inverse?: Request } =>
  typeof version === 'string' && isPlainName(version, driver.forms.version)
    ? { inverse: driver.install(machine, { name, version }) }
    : {}

const list = async (machine: MachineScope, deps: ReadDeps) => {
  const objects: Listed[] = []
  const unlisted: UnlistedPlace[] = []
  for (const driver of Object.values(drivers)) {
    if (driver.lacks?.(machine) !== undefined) continue
    const within = { driver: driver.name }
    const found = await driver.list(machine, deps)
    if (found.kind === 'names') for (const name of found.names) objects.push({ identity: { ...within, name } })
    // A program that does not exist has installed nothing.
    else if (!found.isMissing) unlisted.push({ within, reason: found.reason, detail: found.detail })
  }
  return { kind: 'listed' as const, objects, unlisted }
}
