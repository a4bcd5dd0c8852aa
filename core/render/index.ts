import type { Plan } from '../schema/plan.ts'
import type { RenderOptions } from './options.ts'
import { pageOfPlan } from './page-of-plan.ts'
import { renderHtml } from './render-html.ts'
import { renderJson } from './render-json.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderSummary } from './render-summary.ts'
import { renderText } from './render-text.ts'

type Renderer = (plan: Plan, options: RenderOptions) => string

/** Every format of a plan, by name. */
const renderers = {
  text: (plan, options) => renderText(pageOfPlan(plan, options), options),
  markdown: (plan, options) => renderMarkdown(pageOfPlan(plan, options)),
  html: (plan, options) => renderHtml(pageOfPlan(plan, options)),
  json: renderJson,
  summary: (plan, options) => renderSummary(pageOfPlan(plan, options), options),
} as const satisfies Record<string, Renderer>

export type PlanFormat = keyof typeof renderers

export const planFormats = Object.keys(renderers) as [PlanFormat, ...PlanFormat[]]

/** A plan as a page. Pure; never fails, whatever the plan holds. */
export const renderPlan = (
  plan: Plan,
  { format, ...options }: RenderOptions & { readonly format: PlanFormat },
): string => renderers[format](plan, options)
