import pLimit from 'p-limit'
import { buildGraph, type GraphNode, waves } from '../../graph/graph.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { findIdleRules } from '../../plan/idle-rules.ts'
import { blockDependents, orderChanges, type Place } from '../../plan/order-changes.ts'
import type { Plan } from '../../schema/plan.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { type Bound, bindResources, followMoves } from './bind-resources.ts'
import { buildCommands, draftCommands } from './build-commands.ts'
import type { Channels } from './channels.ts'
import { listUnmanaged } from './list-unmanaged.ts'
import type { LoadedWorkspace } from './load/loaded-workspace.ts'
import { type PlannedOne, planBound, readOne } from './plan-one.ts'
import type { Known, KnownAs } from './read/resolve-attributes.ts'

export interface WorkspacePlan {
  readonly plan: Plan
  readonly resources: ReadonlyMap<Address, PlannedOne>
}

export interface PlanInput {
  readonly loaded: LoadedWorkspace
  readonly recorded: readonly RecordedResource[]
  readonly channels: Channels
}

/** Reads everything and plans. Nothing is stored, and nothing is written anywhere. Throws GRAPH_CYCLE. */
export const planWorkspace = async (input: PlanInput, deps: Deps): Promise<WorkspacePlan> => {
  const { configuration } = input.loaded
  const resources = await planAll(input, deps)
  const all = [...resources.values()]
  const planned = all.map((each) => each.planned)
  const unmanaged = await listUnmanaged(input, all, deps.seal)
  const unchecked = planned.flatMap((each) => each.unchecked ?? [])
  const ordered = blockDependents(
    orderChanges(
      planned.flatMap((each) => each.change ?? []),
      configuration.resources,
      input.recorded,
      placesOf(all),
    ),
    unchecked,
    configuration.resources,
  )
  deps.progress?.({ step: 'planning', resources: all.length })
  const drafted = draftCommands(ordered, resources, deps.seal)
  const unbuilt = drafted.changes.filter(({ blocked }) => blocked?.reason === 'value_missing')
  const changes = blockDependents(drafted.changes, unbuilt, configuration.resources)
  const commands = buildCommands({ ...drafted, changes }, resources)
  const plan = buildPlan({
    workspace: configuration.workspace,
    planned: [...planned, ...unmanaged.unchecked],
    changes,
    unmanaged: unmanaged.found,
    notLookedInto: unmanaged.notLookedInto,
    references: all.flatMap(({ address, named = [] }) => named.map((each) => ({ address, ...each }))),
    idleRules: findIdleRules(
      configuration.ignore,
      all.map(({ planned: { address }, type }) => ({ address, schema: type?.schema })),
      deps.clock.now().toISOString().slice(0, 10),
    ),
    commands,
  })
  return { plan, resources }
}

/** Of objects whose ids are positions: where they stand. */
const placesOf = (resources: readonly PlannedOne[]): ReadonlyMap<Address, Place> =>
  new Map(
    resources.flatMap(({ address, type, place, looked: { result } }) => {
      if (type?.identity?.ids !== 'position' || result.kind !== 'present') return []
      const position = Number(Object.values(result.ids ?? {})[0])
      return Number.isFinite(position) ? [[address, { row: place, position }] as const] : []
    }),
  )

/** Which objects the resources are is decided for all of them together, before anything is planned. */
const planAll = async (input: PlanInput, deps: Deps): Promise<ReadonlyMap<Address, PlannedOne>> => {
  const bound = bindResources(await readAll(input, deps))
  return new Map([...bound].map(([address, each]) => [address, planBound(each, input, deps)]))
}

/** Wave by wave, because a read may need what a resource of an earlier wave turned out to be. */
const readAll = async (input: PlanInput, deps: Deps): Promise<ReadonlyMap<Address, Bound>> => {
  const { configuration } = input.loaded
  const desired = new Map(configuration.resources.map((each) => [each.address, each]))
  const records = followMoves(input.recorded, configuration.moved, desired)
  const left: readonly GraphNode[] = [...records.keys()]
    .filter((address) => !desired.has(address))
    .map((address) => ({ address, dependsOn: [] }))
  const known = new Map<Address, Known>()
  const done = new Map<Address, Bound>()
  const limit = pLimit(deps.limits.concurrency)
  const total = desired.size + left.length
  for (const wave of waves(buildGraph([...configuration.resources, ...left]))) {
    const read = await Promise.all(
      wave.map((address) =>
        limit(async () => {
          const { loaded, channels } = input
          const wanted = desired.get(address)
          const subject = { address, ...defined({ desired: wanted }), ...records.get(address) }
          const { previousAddress } = subject
          const one = await readOne({ loaded, channels, ...subject, known }, deps)
          done.set(address, { ...one, ...defined({ previousAddress }) })
          deps.progress?.({ step: 'reading', done: done.size, total })
          return one
        }),
      ),
    )
    for (const one of read) known.set(one.address, knownOf(planBound(one, input, deps)))
  }
  return done
}

/** What others may refer to. What is about to be made anew has no ids yet that would last. */
const knownOf = (one: PlannedOne): Known => ({ ...stateOf(one), ...knownAs(one) })

const knownAs = ({ desired, type, provider, looked: { result }, refs = {} }: PlannedOne): KnownAs => {
  if (type === undefined || desired === undefined || desired.absent) return {}
  const { ids = {}, object } = result.kind === 'present' ? result : {}
  return { as: { type: type.name, provider, ids, refs, ...defined({ object }) } }
}

const stateOf = ({ planned, looked, type }: PlannedOne): Known => {
  const { change, before, after, unchecked } = planned
  if (unchecked !== undefined || before === undefined) return { kind: 'unknown' }
  if (change?.action === 'create' || change?.action === 'replace') {
    const attributes = Object.entries(after ?? {}).filter(([name]) => !type?.schema.attributes[name]?.computed)
    const replaced = change.action === 'replace' ? { replaced: true as const } : {}
    return change.blocked === undefined
      ? {
          kind: 'coming',
          attributes: Object.fromEntries(attributes),
          schema: type?.schema ?? { attributes: {} },
          ...replaced,
        }
      : { kind: 'unknown' }
  }
  const ids = looked.result.kind === 'present' ? (looked.result.ids ?? {}) : {}
  if (before === null) return { kind: 'unknown' }
  // What is not sent changes nothing that others may go by.
  const isSent = change?.blocked === undefined
  return { kind: 'settled', attributes: isSent ? (after ?? before) : before, ids }
}
