import { thousands } from '../../characters/prose.ts'
import { type ModuleTally, type Report, toneOfSymbol } from '../../report/report.ts'
import type { Tally } from '../../report/tally.ts'
import { type Html, html, joined, nothing } from './html.ts'
import { type Anchors, linkTo, ownAnchors } from './name-anchors.ts'

/** Counts with links to what they count, and the modules. */
export const writeSummary = ({ tallies, modules }: Report, anchors: Anchors): Html =>
  tallies.length + modules.length === 0
    ? nothing
    : html`<section aria-labelledby="${ownAnchors.summary}">
<h2 id="${ownAnchors.summary}">Summary</h2>
${tallyTable(tallies, anchors)}${moduleTable(modules, tallies, anchors)}</section>
`

const tallyTable = (tallies: readonly Tally[], anchors: Anchors): Html =>
  tallies.length === 0
    ? nothing
    : html`<table class="counts">
<caption>How many resources, and which</caption>
<thead><tr><th scope="col">Count</th><th scope="col">What</th><th scope="col">Which</th></tr></thead>
<tbody>
${tallies.map(
  (tally) =>
    html`<tr><td>${thousands(tally.n)}</td><th scope="row">${signOf(tally.symbol)}${tally.words}</th><td>${linksOf(tally, anchors)}</td></tr>
`,
)}</tbody>
</table>
`

const signOf = (symbol: string): Html =>
  symbol === '' ? nothing : html`<b class="sign ${toneOfSymbol(symbol)}" aria-hidden="true">${symbol}</b>`

/** All destroyed resources are named; of the other ones the first few, and the rest can be opened. */
const linksOf = ({ symbol, addresses }: Tally, { byAddress }: Anchors): Html => {
  const links = addresses.map((address) => {
    const anchor = byAddress.get(address)
    const name = html`<code>${address}</code>`
    return anchor === undefined ? name : html`<a href="${linkTo(anchor)}">${name}</a>`
  })
  const most = symbol.includes('-') ? namedDestroyed : named
  if (links.length <= most + 1) return joined(links, ', ')
  const rest = links.slice(most)
  return html`${joined(links.slice(0, most), ', ')}<details><summary>and ${thousands(rest.length)} more</summary>${joined(rest, ', ')}</details>`
}

const named = 6
const namedDestroyed = 100

const moduleTable = (modules: readonly ModuleTally[], tallies: readonly Tally[], { byModule }: Anchors): Html => {
  if (modules.length === 0) return nothing
  const words = new Map(tallies.map((tally) => [tally.symbol, tally.words]))
  return html`<table class="modules" id="${ownAnchors.modules}">
<caption>How many by module, each without the modules in it</caption>
<thead><tr><th scope="col">Module</th><th scope="col">Count</th></tr></thead>
<tbody>
${modules.map(
  (module) =>
    html`<tr><th scope="row" class="depth-${String(Math.min(deepest, module.depth))}">${moduleLink(module, byModule)}</th><td>${countsOf(module, words)}</td></tr>
`,
)}</tbody>
</table>
`
}

/** Deeper modules are not set in further. */
const deepest = 8

const moduleLink = ({ module, label }: ModuleTally, byModule: Anchors['byModule']): Html => {
  const anchor = byModule.get(module)
  const name = module === '' ? html`${label}` : html`<code>${label}</code>`
  return anchor === undefined ? name : html`<a href="${linkTo(anchor)}">${name}</a>`
}

const countsOf = ({ counts }: ModuleTally, words: ReadonlyMap<string, string>): Html =>
  html`${counts.map(
    ({ symbol, n }) =>
      html`<span>${signOf(symbol)}${thousands(n)}<span class="hidden"> ${words.get(symbol) ?? ''}</span></span> `,
  )}`
