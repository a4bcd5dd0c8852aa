import { findDifference, remainingCommands } from '../apply/compare-approved.ts'
import type { Known } from '../apply/fill-known.ts'
import { AppError } from '../errors.ts'
import type { Command } from '../schema/command.ts'
import type { Plan } from '../schema/plan.ts'
import type { Apply, CommandOutcome } from '../schema/records.ts'
import type { ApplyProgress } from './write-ledger.ts'

export interface ReadyCommands {
  /** In their order; under the ids of the approved list. */
  readonly commands: readonly Command[]
  /** Of earlier invocations of the same apply, and of what they turn out to have done. */
  readonly outcomes: readonly CommandOutcome[]
  /** Sent, or nearly, by a worker that died before it noted the answer: what the ledger does not know yet. */
  readonly found: readonly { readonly command: Command; readonly outcome: CommandOutcome }[]
}

interface Given {
  readonly apply: Apply
  /** The whole approved list, and the part of it that the apply is for. */
  readonly approved: readonly Command[]
  readonly targeted: readonly Command[]
  readonly progress: ApplyProgress
  /** What would be sent now. */
  readonly plan: Plan
  readonly known: Known
}

/** What may be sent: the approved commands, if they are still the ones that would be planned. Throws STALE_PLAN. */
export const commandsToSend = (given: Given): ReadyCommands => {
  const { approved, targeted, plan, progress } = given
  if (progress.outcomes.length + progress.open.length === 0) {
    const difference = findDifference(approved, plan.commands)
    if (difference !== undefined) throw stale(given, difference)
    return { commands: targeted, outcomes: [], found: [] }
  }
  return whatIsLeft(given)
}

const stale = ({ apply, plan, progress }: Given, difference: { readonly command: string; readonly detail: string }) =>
  new AppError('STALE_PLAN', {
    ...difference,
    approved: apply.digest,
    current: plan.digests.commands,
    sent: progress.done.size + progress.uncertain.size,
  })

/** Nothing is left to do for it: it has worked, unless its resource cannot be read, and nobody knows. */
const foundNow = ({ id, address }: Command, { unchecked }: Plan): CommandOutcome => {
  const unknown = unchecked.find((each) => each.address === address)
  return unknown === undefined
    ? { command: id, status: 'found_done' }
    : {
        command: id,
        status: 'unknown',
        detail: `it may have been sent, and its resource cannot be read: ${unknown.detail}`,
      }
}

const whatIsLeft = (given: Given): ReadyCommands => {
  const { targeted, progress, plan, known } = given
  const addresses = new Set(targeted.map(({ address }) => address))
  const current = plan.commands.filter(({ address }) => addresses.has(address))
  const rest = remainingCommands(targeted, progress, current, known)
  if ('command' in rest) throw stale(given, rest)
  const found = targeted
    .filter(({ id }) => rest.foundDone.includes(id))
    .map((command) => ({ command, outcome: foundNow(command, plan) }))
  const ahead = new Set([
    ...rest.left.map(({ approved }) => approved.id),
    ...progress.failed,
    ...found.flatMap(({ outcome }) => (outcome.status === 'unknown' ? [outcome.command] : [])),
  ])
  return {
    // The present precondition counts: the approved one was about the object as it was before the first half.
    commands: rest.left.map(({ approved, current: { request, precondition } }) => {
      const { precondition: _, ...command } = approved
      const dependsOn = approved.dependsOn.filter((id) => ahead.has(id))
      return { ...command, request, dependsOn, ...(precondition === undefined ? {} : { precondition }) }
    }),
    outcomes: [
      ...progress.outcomes.filter(({ command }) => progress.done.has(command) || progress.failed.has(command)),
      ...found.map(({ outcome }) => outcome),
    ],
    found,
  }
}
