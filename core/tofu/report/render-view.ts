import type { RenderOptions } from '../../render/formats/options.ts'
import { type PlanFormat, planFormats } from '../../render/index.ts'
import type { View } from '../view/plan-view.ts'
import { reportOfView } from './plan-report.ts'

/** A plan or a state of OpenTofu or Terraform in our formats; `title` names it. JSON is the view itself. */
export const renderView = async (
  view: View,
  { format, title, ...options }: Omit<RenderOptions, 'at'> & { readonly format: PlanFormat; readonly title: string },
): Promise<string> => {
  const renderer = await planFormats[format].load()
  return 'ofPlan' in renderer ? `${JSON.stringify(view)}\n` : renderer.ofReport(reportOfView(view, title), options)
}
