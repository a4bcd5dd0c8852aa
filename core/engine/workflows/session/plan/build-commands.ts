import { isAppError } from '../../../errors/errors.ts'
import { numberCommands } from '../../../plan/commands/number-commands.ts'
import { seenDigest } from '../../../plan/commands/seen-digest.ts'
import { isCreatedFirst } from '../../../plan/order-changes.ts'
import type { PlannedChange } from '../../../provider/provider.ts'
import type { Command, CommandDraft, PlannedRequest, SeenObject } from '../../../schema/command.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers } from '../../../values/members.ts'
import type { ResourcePlan } from './observation.ts'

export interface Drafted {
  /** A change whose requests lack a value is blocked. */
  readonly changes: readonly Change[]
  readonly drafts: ReadonlyMap<Address, readonly CommandDraft[]>
}

/**
 * Builds the requests of each change that is not blocked. If a request cannot be built completely, its change is
 * blocked.
 */
export const draftCommands = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, ResourcePlan>,
  seal: Seal,
): Drafted => {
  const drafts = new Map<Address, readonly CommandDraft[]>()
  const judged = changes.map((change): Change => {
    const one = resources.get(change.address)
    if (change.blocked !== undefined || one?.type === undefined) return change
    try {
      drafts.set(change.address, one.type.commands(plannedChange(change, one, seal)).map(sentAs(one)))
      return change
    } catch (error) {
      // A resource that cannot be planned must not end the check of the others.
      if (!isAppError(error, 'TEMPLATE_VALUE_MISSING') && !isAppError(error, 'PROVIDER_PACKAGE_FAILED')) throw error
      return { ...change, blocked: { reason: 'value_missing', detail: `${error.message}; ${error.hint}` } }
    }
  })
  return { changes: judged, drafts }
}

/** Why a request must not be sent, by its URL; `undefined` if it may be sent. */
export type HeldAt = (request: Pick<PlannedRequest, 'url' | 'socket'>) => string | undefined

/** The last check of each request: if a request must not be sent, its change is blocked. */
export const withoutHeld = ({ changes, drafts }: Drafted, heldAt: HeldAt | undefined): Drafted => {
  if (heldAt === undefined) return { changes, drafts }
  const why = new Map<Address, string>()
  for (const [address, commands] of drafts) {
    const detail = commands.map(({ request }) => heldAt(request)).find((found) => found !== undefined)
    if (detail !== undefined) why.set(address, detail)
  }
  return {
    changes: changes.map((change): Change => {
      const detail = why.get(change.address)
      return detail === undefined ? change : { ...change, blocked: { reason: 'held', detail } }
    }),
    drafts: new Map([...drafts].filter(([address]) => !why.has(address))),
  }
}

/** The caller is a part of the command, so that the same request for another caller is another command. */
const sentAs =
  ({ as }: ResourcePlan) =>
  (draft: CommandDraft): CommandDraft =>
    as === undefined ? draft : { ...draft, request: { ...draft.request, as } }

/**
 * The exact requests of all changes that are not blocked, in the order in which they are sent: first what creates and
 * changes objects, dependencies first; then what removes them, in the order of `removals`.
 */
export const buildCommands = (
  { changes, drafts }: Drafted,
  resources: ReadonlyMap<Address, ResourcePlan>,
  removals: readonly Change[],
): readonly Command[] => {
  const sent = changes.filter((change) => change.blocked === undefined)
  const inDoubt = sentBefore(resources)
  const steps = new Map(
    sent.flatMap((change) => {
      const one = resources.get(change.address)
      if (one === undefined) return []
      const own = drafts.get(change.address) ?? []
      const commands = numberCommands(change.address, own, {
        seen: seenOf(one),
        archived: archivedOf(one),
        sentBy: inDoubt.get(change.address),
        inside: one.observed.result.kind === 'unknown' ? undefined : one.observed.result.parents,
      })
      return [[change.address, stepsOf(change, commands, own)] as const]
    }),
  )
  const dependents = dependentsOf(sent, resources)
  const needs = (other: Address, address: Address): boolean => {
    const { desired, recorded } = resources.get(other) ?? {}
    return [...(desired?.dependsOn ?? []), ...(recorded?.dependsOn ?? [])].includes(address)
  }
  const last = new Map<Address, string>()
  const send = (address: Address, commands: readonly Command[], waitsFor: readonly Address[]): readonly Command[] => {
    const [first, ...rest] = commands
    if (first === undefined) return []
    const needs = waitsFor.flatMap((each) => last.get(each) ?? [])
    last.set(address, (rest.at(-1) ?? first).id)
    return [{ ...first, dependsOn: [...new Set([...first.dependsOn, ...needs])] }, ...rest]
  }
  const made = sent.flatMap(({ address }) => {
    const one = resources.get(address)
    return one === undefined ? [] : send(address, steps.get(address)?.make ?? [], dependenciesOf(one))
  })
  const removed = removals.flatMap(({ address }) => {
    const owner = successorTo(address)
    return send(address, steps.get(address)?.remove ?? [], [owner, ...(dependents.get(owner) ?? [])])
  })
  const closed = sent.flatMap(({ address }) =>
    send(
      address,
      steps.get(address)?.close ?? [],
      sent.flatMap(({ address: other }) => (needs(other, address) ? [other] : [])),
    ),
  )
  return [...made, ...removed, ...closed]
}

