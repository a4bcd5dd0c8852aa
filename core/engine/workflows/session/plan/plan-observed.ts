import type { Configuration } from '../../../config/shared/configuration.ts'
import { buildPlan } from '../../../plan/build-plan.ts'
import { findIdleRules } from '../../../plan/ignore-rules.ts'
import { type FreezeFacts, keepFrozen } from '../../../plan/keep-frozen.ts'
import { keepNeeded } from '../../../plan/keep-needed.ts'
import { blockDependents, orderChanges, orderRemovals, type RowPlace } from '../../../plan/order-changes.ts'
import { orphanOf, withOrphan } from '../../../plan/orphans.ts'
import { planResource } from '../../../plan/resource/plan-resource.ts'
import { notesOnNeeded } from '../../../plan/still-needed.ts'
import { agreedAnew } from '../../../plan/words.ts'
import type { Command } from '../../../schema/command.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { Change, Orphan, Unchecked } from '../../../schema/stored/plan.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { defined } from '../../../values/defined.ts'
import { buildCommands, draftCommands, type HeldAt, withoutHeld } from './build-commands.ts'
import { type Entries, idleEntriesIn } from './idle-entries-in.ts'
import { keepManaged, type ManagedElsewhere, notesOn } from './keep-managed.ts'
import { keepNames } from './keep-names.ts'
import { keepReadOnly } from './keep-read-only.ts'
import { keepRuled } from './keep-ruled.ts'
import { keepShared } from './keep-shared.ts'
import { keepUnanswered } from './keep-unanswered.ts'
import { notesOnDeleted } from './notes-on-deleted.ts'
import type { BoundResource, Observation, ResourcePlan, WorkspacePlan } from './observation.ts'
import { withPreviewWay } from './with-preview-way.ts'

/** What other workspaces keep from the requests of this one. */
export interface HeldByOthers {
  /** Why a request must not be sent, because its URL is that of an object of another workspace. */
  readonly heldAt?: HeldAt
  readonly elsewhere?: ManagedElsewhere
}

export interface PlanContext extends HeldByOthers {
  readonly configuration: Pick<Configuration, 'workspace' | 'preview' | 'resources' | 'ignore' | 'orphans' | 'notes'> &
    Entries
  readonly recorded: readonly RecordedResource[]
  /** ISO date. A rule that has expired ignores nothing. */
  readonly today: string
  /** Makes keyed digests of observed values, for preconditions. */
  readonly seal: Seal
  /** What is in objects that go, and belongs to no resource. */
  readonly contents?: ReadonlyMap<Address, readonly string[]>
}

/** The plan of one resource, from desired, recorded and observed alone. */
export const planOne = (
  bound: BoundResource,
  rules: Pick<Configuration, 'ignore' | 'resources' | 'orphans' | 'removed'> &
    Partial<Pick<Configuration, 'preview' | 'workspace'>>,
  today: string,
): ResourcePlan => {
  const { address, desired, recorded, type, observed, isOwn, isRemade, previousAddress, movedTo, open } = bound
  // The record continues under the other address, and nothing is sent for this one.
  if (movedTo !== undefined) return { ...bound, planned: { address, unobserved: [], ignored: [], forgotten: true } }
  const orphan = orphanIn(bound, rules)
  const planned = planResource({
    ...defined({ desired, recorded, isRemade, previousAddress, orphan, open: desired?.absent ? undefined : open }),
    facts: type ?? { schema: { attributes: {} } },
    observed: observed.result,
    isOwn,
    ...defined({ isReadAnew: isReadAnew(recorded, type) }),
    ignoreRules: rules.ignore,
    today,
  })
  const { stillIn } = bound
  const told = planned.drift && stillIn ? { ...planned, drift: { ...planned.drift, stillIn } } : planned
  const known = withOrphan(keepReadOnly(told, desired), orphan)
  return { ...bound, planned: recorded === undefined ? known : withPreviewWay(known, rules) }
}

const isReadAnew = (recorded: RecordedResource | undefined, type: BoundResource['type']): true | undefined => {
  const now = type?.reading?.()
  return recorded?.reading !== undefined && now !== undefined && recorded.reading !== now ? true : undefined
}

/** The successor of a declared resource is not an orphan: it belongs to a replacement that is not finished. */
const orphanIn = (
  { desired, recorded }: BoundResource,
  rules: Pick<Configuration, 'resources' | 'orphans' | 'removed'>,
): Orphan | undefined => {
  if (desired !== undefined || recorded === undefined) return undefined
  const owner = successorTo(recorded.address)
  const isStaying = owner !== recorded.address && rules.resources.some(({ address }) => address === owner)
  return isStaying ? undefined : orphanOf(recorded, rules)
}

