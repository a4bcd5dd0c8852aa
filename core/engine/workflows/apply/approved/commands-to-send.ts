import { AppError } from '../../../errors/errors.ts'
import type { GraphNode } from '../../../graph/graph.ts'
import { digest } from '../../../json/digest.ts'
import type { Command } from '../../../schema/command.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Plan, Unchecked } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { defined } from '../../../values/defined.ts'
import { type ApplyProgress, type Difference, findDifference, remainingCommands } from './compare-approved.ts'
import type { KnownValue } from './fill-known.ts'
import { commandsOf } from './selection.ts'
import { doubts } from './words.ts'

export interface ReadyCommands {
  /** In the order of the plan, with the ids of the approved list. */
  readonly commands: readonly Command[]
  /** Outcomes of earlier invocations of the same apply, and of their commands that turn out to be done. */
  readonly outcomes: readonly CommandOutcome[]
  /**
   * Commands that a worker sent, or was about to send, before it died without recording the result. Their outcomes are
   * not in the ledger yet.
   */
  readonly found: readonly { readonly command: Command; readonly outcome: CommandOutcome }[]
}

interface ComparedWork {
  readonly apply: Apply
  /** Only those of the selection, if there is one. */
  readonly approved: readonly Command[]
  readonly progress: ApplyProgress
  readonly plan: Plan
  readonly known: KnownValue
  /** Each resource as declared and as recorded, with its dependencies. */
  readonly nodes: readonly GraphNode[]
}

/** The approved commands, if they would still be planned. Throws STALE_PLAN, or TARGET_UNREAD if a read failed. */
export const commandsToSend = (given: ComparedWork): ReadyCommands => {
  const { apply, approved, plan, progress } = given
  if (progress.outcomes.length + progress.open.length === 0) {
    const difference = findDifference(approved, commandsOf(plan.commands, apply))
    if (difference !== undefined) throw refusalOf(given, difference)
    return { commands: approved, outcomes: [], found: [] }
  }
  return whatIsLeft(given)
}

/** If a target is down or a secret is missing, that is the cause of the different commands, so it is reported. */
const refusalOf = (given: ComparedWork, difference: Difference): AppError => {
  const { apply, approved, plan, progress, nodes } = given
  const sent = progress.done.size + progress.uncertain.size
  const [first, ...more] = unreadNow(approved, plan.unchecked, nodes)
  if (first !== undefined) return new AppError('TARGET_UNREAD', { ...first, more: more.length, sent })
  const current = digest(commandsOf(plan.commands, apply))
  return new AppError('STALE_PLAN', { ...difference, approved: apply.digest, current, sent })
}

/** For a command that is not needed any more: it is done, or, if its resource cannot be read, its result is unknown. */
const foundNow = ({ id, address }: Command, { unchecked }: Plan): CommandOutcome => {
  const unknown = unchecked.find((each) => each.address === address)
  return unknown === undefined
    ? { command: id, status: 'found_done' }
    : { command: id, status: 'unknown', detail: doubts.unread(unknown.detail) }
}

/** For a command without a visible effect. That proves nothing, because the target may still be working on it. */
const inDoubt = ({ id }: Command): CommandOutcome => ({
  command: id,
  status: 'unknown',
  detail: doubts.unseen,
})

const whatIsLeft = (given: ComparedWork): ReadyCommands => {
  const { approved, progress, plan, known } = given
  const addresses = new Set(approved.map(({ address }) => address))
  // When the successor exists, the old object of a replacement is removed under the address of the successor.
  const current = plan.commands.filter(({ address }) => addresses.has(successorTo(address)))
  const rest = remainingCommands(approved, progress, current, known)
  if ('command' in rest) throw refusalOf(given, rest)
  const isOpen = (command: Command): boolean => progress.open.some(({ id }) => id === command.id)
  const found = approved.flatMap((command) => {
    if (rest.foundDone.includes(command.id)) return [{ command, outcome: foundNow(command, plan) }]
    return rest.inDoubt.includes(command.id) && isOpen(command) ? [{ command, outcome: inDoubt(command) }] : []
  })
  const isKnown = (id: string): boolean =>
    progress.done.has(id) ||
    progress.failed.has(id) ||
    (rest.inDoubt.includes(id) && !found.some(({ command }) => command.id === id))
  const ahead = new Set([
    ...rest.left.map(({ approved }) => approved.id),
    ...progress.failed,
    ...rest.inDoubt,
    ...found.flatMap(({ outcome }) => (outcome.status === 'unknown' ? [outcome.command] : [])),
  ])
  return {
    // The current precondition is used, because the approved one describes the object before the first half of the
    // apply.
    commands: rest.left.map(({ approved, current: { address, request, precondition } }) => {
      const { precondition: _, ...command } = approved
      const dependsOn = approved.dependsOn.filter((id) => ahead.has(id))
      return { ...command, address, request, dependsOn, ...defined({ precondition }) }
    }),
    outcomes: [...progress.outcomes.filter(({ command }) => isKnown(command)), ...found.map(({ outcome }) => outcome)],
    found,
  }
}

const unreadNow = (
  commands: readonly Command[],
  unchecked: readonly Unchecked[],
  nodes: readonly GraphNode[],
): readonly Unchecked[] => {
  const needs = Map.groupBy(nodes, ({ address }) => address)
  const about = new Set<string>()
  const pending = commands.map(({ address }) => address)
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (about.has(address)) continue
    about.add(address)
    pending.push(...(needs.get(address) ?? []).flatMap(({ dependsOn }) => dependsOn))
  }
  const place = new Map(commands.map(({ address }, index) => [address, index]))
  const rank = ({ address, reason }: Unchecked): number =>
    reason === 'unresolved' || reason === 'dependency' ? commands.length : (place.get(address) ?? -1)
  return unchecked.filter(({ address }) => about.has(address)).toSorted((left, right) => rank(left) - rank(right))
}
