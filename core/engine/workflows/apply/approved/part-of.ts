import type { Plan, Selection } from '../../../schema/stored/plan.ts'
import { isWhole } from './selection.ts'

/** As `narrowPlan` in select-targets.ts. Most want the whole: what chooses a part of a plan is loaded with the first one who does not. */
export const partOf = async (plan: Plan, selection: Selection): Promise<Plan> =>
  isWhole(selection) ? plan : (await import('./select-targets.ts')).narrowPlan(plan, selection)
