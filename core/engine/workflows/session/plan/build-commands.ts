import { isAppError } from '../../../errors/errors.ts'
import { afterOthers, sharingIn } from '../../../plan/commands/after-others.ts'
import { numberCommands } from '../../../plan/commands/number-commands.ts'
import { seenDigest } from '../../../plan/commands/seen-digest.ts'
import { blocks } from '../../../plan/words.ts'
import type { PlannedChange } from '../../../provider/provider.ts'
import type { Command, CommandDraft, Footprint, PlannedRequest, SeenObject } from '../../../schema/command.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers } from '../../../values/members.ts'
import type { ResourcePlan } from './observation.ts'
import { orderCommands, stepsOf } from './order-commands.ts'

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
  const alone = draftAll(changes, resources, seal)
  const sharing = sharingIn(alone.drafts)
  return sharing.size === 0 ? alone : draftAll(changes, resources, seal, sharing)
}

/** `sharing`: resources of which another one writes to the same object. */
const draftAll = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, ResourcePlan>,
  seal: Seal,
  sharing: ReadonlySet<Address> = new Set(),
): Drafted => {
  const drafts = new Map<Address, readonly CommandDraft[]>()
  const judged = changes.map((change): Change => {
    const one = resources.get(change.address)
    if (change.blocked !== undefined || one?.type === undefined) return change
    try {
      const isShared = sharing.has(change.address) ? true : undefined
      const own = one.type.commands({ ...plannedChange(change, one, seal), ...defined({ isShared }) })
      const unsent = unsentIn(change, own)
      if (unsent.length > 0) return { ...change, blocked: { reason: 'not_sent', detail: blocks.notSent(unsent) } }
      drafts.set(change.address, own.map(sentAs(one)))
      return change
    } catch (error) {
      // A resource that cannot be planned must not end the check of the others.
      if (!isAppError(error, 'TEMPLATE_VALUE_MISSING') && !isAppError(error, 'PROVIDER_PACKAGE_FAILED')) throw error
      const isWhole = isAppError(error, 'TEMPLATE_VALUE_MISSING') && error.payload.fix !== undefined
      const detail = isWhole ? error.message : `${error.message}; ${error.hint}`
      return { ...change, blocked: { reason: 'value_missing', detail } }
    }
  })
  return { changes: judged, drafts }
}

/** Attributes that an update would change and that none of its commands is about: a plan promises no such change. */
const unsentIn = ({ action, diff }: Change, drafts: readonly CommandDraft[]): readonly string[] => {
  if (action !== 'update') return []
  const names = [...new Set(changedPaths(diff).map(([first]) => String(first)))]
  return names.filter((name) => !drafts.some(({ footprint }) => isAbout(footprint, name)))
}

const isAbout = ({ sets, elements = [], affects = [] }: Footprint = {}, name: string): boolean =>
  sets === undefined || sets.includes(name) || affects.includes(name) || elements.some(({ of }) => of === name)

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
  return afterOthers(orderCommands(sent, steps, resources, removals), resources)
}

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
export const archivedOf = ({ planned, observed, type }: ResourcePlan): SeenObject | undefined => {
  const { archived } = observed.result.kind === 'absent' ? observed.result : {}
  if (archived === undefined || planned.archived === undefined) return undefined
  const { ids } = archived
  const digest = seenDigest(type?.schema ?? { attributes: {} }, planned.archived)
  return { digest, identity: { keys: {}, ...defined({ ids }) } }
}

/** What a plan saw of an object; `null`: it does not exist. */
export const seenOf = ({ planned, observed, target, type }: ResourcePlan): SeenObject | null => {
  const { before, observedDigest } = planned
  if (before === null || before === undefined || typeof observedDigest !== 'string') return null
  const ids = (observed.result.kind === 'present' ? observed.result.ids : undefined) ?? target.ids
  const keys = mapMembers(before, (value, name) => (type?.schema.attributes[name]?.identity ? value : undefined))
  return { digest: observedDigest, identity: { keys, ...defined({ ids }) } }
}

type PlannedParts = Pick<ResourcePlan, 'planned' | 'observed' | 'target' | 'refs'> &
  Partial<Pick<ResourcePlan, 'desired' | 'recorded'>>

export const plannedChange = (
  change: Change,
  { planned, observed, target, refs = target.refs, desired, recorded }: PlannedParts,
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
      manage: (desired ?? recorded)?.lifecycle.manage,
      ids,
      archived: archived && planned.archived && { ...archived, attributes: planned.archived },
      refs,
      presentRefs: target.refs,
    }),
    seal,
    ...defined({ version, versions, objects }),
  }
}
