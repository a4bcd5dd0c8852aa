import { type PlanFormat, writeReport } from '../../../../core/pages/render/index.ts'
import type { RenderOptions } from '../../../../core/pages/render/report/report.ts'
import { reportOfView } from '../../../../core/pages/tofu/report/plan-report.ts'
import type { View } from '../../../../core/pages/tofu/view/plan-view.ts'
import { rendererOf } from '../../../builders/values/rendered.ts'

type Options = RenderOptions & { readonly format: PlanFormat; readonly title: string }

/** `renderView` of the core, with all formats loaded beforehand. */
export const renderView = (view: View, { format, title, ...options }: Options): string => {
  const renderer = rendererOf(format)
  return 'ofPlan' in renderer ? `${JSON.stringify(view)}\n` : writeReport(renderer, reportOfView(view, title), options)
}
