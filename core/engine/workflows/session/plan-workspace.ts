import pLimit from 'p-limit'
import { type GraphNode, wavesOf } from '../../graph/graph.ts'
import type { PlannedResource } from '../../plan/planning.ts'
import { readdress } from '../../plan/record/readdress.ts'
import { recordedOnly } from '../../plan/recorded-view.ts'
import type { Address, DesiredResource, RecordedResource } from '../../schema/resource.ts'
import type { Move } from '../../schema/rules.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined, presentIn } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import type { Deps } from '../deps.ts'
import { withContents } from './contents.ts'
import { heldIn, holdingsOf, isKept } from './held-objects.ts'
import { listUnmanaged } from './list-unmanaged.ts'
import { findManagedElsewhere } from './managed-elsewhere.ts'
import { bindResources } from './plan/bind-resources.ts'
import type { MovedRecord } from './plan/follow-moves.ts'
import type { BoundResource, ObservedResource, ResourcePlan, WorkspacePlan } from './plan/observation.ts'
import { type HeldByOthers, planObserved, planOne } from './plan/plan-observed.ts'
import type { Base } from './preview/base.ts'
import { heldAt } from './preview/held-at.ts'
import { heldBy, isWritten, withOwnSettings } from './preview/held-by.ts'
import { followKeys, renamedBeside, withMoved } from './read/follow-keys.ts'
import { followRecords } from './read/follow-records.ts'
import { leaveOut } from './read/foresee-reads.ts'
import { type Foreseen, foreseeRequests } from './read/foresee-requests.ts'
import type { ForeseenReads } from './read/is-limited.ts'
import { type KnownResource, type ReferableAs, referredTo } from './read/resolve-attributes.ts'
import type { ResourceToRead } from './read/resolve-resource.ts'
import { readResource } from './read-resource.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import { readingFor, type Transports } from './shared/transports.ts'
import { askCallers, withCallers } from './sight/ask-callers.ts'
import { type FoundElsewhere, findMoved, withStillIn } from './sight/find-moved.ts'
import { findUnseen } from './sight/find-unseen.ts'

interface PlanInput {
  readonly loaded: LoadedWorkspace
  readonly recorded: readonly RecordedResource[]
  readonly transports: Transports
  /** What earlier checks read. Absent: everything is read. */
  readonly reads?: ForeseenReads
  /** For a preview: the workspace whose objects must not be changed. */
  readonly base?: Base
  /** What could not be decided before the reading. */
  readonly undecided?: readonly PlannedResource[]
  /** Moves that no entry names, found by an earlier reading. */
  readonly renamed?: readonly Move[]
}

/** Reads everything, and then plans. Stores nothing and writes nothing. Throws GRAPH_CYCLE. */
export const planWorkspace = async (
  input: PlanInput,
  deps: Deps,
): Promise<WorkspacePlan & { readonly others: HeldByOthers }> => {
  const today = deps.clock.now().toISOString().slice(0, 10)
  // The objects of all resources are decided together, before anything is planned.
  const { costs, worth } = foreseeRequests(input.loaded, input.recorded)
  const left = input.reads && leaveOut(input.loaded, input.recorded, input.reads, costs, deps)
  const read = await readAll(input, today, deps, { left, worth })
  const callers = await askCallers([...read.values()], input)
  const found = await findMoved([...read.values()], input)
  const moved = new Map([...found].filter(([address]) => !input.loaded.isGone(address)))
  const gone = new Map([...read].map(([address, one]) => [address, { ...one, ...moved.get(address) }]))
  const unseen = new Map([...(await findUnseen([...gone.values()], { ...input, callers })), ...moved])
  // Resources that depend on unseen ones were read with wrong values, so they are read again; equal reads are answered
  // from the cache.
  const seen = unseen.size === 0 ? read : await readAll(input, today, deps, { left, worth, unseen })
  const observed = withStillIn(withCallers(seen, callers), found)
  const { base } = input
  const theirs = base && (await readBase(base, today, deps))
  const resources =
    base === undefined || theirs === undefined
      ? bindResources(observed)
      : withOwnSettings(bindResources(observed, heldBy(base, theirs, input.loaded)))
  const renamed = renamedBeside(resources, input.renamed)
  if (renamed !== undefined) return planWorkspace({ ...input, renamed }, deps)
  const listed = await listUnmanaged(input, [...resources.values()], deps.seal)
  const unmanaged = { ...listed, unchecked: [...listed.unchecked, ...(input.undecided ?? [])] }
  deps.progress?.({ step: 'planning', resources: resources.size })
  const { configuration } = input.loaded
  const isHeldAt = base && theirs && heldAt(base, theirs)
  const held = heldIn(input.loaded, resources.values())
  const { elsewhere, before } = await findManagedElsewhere(input.loaded, held, deps)
  const others = { elsewhere, ...defined({ heldAt: isHeldAt }) }
  const context = { configuration, recorded: input.recorded, today, seal: deps.seal, ...others }
  const planned = await withContents(
    (contents) => planObserved({ resources, unmanaged }, { ...context, contents }),
    [...resources.values()],
    input,
  )
  const kept = held.filter(({ address }) => isKept(planned.resources.get(address)))
  return { ...planned, others, holdings: { before, now: holdingsOf(input.loaded, kept) } }
}

