import type { RenderOptions } from '../../render/formats/options.ts'
import { type PlanFormat, renderers } from '../../render/index.ts'
import type { Review } from '../view/plan-view.ts'
import { pageOfReview } from './plan-report.ts'

/** A plan or a state of OpenTofu or Terraform in our formats; `title` names it. JSON is the review itself. */
export const renderReview = (
  review: Review,
  { format, title, ...options }: Omit<RenderOptions, 'at'> & { readonly format: PlanFormat; readonly title: string },
): string =>
  format === 'json' ? `${JSON.stringify(review)}\n` : renderers[format](pageOfReview(review, title), options)
