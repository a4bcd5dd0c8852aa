import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import { type CommandOutcome, isFailure, isUncertain } from '../../../schema/stored/outcome.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { commandsOf } from '../approved/selection.ts'

/** An ended apply, and the plan that it carried out. */
export interface UndoneApply {
  readonly apply: Apply
  readonly plan: Plan
}

/**
 * The commands that the apply did, in the order of its plan. One that was found done counts, and one of which the answer does not
 * tell it, if the read after the apply shows what was sent.
 */
export const doneBy = ({ apply, plan }: UndoneApply): readonly Command[] => {
  const outcomes = outcomesOf(apply)
  return plan.commands.filter((command) => {
    const outcome = outcomes.get(command.id)
    if (outcome === undefined) return false
    return isUncertain(outcome) ? !outcome.running && isShown(command, apply) : !isFailure(outcome)
  })
}

/** The outcomes of which neither the answer nor the read after the apply tells that the command was done. */
export const uncertainOf = (undone: UndoneApply): readonly CommandOutcome[] => {
  const done = new Set(doneBy(undone).map(({ id }) => id))
  return undone.apply.outcomes.filter((outcome) => isUncertain(outcome) && !done.has(outcome.command))
}

const outcomesOf = ({ outcomes }: Apply) =>
  new Map(outcomes.filter(({ status }) => !/^(logged|blocked)$/.test(status)).map((each) => [each.command, each]))

/** Whether the read after the apply shows the object as the command was to make it. */
const isShown = ({ address, action, footprint }: Command, { resources, left = [] }: Apply): boolean => {
  const { verdict, unobserved = [] } = resources?.find((each) => each.address === address) ?? {}
  const differing = left.filter((each) => each.address === address).flatMap(({ paths }) => paths)
  if (verdict !== 'in_sync' && (verdict !== 'differs' || differing.length === 0)) return false
  if (action === 'create') return true
  if (action !== 'update') return action === 'delete' && verdict === 'in_sync'
  const { sets = [], elements = [] } = footprint ?? {}
  const names = [...sets, ...elements.map(({ of }) => of)]
  const open = new Set([...differing, ...unobserved].map((path) => path.split(/[.[]/, 1)[0]))
  return names.length > 0 && !names.some((name) => open.has(name))
}

/** Its commands that did not do anything, and whether each was sent. */
export const notDoneBy = (undone: UndoneApply) => {
  const outcomes = outcomesOf(undone.apply)
  const done = new Set(doneBy(undone).map(({ id }) => id))
  return commandsOf(undone.plan.commands, undone.apply).flatMap(({ id }) => {
    const status = outcomes.get(id)?.status ?? 'skipped'
    const isLeft = !done.has(id) && (status === 'failed' || status === 'skipped')
    return isLeft ? [{ id, isSent: status === 'failed' }] : []
  })
}

/** What lossy commands of the apply lost, by resource: no request brings that back, and no read of an undo misses it. */
export const lostBy = (undone: UndoneApply): ReadonlyMap<Address, readonly string[]> => {
  const lossy = doneBy(undone).filter(({ grade }) => grade === 'lossy')
  const byAddress = Map.groupBy(lossy, ({ address }) => address)
  return new Map([...byAddress].map(([address, all]) => [address, all.flatMap(({ loses = [] }) => loses)]))
}
