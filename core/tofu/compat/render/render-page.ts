import type { TofuCompat, TofuPage } from '../page.ts'
import { colored, plain } from './mark.ts'
import type { PageStyle } from './page-style.ts'
import { products } from './products.ts'
import { renderPlanPage } from './render-plan-page.ts'
import { renderStatePage } from './render-state-page.ts'

export interface TofuPageOptions {
  readonly compat?: TofuCompat
  readonly color?: boolean
  /** Columns, 78 where it is no terminal. */
  readonly width?: number
}

/** The page as the product prints it, without the empty line before it. */
export const renderTofuPage = (
  page: TofuPage,
  { compat = 'opentofu', color = false, width = 78 }: TofuPageOptions = {},
): string => {
  const style: PageStyle = { mark: color ? colored : plain, product: products[compat], width }
  const text = page.kind === 'plan' ? renderPlanPage(page, style) : renderStatePage(page, style)
  return text.replace(/^\n/, '')
}