/** Plans the recorded values without live reads: every record is used as its object. Throws GRAPH_CYCLE. */
export const planRecorded = async (input: PlanInput, deps: Deps): Promise<WorkspacePlan> => {
  const today = deps.clock.now().toISOString().slice(0, 10)
  const resources = bindResources(await readAll({ ...input, isUnread: true }, today, deps))
  // A record says nothing about what is gone.
  const configuration = { ...input.loaded.configuration, gone: [] }
  const unmanaged = { found: [], unchecked: [], notLookedInto: [] }
  const context = { configuration, recorded: input.recorded, today, seal: deps.seal }
  const planned = planObserved({ resources, unmanaged }, context)
  return { ...planned, plan: recordedOnly(planned.plan) }
}

const readBase = async (base: Base, today: string, deps: Deps): Promise<readonly BoundResource[]> => {
  const read = await readAll(base, today, { ...deps, ...defined({ progress: undefined }) })
  return [...bindResources(read).values()].filter(isWritten)
}

interface ReadScope {
  /** Resources that are not read, each with the reason. */
  readonly left?: ReadonlyMap<Address, string> | undefined
  /** Resources that are not visible, or somewhere else. */
  readonly unseen?: ReadonlyMap<Address, FoundElsewhere>
  /** The lists that may save requests. Absent: each object is read with its own request. */
  readonly worth?: Foreseen['worth']
}

/** Reads in waves, because a read may need a value of a resource of an earlier wave. */
const readAll = async (
  input: PlanInput & { readonly isUnread?: true },
  today: string,
  deps: Deps,
  { left: without, unseen, worth }: ReadScope = {},
): Promise<ReadonlyMap<Address, BoundResource>> => {
  const { configuration } = input.loaded
  const { desired, records, twoObjects, followUnanswered } = followRecords(input.loaded, input.recorded, input.renamed)
  const left: readonly GraphNode[] = [...records.keys()]
    .filter((address) => !desired.has(address))
    .map((address) => ({ address, dependsOn: readBefore(desired, records.get(address)?.recorded) }))
  const known = new Map<Address, KnownResource>()
  const done = new Map<Address, BoundResource>()
  const referred = referredTo(input.loaded)
  const limit = pLimit(deps.limits.concurrency)
  const total = desired.size + left.length
  for (const wave of wavesOf([...configuration.resources, ...left])) {
    const read = await Promise.all(
      wave.map((address) =>
        limit(async () => {
          const { loaded, transports, isUnread } = input
          const own = desired.get(address)
          const readAs = (one: Pick<ResourceToRead, 'address' | 'desired' | 'recorded'>, lists: ReadScope['worth']) =>
            readResource(
              {
                loaded,
                transports: readingFor(transports, address),
                ...one,
                known,
                ...defined({
                  isUnread,
                  worth: lists,
                  leftOut: without?.get(address),
                  referredTo: referred.get(address),
                }),
              },
              deps,
            )
          if (!isUnread)
            await followUnanswered(address, (one) => readAs({ address: one.address, recorded: one }, worth))
          const subject = { address, ...defined({ desired: own }), ...recordUnlessReadOnly(records.get(address), own) }
          const readWith = (lists: ReadScope['worth'], other: RecordedResource | undefined) =>
            readAs({ ...subject, ...defined({ recorded: other ?? subject.recorded }) }, lists)
          const followed = await followKeys(await readWith(worth, undefined), { loaded, desired, records }, (record) =>
            readWith(worth, record),
          )
          const { one: first, recorded, previousAddress = subject.previousAddress } = followed
          const isEnough = !isFromLists(first) || isQuiet(planOne(first, configuration, today))
          const found = isEnough ? first : await readWith(undefined, recorded)
          const { now, former, beside = '' } = twoObjects.get(address) ?? {}
          const isKept =
            former === undefined || own === undefined || !needsAnother(planOne(found, configuration, today))
          const other = isKept ? undefined : await readWith(undefined, readdress(former, own))
          // The configuration went back to what the former object is: it stays, and the newer one is left.
          const isBack = other !== undefined && isThere(other) && !needsAnother(planOne(other, configuration, today))
          if (isBack && now !== undefined)
            records.set(beside, { ...records.get(beside), recorded: { ...now, address: beside } })
          const one = withSight(isBack ? other : found, unseen?.get(address))
          done.set(address, { ...one, ...defined({ previousAddress }) })
          deps.progress?.({ step: 'reading', done: done.size, total })
          return one
        }),
      ),
    )
    for (const one of read) known.set(one.address, knownOf(planOne(one, configuration, today), input.loaded))
  }
  // The order must not depend on the order of the answers.
  return withMoved(new Map(presentIn([...desired.keys(), ...records.keys()].map((address) => entryOf(done, address)))))
}

