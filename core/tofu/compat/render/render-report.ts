import type { TofuCompat, TofuReport } from '../report.ts'
import { colored, plain } from './mark.ts'
import { products } from './products.ts'
import { renderPlan } from './render-plan.ts'
import { renderState } from './render-state.ts'
import type { Style } from './style.ts'

export interface TofuRenderOptions {
  readonly compat?: TofuCompat
  readonly color?: boolean
  /** Columns, 78 where it is no terminal. */
  readonly width?: number
}

/** The page as the product prints it, without the empty line before it. */
export const renderTofuReport = (
  page: TofuReport,
  { compat = 'opentofu', color = false, width = 78 }: TofuRenderOptions = {},
): string => {
  const style: Style = { mark: color ? colored : plain, product: products[compat], width }
  const text = page.kind === 'plan' ? renderPlan(page, style) : renderState(page, style)
  return text.replace(/^\n/, '')
}
