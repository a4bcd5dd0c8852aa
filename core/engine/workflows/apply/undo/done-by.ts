import type { Command } from '../../../schema/command.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'

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
