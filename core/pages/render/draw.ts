/** What a page needs that draws a report by itself: the same parts and words as those of the formats. */
export { type Prose as ProseText, plain } from './characters/prose.ts'
export { printable, visible } from './characters/visible.ts'
export { applySentence, outcomeWords } from './plain/render-applies.ts'
export { restWords } from './plain/render-results.ts'
export type { Block, Report, Section } from './report/report.ts'
export { reportOfPlan } from './report/report-of-plan.ts'
export { commandWords, showRequest } from './requests/show-request.ts'
export { type Row, type TextPart, tagsOf } from './rows/row.ts'
