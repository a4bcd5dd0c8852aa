import { plain, thousands } from '../../characters/prose.ts'
import { countIn, type ReportList } from '../../report/lists.ts'
import { type Report, resourcesIn } from '../../report/report.ts'
import { type Html, html, nothing, proseHtml } from './html.ts'
import { type Anchors, linkTo, nameAnchors, ownAnchors } from './name-anchors.ts'
import { sheet, styleHash } from './style.ts'
import { chooseOpen, titleOf, writeSection } from './write-block.ts'
import { writeCommands } from './write-commands.ts'
import { writeSummary } from './write-summary.ts'

/** Nothing is fetched, sent, framed or run; only the page's own sheet counts. */
const pagePolicy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`

/** One document for a browser, a mail or an archive: it needs nothing but itself. */
export const renderHtml = (report: Report): string => {
  const anchors = nameAnchors(report)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${report.title}: ${plain(report.headline)}</title>
${sheet}
</head>
<body>
<a class="skip" href="${linkTo(ownAnchors.main)}">Skip to the findings</a>
${writeHeader(report)}${writeContents(report, anchors)}<main id="${ownAnchors.main}">
${writeSummary(report, anchors)}${writeSections(report, anchors)}${report.lists.map((list, position) =>
  writeList(list, anchors.lists[position] ?? '', anchors.entries[position] ?? []),
)}${writeCommands(report)}</main>
<footer>Written by Plumbline. This page runs no script and asks for nothing from the network.</footer>
</body>
</html>
`.html
}

const writeHeader = ({ title, headline, tone, at, notes }: Report): Html => html`<header>
<div class="plumb ${tone}"><h1><code>${title}</code> <small>${proseHtml(headline)}</small></h1>${
  at === undefined ? nothing : html`<p class="note">checked ${timeOf(at)}</p>`
}</div>
${notes.map((note) => html`<div role="note"><p>${proseHtml(note)}</p></div>\n`)}</header>
`

const timeOf = (at: string): Html => {
  const [, day, time] = at.match(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/) ?? []
  return day === undefined ? html`${at}` : html`<time datetime="${at}">${day} ${time} UTC</time>`
}

/** Only where there is something to choose from. */
const writeContents = (report: Report, anchors: Anchors): Html => {
  const { sections, lists, commands } = report
  const links = [
    ...sections.map((section, n) => [anchors.sections[n], titleOf(section), resourcesIn(section)] as const),
    ...lists.map((list, n) => [anchors.lists[n], list.title, countIn(list)] as const),
    ...(commands === undefined ? [] : [[ownAnchors.commands, 'Commands', commands.list.length] as const]),
  ]
  if (links.length < 2) return nothing
  return html`<nav aria-label="On this page"><ul>
${links.map(
  ([anchor = '', words, n]) => html`<li><a href="${linkTo(anchor)}">${words}</a> <small>${thousands(n)}</small></li>\n`,
)}</ul></nav>
`
}

const writeSections = ({ sections }: Report, anchors: Anchors): Html => {
  const open = chooseOpen(sections.flatMap(({ blocks }) => blocks))
  let first = 0
  return html`${sections.map((section, position) => {
    const start = first
    first += section.blocks.length
    const names = { section: anchors.sections[position] ?? '', blocks: anchors.blocks[position] ?? [] }
    return writeSection(section, names, open.slice(start, first))
  })}`
}

/** The others of which the same is said. */
const writeAlso = (also: readonly string[]): Html =>
  also.length === 0
    ? nothing
    : html` <details><summary>and ${thousands(also.length)} for the same reason</summary>${also.map(
        (each) => html`<code>${each}</code> `,
      )}</details>`

/** Findings that are not changes. */
const writeList = (list: ReportList, anchor: string, anchors: readonly string[]): Html =>
  html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}">${list.title} <small>${thousands(countIn(list))}</small></h2>
<dl>
${list.entries.map(
  ({ what, also = [], words }, position) =>
    html`<div id="${anchors[position]}"><dt><code>${what}</code></dt><dd>${proseHtml(words)}${writeAlso(also)}</dd></div>
`,
)}</dl>
</section>
`
