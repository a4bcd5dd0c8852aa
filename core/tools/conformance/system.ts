import { normalise } from '../../engine/diff/normalise.ts'
import { pathText } from '../../engine/json/pointer.ts'
import { movedBesides, nothingWritten, type OwnWrites, withCommand } from '../../engine/plan/commands/own-writes.ts'
import type { PlannedResource } from '../../engine/plan/planning.ts'
import { recordAfterApply } from '../../engine/plan/record/record-after-apply.ts'
import type { PlannedChange, ResourceType, Target } from '../../engine/provider/provider.ts'
import type { CommandDraft, PlannedRequest, Response } from '../../engine/schema/command.ts'
import type { JsonObject } from '../../engine/schema/json.ts'
import type { DesiredResource, ReadResult, RecordedResource } from '../../engine/schema/resource.ts'
import type { Transport } from '../../engine/transport/transport.ts'
import { defined } from '../../engine/values/defined.ts'
import { plannedChange } from '../../engine/workflows/session/plan/build-commands.ts'
import type { ReadOutcome } from '../../engine/workflows/session/plan/observation.ts'
import { planOne } from '../../engine/workflows/session/plan/plan-observed.ts'
import { readObject } from '../../engine/workflows/session/read/read-object.ts'
import { sealDesired } from '../../engine/workflows/session/shared/seal-values.ts'
import { type Gates, openGates, seal, type Through } from './gates.ts'
import { demand, refuse, shown } from './judge.ts'
import { faults } from './words.ts'

const address = 'suite.main'

/** One resource type and its system (real, or a server of the test itself) that does not have the resource yet. */
export interface ProviderCase {
  readonly type: ResourceType
  readonly transport: Transport
  /** Written attributes: first those of the create, then those of each following change. */
  readonly declared: readonly [JsonObject, ...JsonObject[]]
  /**
   * Written attributes of another resource of the type, which never exists. Absent: it is not tested whether reads
   * distinguish resources.
   */
  readonly other?: JsonObject
  /** True: the list of the type omits the resource. */
  readonly unlisted?: true
  /** Secret values by source, for `{ $secret: source }` in `declared`. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Removes everything that the case created. Called after each case. */
  readonly end?: () => Promise<void>
}

/** The system of one case, behind the same gates that the engine uses. */
export interface System {
  readonly type: ResourceType
  readonly secrets: readonly string[]
  target(written: JsonObject): Promise<Target>
  /** Reads as a check does. `through` wraps the transport. */
  look(written: JsonObject, through?: Through): Promise<ReadResult>
  /** Returns the planned change; `undefined` if nothing differs. */
  plan(written: JsonObject, wanted?: 'absent'): Promise<PlannedChange | undefined>
  /** Plans and sends the change, and returns the commands. */
  converge(written: JsonObject, wanted?: 'absent'): Promise<readonly CommandDraft[]>
  sendDraft(draft: CommandDraft): Promise<void>
  send(request: PlannedRequest): Promise<Response>
  checking(through?: Through): Transport
}

interface Planned {
  readonly change: PlannedChange
  readonly planned: PlannedResource
  readonly desired: DesiredResource
}

