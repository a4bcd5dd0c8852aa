/*
 * The second door: what shows plans. It stands apart so that a handler loads it when somebody asks for a page, and a cold
 * start does not pay for it; esbuild cannot divide what one door exports.
 */
export type { PlanFormat } from './render/index.ts'
export { planFormats, renderPlan } from './render/index.ts'
