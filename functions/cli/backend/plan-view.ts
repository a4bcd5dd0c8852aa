import { type Command, narrowPlan, type Plan } from '#core'
import { type PlanFormat, renderPlan } from '#render'

interface Look {
  readonly color: boolean
  readonly width: number
}

/** A plan to be shown, whether it was made here or is fetched in the form that is needed. */
export interface PlanView {
  readonly commands: readonly Command[]
  /** Of the commands; what an approval names. */
  readonly digest: string
  /** What some targets need of it, with a digest of its own. Rejects with TARGET_UNKNOWN. */
  only(targets: readonly string[]): Promise<PlanView>
  /** The form of OpenTofu's plan, with ours beside it. */
  document(): Promise<unknown>
  render(format: PlanFormat, look: Look): Promise<string>
}

/** `at` is when the target was read. */
export const viewOf = (plan: Plan, at: string): PlanView => ({
  commands: plan.commands,
  digest: plan.digests.commands,
  only: async (targets) => viewOf(narrowPlan(plan, targets), at),
  document: async () => JSON.parse(await renderPlan(plan, { format: 'json', at })) as unknown,
  render: (format, look) => renderPlan(plan, { format, at, ...look }),
})