export const openSystem = (given: ProviderCase): System => {
  const { type } = given
  const gates = openGates(given)
  let recorded: RecordedResource | undefined
  const read = (desired: DesiredResource, through?: Through) =>
    readObject(
      type,
      targetOf(desired, recorded),
      { desired: desired.attributes, recorded: recorded?.attributes },
      { transport: gates.checking(through) },
      seal,
      { redactor: gates.redactor, configured: gates.redactor, named: () => [] },
    )
  const find = async (written: JsonObject, wanted?: 'absent') => {
    const desired = await desiredOf(type, gates, written, wanted)
    return planFound(type, { desired, recorded, observed: await read(desired) })
  }
  const record = async ({ change, desired, planned }: Planned): Promise<void> => {
    const { result } = await read(desired)
    if (result.kind === 'unknown') return refuse(faults.unchecked(result.reason, result.detail))
    const found = result.kind === 'absent' ? null : result.attributes
    recorded = recordAfterApply({
      schema: type.schema,
      desired,
      sentAttributes: planned.desired ?? {},
      observed: found && normalise(type.schema, found, 'observed', desired.attributes),
      change: { action: change.action, before: planned.before ?? null, diff: change.diff },
      ...defined({ recorded, ids: result.kind === 'present' ? result.ids : undefined }),
    })
  }
  /**
   * An apply sends the next command only if the object is as observed, apart from the declared effects of the commands
   * before.
   */
  const refuseMoved = async ({ change, desired, planned }: Planned, own: OwnWrites): Promise<void> => {
    const { result } = await read(desired)
    if (result.kind === 'unknown') return refuse(faults.unchecked(result.reason, result.detail))
    // The object was deleted, and a create follows.
    if (result.kind === 'absent') return
    const now = normalise(type.schema, result.attributes, 'observed', desired.attributes)
    const seen = change.action === 'update' ? (planned.before ?? undefined) : undefined
    const moved = movedBesides(type.schema, seen, own, now)
    demand(moved.length === 0, () => faults.movedBetween(moved.map(pathText).join(', ')))
  }
  return {
    type,
    secrets: Object.values(given.secrets ?? {}),
    target: async (written) => targetOf(await desiredOf(type, gates, written), recorded),
    look: async (written, through) => (await read(await desiredOf(type, gates, written), through)).result,
    plan: async (written, wanted) => (await find(written, wanted))?.change,
    converge: async (written, wanted) => {
      const found = await find(written, wanted)
      if (found === undefined) return []
      const drafts = type.commands(found.change)
      demand(drafts.length > 0, () => faults.noCommands(shown(written)))
      let own = nothingWritten
      for (const draft of drafts) {
        if (draft !== drafts[0]) await refuseMoved(found, own)
        await gates.sendDraft(draft)
        own = draft.action === 'delete' ? nothingWritten : withOwn(type, own, draft, found)
      }
      await record(found)
      return drafts
    },
    send: gates.send,
    sendDraft: gates.sendDraft,
    checking: gates.checking,
  }
}

const withOwn = (
  { schema }: ResourceType,
  own: OwnWrites,
  { footprint }: CommandDraft,
  { change }: Planned,
): OwnWrites => withCommand(schema, own, footprint, change.after ?? {})

const targetOf = ({ attributes, absent }: DesiredResource, recorded: RecordedResource | undefined): Target => ({
  address,
  attributes,
  ...defined({ ids: recorded?.ids, leaving: absent ? (true as const) : undefined }),
})

const desiredOf = async (
  type: ResourceType,
  { secrets, redactor }: Gates,
  written: JsonObject,
  wanted?: 'absent',
): Promise<DesiredResource> => {
  const sealed = await sealDesired(type.schema, prepared(type, written), secrets, seal, redactor.learn)
  if (!sealed.ok) return refuse(faults.unprepared(sealed.detail))
  const position = { file: 'plumbline.yaml', line: 1, column: 1 }
  const named = { address, type: type.name, name: 'main', provider: 'suite', position }
  return { ...named, absent: wanted === 'absent', attributes: sealed.attributes, dependsOn: [], lifecycle: {} }
}

interface ObservedCase {
  readonly desired: DesiredResource
  readonly recorded: RecordedResource | undefined
  readonly observed: ReadOutcome
}

const planFound = (type: ResourceType, { desired, recorded, observed }: ObservedCase): Planned | undefined => {
  const target = targetOf(desired, recorded)
  const bound = { address, desired, type, provider: 'suite', place: 'suite', observed, target, isOwn: true }
  const rules = { ignore: [], resources: [desired], orphans: 'delete' as const, removed: [] }
  const one = planOne({ ...bound, ...defined({ recorded }) }, rules, '2026-01-01')
  const { change, unchecked } = one.planned
  if (unchecked !== undefined) return refuse(faults.unchecked(unchecked.reason, unchecked.detail))
  if (change === undefined) return undefined
  if (change.blocked !== undefined) return refuse(faults.blocked(shown(desired.attributes), change.blocked.detail))
  return { change: plannedChange(change, one, seal), planned: one.planned, desired }
}

const prepared = (type: ResourceType, written: JsonObject): JsonObject => {
  const found = type.prepare?.(written) ?? { ok: true, attributes: written }
  if (!found.ok) return refuse(faults.unprepared(shown(found.problems)))
  return normalise(type.schema, found.attributes, 'desired')
}

export const pathsOf = ({ changed }: PlannedChange): string => changed.map(pathText).join(', ')
