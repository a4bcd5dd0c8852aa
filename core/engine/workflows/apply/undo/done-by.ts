import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { commandsOf } from '../approved/selection.ts'

/** An ended apply, and the plan that it carried out. */
export interface UndoneApply {
  readonly apply: Apply
  readonly plan: Plan
}

/**
 * The commands that the apply did, in the order of its plan. One that was found done counts: the apply may have sent it, and its
 * object shows it.
 */
export const doneBy = ({ apply, plan }: UndoneApply): readonly Command[] => {
  const done = new Set(
    apply.outcomes.flatMap(({ command, status }) =>
      status === 'succeeded' || status === 'found_done' ? [command] : [],
    ),
  )
  return plan.commands.filter(({ id }) => done.has(id))
}

/** Its commands that did not do anything, and whether each was sent. */
export const notDoneBy = ({ apply, plan }: UndoneApply) => {
  const outcomes = new Map(apply.outcomes.map((outcome) => [outcome.command, outcome.status]))
  return commandsOf(plan.commands, apply).flatMap(({ id }) => {
    const status = outcomes.get(id) ?? 'skipped'
    return status === 'failed' || status === 'skipped' ? [{ id, isSent: status === 'failed' }] : []
  })
}

/** What lossy commands of the apply lost, by resource: no request brings that back, and no read of an undo misses it. */
export const lostBy = (undone: UndoneApply): ReadonlyMap<Address, readonly string[]> => {
  const lossy = doneBy(undone).filter(({ grade }) => grade === 'lossy')
  const byAddress = Map.groupBy(lossy, ({ address }) => address)
  return new Map([...byAddress].map(([address, all]) => [address, all.flatMap(({ loses = [] }) => loses)]))
}
