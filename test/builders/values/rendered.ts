import type { Plan } from '../../../core/engine/schema/stored/plan.ts'
import { formatNames, isOfEach, type PlanFormat, planFormats, writeReport } from '../../../core/pages/render/index.ts'
import type { RenderOptions } from '../../../core/pages/render/report/report.ts'
import { reportOfPlan } from '../../../core/pages/render/report/report-of-plan.ts'

export { formatNames }

const loaded = new Map(
  await Promise.all(formatNames.map(async (name) => [name, await planFormats[name].load()] as const)),
)

export const rendererOf = (format: PlanFormat) => {
  const renderer = loaded.get(format)
  if (renderer === undefined) throw new Error(format)
  return renderer
}

type Options = RenderOptions & { readonly format: PlanFormat }

/** `renderPlan` of the core, with all formats loaded beforehand: tables and laws have no need to wait. */
export const renderPlan = (plan: Plan, { format, ...options }: Options): string => {
  const renderer = rendererOf(format)
  if ('ofPlan' in renderer) return renderer.ofPlan(plan, options)
  return writeReport(renderer, reportOfPlan(plan, { ...options, each: isOfEach(renderer) }), options)
}
