import type { ReportList } from '../../report/lists.ts'
import type { Html } from './html.ts'
import { html, proseHtml } from './html.ts'

/** What is no change and still part of the finding. */
export const writeList = ({ title, entries }: ReportList, anchor: string, anchors: readonly string[]): Html =>
  html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}">${title} <small>${entries.length.toLocaleString('en')}</small></h2>
<dl>
${entries.map(
  ({ what, words }, position) =>
    html`<div id="${anchors[position]}"><dt><code>${what}</code></dt><dd>${proseHtml(words)}</dd></div>
`,
)}</dl>
</section>
`
