import type { RenderOptions } from '../../render/formats/options.ts'
import { type PlanFormat, planFormats } from '../../render/index.ts'
import type { Review } from '../view/plan-view.ts'
import { reportOfView } from './plan-report.ts'

/** A plan or a state of OpenTofu or Terraform in our formats; `title` names it. JSON is the review itself. */
export const renderReview = async (
  review: Review,
  { format, title, ...options }: Omit<RenderOptions, 'at'> & { readonly format: PlanFormat; readonly title: string },
): Promise<string> => {
  const renderer = await planFormats[format].load()
  return 'ofPlan' in renderer ? `${JSON.stringify(review)}\n` : renderer.ofReport(reportOfView(review, title), options)
}