interface CommandSteps {
  /** Commands that make what others may build on. */
  readonly make: readonly Command[]
  /** Commands for when nobody needs the object any more. */
  readonly remove: readonly Command[]
  /** Commands that wait for all changes of the resources that depend on this one. */
  readonly close: readonly Command[]
}

/** If a replacement creates first, the commands after the last one about the new object remove the old object. */
const stepsOf = (change: Change, commands: readonly Command[], drafts: readonly CommandDraft[]): CommandSteps => {
  if (change.action === 'delete') return { make: [], remove: commands, close: [] }
  const made = isCreatedFirst(change) ? commands.findLastIndex(isAboutNew) + 1 : 0
  if (made > 0) return { make: commands.slice(0, made), remove: commands.slice(made), close: [] }
  const open = drafts.findLastIndex(({ last }) => last !== true) + 1
  return { make: commands.slice(0, open), remove: [], close: commands.slice(open) }
}

const isAboutNew = ({ action, precondition }: Command): boolean =>
  action === 'create' || precondition?.kind === 'made' || precondition?.kind === 'absent'

/**
 * The last applies that sent creates with an unknown result, also for successors. Ids of applies are sorted by time.
 */
const sentBefore = (resources: ReadonlyMap<Address, ResourcePlan>): ReadonlyMap<Address, string> => {
  const last = new Map<Address, string>()
  for (const [address, { recorded }] of resources) {
    if (recorded?.doubted !== 'sent' || recorded.sentBy === undefined) continue
    const owner = successorTo(address)
    if (recorded.sentBy > (last.get(owner) ?? '')) last.set(owner, recorded.sentBy)
  }
  return last
}

/** The object that a create revives. Its ids identify it, because no other object gets them while it is archived. */
const archivedOf = ({ planned, observed, type }: ResourcePlan): SeenObject | undefined => {
  const { archived } = observed.result.kind === 'absent' ? observed.result : {}
  if (archived === undefined || planned.archived === undefined) return undefined
  const { ids } = archived
  const digest = seenDigest(type?.schema ?? { attributes: {} }, planned.archived)
  return { digest, identity: { keys: {}, ...defined({ ids }) } }
}

const seenOf = ({ planned, observed, target, type }: ResourcePlan): SeenObject | null => {
  const { before, observedDigest } = planned
  if (before === null || before === undefined || typeof observedDigest !== 'string') return null
  const ids = (observed.result.kind === 'present' ? observed.result.ids : undefined) ?? target.ids
  const keys = mapMembers(before, (value, name) => (type?.schema.attributes[name]?.identity ? value : undefined))
  return { digest: observedDigest, identity: { keys, ...defined({ ids }) } }
}

const dependenciesOf = ({ desired, recorded }: ResourcePlan): readonly Address[] =>
  (desired ?? recorded)?.dependsOn ?? []

/**
 * The changes that a removal waits for. If one of them fails, the object is still needed. A delete waits for everything
 * that depended on the object until now: for the deletes, and for the changes that stop using it. If another object of
 * the same resource stays, the delete also waits for the changes that start using that one.
 */
const dependentsOf = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, ResourcePlan>,
): ReadonlyMap<Address, readonly Address[]> => {
  const leaving = changes.filter((each) => isCreatedFirst(each) || successorTo(each.address) !== each.address)
  const hasTwo = new Set(leaving.map(({ address }) => successorTo(address)))
  const dependents = new Map<Address, Address[]>()
  for (const { address, action } of changes) {
    const one = resources.get(address)
    if (one === undefined) continue
    const dependsOn = action === 'delete' ? [] : (one.desired?.dependsOn ?? [])
    const kept = new Set(dependsOn)
    const held = one.recorded?.dependsOn ?? (action === 'delete' ? dependenciesOf(one) : [])
    for (const needed of new Set([...held, ...dependsOn])) {
      if (kept.has(needed) && !hasTwo.has(needed)) continue
      const waiting = dependents.get(needed) ?? []
      waiting.push(address)
      dependents.set(needed, waiting)
    }
  }
  return dependents
}

export const plannedChange = (
  change: Change,
  { planned, observed, target, refs = target.refs }: Pick<ResourcePlan, 'planned' | 'observed' | 'target' | 'refs'>,
  seal: Seal,
): PlannedChange => {
  const { result } = observed
  const { ids = target.ids, version, versions, objects } = result.kind === 'present' ? result : {}
  const { archived } = result.kind === 'absent' ? result : {}
  return {
    address: change.address,
    action: change.action,
    ...defined({ replaceOrder: change.replaceOrder }),
    desired: planned.desired ?? {},
    before: planned.before ?? null,
    after: planned.after ?? null,
    diff: change.diff,
    changed: changedPaths(change.diff),
    ...defined({
      ids,
      archived: archived && planned.archived && { ...archived, attributes: planned.archived },
      refs,
      presentRefs: target.refs,
    }),
    seal,
    ...defined({ version, versions, objects }),
  }
}