/** What is only read is found anew each time: nothing of it was ever agreed. */
const recordUnlessReadOnly = (
  record: MovedRecord | undefined,
  desired: DesiredResource | undefined,
): Partial<MovedRecord> => {
  const { recorded: _, ...rest } = record ?? {}
  return desired?.lifecycle.readOnly === true ? rest : { ...record }
}

const isFromLists = ({ observed: { result } }: ObservedResource): boolean =>
  result.kind === 'present' && result.fromLists === true

const isQuiet = ({ planned: { change, drift, unchecked, unsettled, ignored } }: ResourcePlan): boolean =>
  [change, drift, unchecked, unsettled, ignored[0]].every((each) => each === undefined)

/** Whether the object is not what is declared, and cannot become it. */
const needsAnother = ({ planned: { change } }: ResourcePlan): boolean =>
  change?.action === 'create' || change?.action === 'replace' || change?.blocked?.reason === 'immutable'

const isThere = ({ observed: { result } }: ObservedResource): boolean => result.kind === 'present'

/**
 * A resource that left the configuration is read after its parents, which may have other names by now; a second object of a
 * resource after the resource, which decides which of the two it is.
 */
const readBefore = (
  desired: ReadonlyMap<Address, unknown>,
  recorded: RecordedResource | undefined,
): readonly Address[] =>
  (recorded === undefined ? [] : [...new Set([...recorded.dependsOn, successorTo(recorded.address)])]).filter(
    (address) => desired.has(address),
  )

const entryOf = (
  done: ReadonlyMap<Address, BoundResource>,
  address: Address,
): readonly [Address, BoundResource] | undefined => {
  const one = done.get(address)
  return one && [address, one]
}

const withSight = (one: ObservedResource, unseen: FoundElsewhere | undefined): ObservedResource => {
  if (unseen === undefined) return one
  const { isRemade: _, ...rest } = one
  return { ...rest, ...unseen }
}

/** What other resources may refer to. An object that will be created or replaced has no lasting ids yet. */
const knownOf = (one: ResourcePlan, loaded: LoadedWorkspace): KnownResource => {
  const state = stateOf(one)
  const isTaken = one.recorded?.lastApplied !== undefined || loaded.imports.has(one.address)
  return {
    ...state,
    ...defined({ isTaken: state.kind === 'settled' && isTaken ? (true as const) : undefined }),
    ...knownAs(one),
  }
}

const knownAs = ({ desired, type, provider, observed: { result }, refs = {} }: ResourcePlan): ReferableAs => {
  if (type === undefined || desired === undefined || desired.absent) return {}
  const { ids = {}, object } = result.kind === 'present' ? result : {}
  return { as: { type: type.name, provider, ids, refs, ...defined({ object }) } }
}

const stateOf = ({ planned, observed, type, isOwn, recorded, candidates, open = {} }: ResourcePlan): KnownResource => {
  const { change, before, after, unchecked } = planned
  // A busy object keeps its ids.
  if (before === undefined) {
    const { result } = observed
    const isBusy = result.kind === 'unknown' && result.reason === 'busy'
    const isElsewhere = result.kind === 'unknown' && result.reason === 'other_parent' && candidates === undefined
    return {
      kind: 'unknown',
      ...defined({ ids: isBusy ? result.ids : undefined, madeAgain: isElsewhere ? (true as const) : undefined }),
    }
  }
  if (change?.blocked?.reason === 'made_again') return { kind: 'unknown', madeAgain: true }
  if (unchecked !== undefined && unchecked.attributes === undefined && before !== null) {
    const ids = observed.result.kind === 'present' ? (observed.result.ids ?? {}) : {}
    const attributes = mapMembers(before, (value, name) => (Object.hasOwn(open, name) ? undefined : value))
    return { kind: 'settled', attributes, ids }
  }
  if (change?.action === 'create' || change?.action === 'replace') {
    if (change.blocked !== undefined) return { kind: 'unknown' }
    const schema = type?.schema ?? { attributes: {} }
    const attributes = mapMembers(after ?? {}, (value, name) => (schema.attributes[name]?.computed ? undefined : value))
    const replaced = change.action === 'replace' ? (true as const) : undefined
    return { kind: 'coming', attributes, schema, ...defined({ replaced }) }
  }
  const ids = observed.result.kind === 'present' ? (observed.result.ids ?? {}) : {}
  if (before === null) return { kind: 'unknown' }
  // A blocked change is not sent, so others must use the present values.
  const isSent = change?.blocked === undefined
  const former = isOwn ? recorded?.attributes : undefined
  return {
    kind: 'settled',
    attributes: isSent ? (after ?? before) : before,
    ids,
    ...defined({ present: before, former }),
  }
}
