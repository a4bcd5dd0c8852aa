import type { Plan } from '../schema/plan.ts'
import { renderHtml } from './formats/html/render-html.ts'
import { renderMarkdown } from './formats/markdown/render-markdown.ts'
import type { RenderOptions } from './formats/options.ts'
import { renderJson } from './formats/render-json.ts'
import { renderSummary } from './formats/render-summary.ts'
import { renderText } from './formats/render-text.ts'
import type { Page } from './report/page.ts'
import { pageOfPlan } from './report/page-of-plan.ts'

/** The formats of a page, by name. */
export const renderers = {
  text: renderText,
  markdown: renderMarkdown,
  html: renderHtml,
  summary: renderSummary,
} as const satisfies Record<string, (page: Page, options: RenderOptions) => string>

export type PlanFormat = keyof typeof renderers | 'json'

export const planFormats = ['text', 'markdown', 'html', 'json', 'summary'] as const satisfies readonly PlanFormat[]

type Options = RenderOptions & { readonly format: PlanFormat }

/** A plan of ours in a format. Pure; never fails, whatever the plan holds. */
export const renderPlan = (plan: Plan, { format, ...options }: Options): string =>
  format === 'json' ? renderJson(plan, options) : renderers[format](pageOfPlan(plan, options), options)