/** Plans an observation. It reads nothing, so the same observation always gives the same plan. */
export const planObserved = (
  { resources: bound, unmanaged }: Observation,
  { configuration, recorded, today, seal, heldAt, contents, elsewhere = new Map() }: PlanContext,
): WorkspacePlan => {
  const { ignore, resources: desired, workspace } = configuration
  const resources = new Map([...bound].map(([address, each]) => [address, planOne(each, configuration, today)]))
  const all = [...resources.values()]
  const planned = all.map((each) => each.planned)
  const unchecked = planned.flatMap((each) => each.unchecked ?? [])
  const found = planned.flatMap((each) => each.change ?? [])
  const places = placesOf(all)
  const kept = keepUnanswered(keepManaged(orderChanges(found, desired, recorded, places), elsewhere), all)
  const known = blockDependents(kept, unchecked.filter(isWhole), desired)
  const ordered = keepNames({ found: kept, changes: known }, resources, desired)
  const drafted = withoutHeld(draftCommands(keepShared(keepRuled(ordered, bound), bound), resources, seal), heldAt)
  const unbuilt = drafted.changes.filter(
    ({ blocked }) =>
      blocked && /^(value_missing|not_sent|held|unanswered|also_declared|made_again)$/.test(blocked.reason),
  )
  const needed = keepNeeded(blockDependents(drafted.changes, unbuilt, desired), { unchecked, desired, recorded })
  const changes = withoutFrozen(needed, all, desired)
  const deleted = new Set(changes.flatMap(({ address, action }) => (action === 'delete' ? [address] : [])))
  const subjects = all.map(({ address, type }) => ({ address, schema: type?.schema, isDeleted: deleted.has(address) }))
  const plan = buildPlan({
    workspace,
    planned: [...planned, ...unmanaged.unchecked],
    changes,
    unmanaged: unmanaged.found,
    notLookedInto: unmanaged.notLookedInto,
    references: all.flatMap(({ address, named = [] }) => named.map((each) => ({ address, ...each }))),
    idleRules: findIdleRules(ignore, subjects, today),
    notes: [
      ...configuration.notes,
      ...notesOn(elsewhere, bound),
      ...notesOnNeeded(changes, desired, recorded),
      ...notesOnDeleted(changes, all),
      ...notesOnReading(all),
    ],
    idleEntries: idleEntriesIn(configuration, recorded, all),
    existing: existingIn(changes, all),
    commands: buildCommands({ ...drafted, changes }, resources, orderRemovals(found, desired, recorded, places)).map(
      (command) => withTaken(command, contents),
    ),
  })
  return { plan, resources }
}

/** What goes with an object comes back by no inverse of its delete. */
const withTaken = (command: Command, contents: PlanContext['contents']): Command => {
  const takes = command.action === 'delete' ? contents?.get(command.address) : undefined
  if (takes === undefined) return command
  return { ...command, grade: command.grade === 'reversible' ? 'lossy' : command.grade, takes }
}

/** How many objects there are of each type of which one is deleted. */
export const existingIn = (
  changes: readonly Change[],
  all: readonly ResourcePlan[],
): Readonly<Record<string, number>> => {
  const going = new Set(changes.filter(({ action }) => action === 'delete').map(({ type }) => type))
  const types = all.flatMap(({ planned: { before }, desired, recorded }) =>
    before == null ? [] : [(desired ?? recorded)?.type ?? ''],
  )
  const counted = Map.groupBy(types, (type) => type)
  return Object.fromEntries([...going].map((type) => [type, counted.get(type)?.length ?? 0]))
}

/** One note for each provider. */
const notesOnReading = (all: readonly ResourcePlan[]): readonly Note[] => {
  const anew = all.filter(({ planned, desired }) => planned.isAgreedAnew && desired !== undefined)
  return [...Map.groupBy(anew, ({ provider }) => provider)].flatMap(([provider, each]) => {
    const position = each[0]?.desired?.position
    return position === undefined
      ? []
      : [{ level: 'info' as const, ...position, ...agreedAnew(each.map(({ address }) => address)), value: provider }]
  })
}

/** If only attributes of an object could not be read, what depends on it can continue. */
const isWhole = ({ attributes }: Unchecked): boolean => attributes === undefined

/**
 * Blocks changes in frozen objects. Such a blocked delete does not block the delete of the frozen object itself,
 * because the inner object is deleted with it.
 */
const withoutFrozen = (
  changes: readonly Change[],
  resources: readonly ResourcePlan[],
  nodes: Parameters<typeof blockDependents>[2],
): readonly Change[] => {
  const facts = resources.map(
    ({ address, desired, recorded, type, planned: { before, after } }): FreezeFacts => ({
      address,
      type: type?.name,
      ...defined({ frozen: type?.lifecycle?.frozen }),
      within: type?.within,
      dependsOn: [...(desired?.dependsOn ?? []), ...(recorded?.dependsOn ?? [])],
      before,
      after,
    }),
  )
  const kept = keepFrozen(changes, new Map(facts.map((each) => [each.address, each])))
  return blockDependents(
    kept,
    kept.filter(
      ({ blocked }, index) =>
        blocked?.reason === 'frozen' && changes[index]?.blocked === undefined && kept[index]?.action === 'create',
    ),
    nodes,
  )
}

const placesOf = (resources: readonly ResourcePlan[]): ReadonlyMap<Address, RowPlace> =>
  new Map(
    resources.flatMap(({ address, type, place, observed: { result } }) => {
      if (type?.identity?.ids !== 'position' || result.kind !== 'present') return []
      const position = Number(Object.values(result.ids ?? {})[0])
      return Number.isFinite(position) ? [[address, { row: place, position }] as const] : []
    }),
  )
