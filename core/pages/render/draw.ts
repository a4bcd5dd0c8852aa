/** What a page needs that draws a report by itself: the same parts and words as those of the formats. */
export { type Prose as ProseText, plain, thousands } from './characters/prose.ts'
export { printable, visible } from './characters/visible.ts'
export { type Block, type Report, resourcesIn, type Section } from './report/report.ts'
export { reportOfPlan } from './report/report-of-plan.ts'
export { commandWords, type ShownRequest, showRequest } from './requests/show-request.ts'
export { type Row, type TextPart, tagsOf } from './rows/row.ts'
