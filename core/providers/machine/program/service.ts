import type { PlannedChange, ReadDeps, ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { CommandDraft } from '../../../engine/schema/command.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult } from '../../../engine/schema/resource.ts'
import { isPlainName } from '../shared/argument.ts'
import { askProgram, badBody, callOf } from '../shared/ask.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, doing, refusals, unknowns } from '../shared/words.ts'

const schema: ObjectSchema = {
  attributes: {
    unit: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.unit },
    scope: {
      type: 'string',
      identity: true,
      immutable: true,
      default: 'system',
      nullMeans: 'reject',
      description: descriptions.scope,
    },
    active: { type: 'boolean', nullMeans: 'reject', description: descriptions.active },
    enabled: { type: 'boolean', nullMeans: 'reject', description: descriptions.enabled },
  },
}

const scopes = ['system', 'user']

const flagOf = (scope: unknown): string => (scope === 'user' ? '--user' : '--system')

/** A unit of systemd: whether it runs, and whether it is started with the machine. */
export const serviceType = (machine: MachineScope): ResourceType => ({
  name: 'machine_service',
  schema,
  // A unit is made by a package or a file. What leaves the configuration goes on as it is.
  lifecycle: { preventDelete: true, onImmutable: 'error' },
  prepare: ({ scope = 'system', ...written }) => ({ ok: true, attributes: { ...written, scope } }),
  validate: ({ unit, scope }) => {
    if (typeof unit === 'string' && !isUnit(unit)) return [{ path: ['unit'], ...refusals.unit(unit) }]
    return typeof scope === 'string' && !scopes.includes(scope) ? [{ path: ['scope'], ...refusals.scope(scope) }] : []
  },
  read: ({ attributes }, deps) => read(machine, attributes, deps),
  commands: (change) => commandsFor(machine, change),
  list: async (_, deps) => {
    const [system, user] = await Promise.all(scopes.map((scope) => listIn(machine, scope, deps)))
    const found = [system, user].flatMap((each) => (each === undefined ? [] : [each]))
    return {
      kind: 'listed',
      objects: found.flatMap(({ objects }) => objects),
      unlisted: found.flatMap(({ unlisted }) => unlisted),
    }
  },
})

const isUnit = (unit: string): boolean => isPlainName(unit, /^[A-Za-z0-9][\w:.@\\-]*\.[a-z]+$/)

const read = async (machine: MachineScope, { unit, scope }: JsonObject, deps: ReadDeps): Promise<ReadResult> => {
  if (typeof unit !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  const args = [flagOf(scope), '--no-pager', 'show', '--property=LoadState,ActiveState,UnitFileState', '--', unit]
  const output = await askProgram(machine, 'systemctl', args, deps)
  if (output.kind !== 'output') return output
  const lines = output.text.split('\n').map((line) => line.split('=', 2))
  const { LoadState, ActiveState, UnitFileState = '' } = Object.fromEntries(lines) as Record<string, string | undefined>
  if (LoadState === undefined || ActiveState === undefined) return badBody(unknowns.noOutput('systemctl'))
  if (LoadState === 'not-found') return { kind: 'absent' }
  // In between is neither, and a later check sees what became of it.
  if (/^(activating|deactivating|reloading|refreshing)$/.test(ActiveState))
    return { kind: 'unknown', reason: 'busy', detail: unknowns.failed(unit, ActiveState) }
  return {
    kind: 'present',
    attributes: {
      unit,
      scope: scope ?? 'system',
      active: ActiveState === 'active',
      enabled: UnitFileState === 'enabled' || UnitFileState === 'enabled-runtime',
    },
  }
}

const commandsFor = (
  machine: MachineScope,
  { action, before, desired, changed }: PlannedChange,
): readonly CommandDraft[] => {
  const { unit, scope } = desired
  if (typeof unit !== 'string') return []
  const call = (verb: string) =>
    callOf(machine, 'write', 'systemctl', [flagOf(scope), '--no-ask-password', verb, '--', unit])
  const target = action === 'delete' ? { enabled: false, active: false } : desired
  const drafts = (['enabled', 'active'] as const).flatMap((member): readonly Omit<CommandDraft, 'action'>[] => {
    const to = target[member]
    const isChanged = before === null || action === 'delete' || changed.some(([name]) => name === member)
    if (typeof to !== 'boolean' || !isChanged || before?.[member] === to || (before === null && !to)) return []
    const verbs = member === 'enabled' ? (['disable', 'enable'] as const) : (['stop', 'start'] as const)
    return [
      {
        description: doing.unit(verbs[to ? 1 : 0], unit),
        request: call(verbs[to ? 1 : 0]),
        grade: 'reversible',
        inverse: call(verbs[to ? 0 : 1]),
        footprint: { sets: [member] },
      },
    ]
  })
  return drafts.map((draft, n) => ({ ...draft, action: before === null && n === 0 ? 'create' : 'update' }))
}

const listIn = async (machine: MachineScope, scope: string, deps: ReadDeps) => {
  const args = [
    flagOf(scope),
    '--no-pager',
    '--no-legend',
    '--plain',
    'list-unit-files',
    '--type=service',
    '--state=enabled',
  ]
  const output = await askProgram(machine, 'systemctl', args, deps)
  if (output.kind !== 'output')
    return { objects: [], unlisted: [{ within: { scope }, reason: output.reason, detail: output.detail }] }
  const units = output.text.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || [])
  return { objects: units.filter(isUnit).map((unit) => ({ identity: { unit, scope } })), unlisted: [] }
}
