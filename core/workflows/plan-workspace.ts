import pLimit from 'p-limit'
import { buildGraph, type GraphNode, waves } from '../graph/graph.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { blockDependents, orderChanges } from '../plan/order-changes.ts'
import type { Plan } from '../schema/plan.ts'
import type { Address, RecordedResource } from '../schema/resource.ts'
import { buildCommands } from './build-commands.ts'
import type { Channels } from './channels.ts'
import type { Deps } from './deps.ts'
import { listUnmanaged } from './list-unmanaged.ts'
import type { LoadedWorkspace } from './loaded-workspace.ts'
import { type PlannedOne, planOne } from './plan-one.ts'
import type { Known } from './resolve-attributes.ts'

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
  const unmanaged = await listUnmanaged(input, all)
  const unchecked = planned.flatMap((each) => each.unchecked ?? [])
  const changes = blockDependents(
    orderChanges(
      planned.flatMap((each) => each.change ?? []),
      configuration.resources,
      input.recorded,
    ),
    unchecked,
    configuration.resources,
  )
  deps.progress?.({ step: 'planning', resources: all.length })
  const commands = buildCommands(changes, resources, deps.seal)
  const plan = buildPlan({
    workspace: configuration.workspace,
    planned: [...planned, ...unmanaged.unchecked],
    changes,
    unmanaged: unmanaged.found,
    notLookedInto: unmanaged.notLookedInto,
    commands,
  })
  return { plan, resources }
}

/** Wave by wave, because a read may need what a resource of an earlier wave turned out to be. */
const planAll = async (input: PlanInput, deps: Deps): Promise<ReadonlyMap<Address, PlannedOne>> => {
  const desired = new Map(input.loaded.configuration.resources.map((each) => [each.address, each]))
  const recorded = new Map(input.recorded.map((each) => [each.address, each]))
  const left: readonly GraphNode[] = input.recorded
    .filter(({ address }) => !desired.has(address))
    .map(({ address }) => ({ address, dependsOn: [] }))
  const known = new Map<Address, Known>()
  const done = new Map<Address, PlannedOne>()
  const limit = pLimit(deps.limits.concurrency)
  const total = desired.size + left.length
  for (const wave of waves(buildGraph([...input.loaded.configuration.resources, ...left]))) {
    const planned = await Promise.all(
      wave.map((address) =>
        limit(async () => {
          const { loaded, channels } = input
          const one = await planOne({ loaded, channels, address, ...pick(desired, recorded, address), known }, deps)
          done.set(address, one)
          deps.progress?.({ step: 'reading', done: done.size, total })
          return [address, one] as const
        }),
      ),
    )
    for (const [address, one] of planned) known.set(address, knownOf(one))
  }
  return done
}

const pick = <Desired, Recorded>(
  desired: ReadonlyMap<Address, Desired>,
  recorded: ReadonlyMap<Address, Recorded>,
  address: Address,
) => {
  const [wanted, agreed] = [desired.get(address), recorded.get(address)]
  return { ...(wanted === undefined ? {} : { desired: wanted }), ...(agreed === undefined ? {} : { recorded: agreed }) }
}

/** What others may refer to. What is about to be made anew has no ids yet that would last. */
const knownOf = ({ planned, looked, type }: PlannedOne): Known => {
  const { change, before, after, unchecked } = planned
  if (unchecked !== undefined || before === undefined) return { kind: 'unknown' }
  if (change?.action === 'create' || change?.action === 'replace') {
    const attributes = Object.entries(after ?? {}).filter(([name]) => !type?.schema.attributes[name]?.computed)
    return change.blocked === undefined
      ? { kind: 'coming', attributes: Object.fromEntries(attributes), schema: type?.schema ?? { attributes: {} } }
      : { kind: 'unknown' }
  }
  const ids = looked.result.kind === 'present' ? (looked.result.ids ?? {}) : {}
  return before === null ? { kind: 'unknown' } : { kind: 'settled', attributes: after ?? before, ids }
}
