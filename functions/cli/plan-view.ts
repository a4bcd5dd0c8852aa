import type { Command, Plan } from '#core'
import { type PlanFormat, renderPlan } from '#pages'

interface Look {
  readonly color: boolean
  readonly width: number
}

/** A plan to be shown, whether it was made here or is fetched in the form that is needed. */
export interface PlanView {
  readonly commands: readonly Command[]
  /** Of the commands; what an approval names. */
  readonly digest: string
  /** The form of OpenTofu's plan, with ours beside it. */
  document(): Promise<unknown>
  render(format: PlanFormat, look: Look): Promise<string>
}

/** `at` is when the target was read. */
export const viewOf = (plan: Plan, at: string): PlanView => ({
  commands: plan.commands,
  digest: plan.digests.commands,
  document: async () => JSON.parse(renderPlan(plan, { format: 'json', at })) as unknown,
  render: async (format, look) => renderPlan(plan, { format, at, ...look }),
})
