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
  /** Sent by a worker that died before it noted the answer; the ledger does not know yet that they were done. */
  readonly foundDone: readonly Command[]
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
    return { commands: targeted, outcomes: [], foundDone: [] }
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

/** A command that a worker sent before it died, and that has worked: nothing is left to do. */
export const foundDone = (command: string): CommandOutcome => ({ command, status: 'found_done' })

const whatIsLeft = (given: Given): ReadyCommands => {
  const { targeted, progress, plan, known } = given
  const addresses = new Set(targeted.map(({ address }) => address))
  const current = plan.commands.filter(({ address }) => addresses.has(address))
  const rest = remainingCommands(targeted, progress, current, known)
  if ('command' in rest) throw stale(given, rest)
  const ahead = new Set([...rest.left.map(({ approved }) => approved.id), ...progress.failed])
  return {
    // The present precondition counts: the approved one was about the object as it was before the first half.
    commands: rest.left.map(({ approved, current: { request, precondition } }) => {
      const { precondition: _, ...command } = approved
      const dependsOn = approved.dependsOn.filter((id) => ahead.has(id))
      return { ...command, request, dependsOn, ...(precondition === undefined ? {} : { precondition }) }
    }),
    outcomes: [
      ...progress.outcomes.filter(({ command }) => progress.done.has(command) || progress.failed.has(command)),
      ...rest.foundDone.map(foundDone),
    ],
    foundDone: targeted.filter(({ id }) => rest.foundDone.includes(id)),
  }
}
