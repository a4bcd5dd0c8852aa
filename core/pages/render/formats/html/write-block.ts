import { placeText } from '../../../../engine/values/diagnose.ts'
import { thousands } from '../../characters/prose.ts'
import { type Block, resourcesIn, type Section } from '../../report/report.ts'
import type { Row } from '../../rows/row.ts'
import { type Html, html, joined, nothing, proseHtml } from './html.ts'
import { writeRows } from './write-rows.ts'

/** Blocks under their title, `open` by their positions. */
export const writeSection = (
  section: Section,
  anchors: { readonly section: string; readonly blocks: readonly string[] },
  open: readonly boolean[],
): Html => html`<section aria-labelledby="${anchors.section}">
<h2 id="${anchors.section}">${titleOf(section)} <small>${thousands(resourcesIn(section))}</small></h2>
${
  section.kind === 'outputs'
    ? writeRows(section.blocks.flatMap(({ rows }) => rows))
    : section.blocks.map((block, n) => writeBlock(block, anchors.blocks[n] ?? '', open[n] === true))
}</section>
`

export const titleOf = ({ title }: Section): string => title ?? 'Changes'

/** A resource, or several that change alike: one line, and its rows below to be opened. */
const writeBlock = (block: Block, anchor: string, isOpen: boolean): Html => {
  const head = headOf(block)
  const body = [idOf(block), placeOf(block), alsoOf(block), sidesOf(block), writeRows(block.rows)]
  const open = isOpen ? ' open' : ''
  return html`<article id="${anchor}" class="${block.tone}">${
    body.every((part) => part === nothing)
      ? html`<div class="head">${head}</div>`
      : html`<details${open}><summary class="head">${head}</summary>${body}</details>`
  }</article>
`
}

/** The words say what the symbol means. */
const headOf = ({ symbol, address, also, words, blocked }: Block): Html => {
  const more = also.length === 0 ? nothing : html` and ${thousands(also.length)} more alike`
  return html`<b class="sign" aria-hidden="true">${symbol}</b><h3><code>${address}</code>${more}</h3> <span class="${
    blocked ? 'words warn' : 'words'
  }">${proseHtml(words)}</span>`
}

const idOf = ({ id }: Block): Html => (id === undefined ? nothing : html`<p class="note">id <code>${id}</code></p>`)

const placeOf = ({ place }: Block): Html =>
  place === undefined ? nothing : html`<p class="note">declared at <code>${placeText(place)}</code></p>`

const alsoOf = ({ also }: Block): Html => {
  if (also.length === 0) return nothing
  const addresses = also.map((address) => html`<code>${address}</code>`)
  return html`<p class="note">the same for ${joined(addresses, ', ')}</p>`
}

const sidesOf = ({ sides }: Block): Html => (sides === undefined ? nothing : html`<p class="note">${sides}</p>`)

/** The number of open rows on a page; the rest is closed. */
const roomForAll = 250
const roomForDestroyed = 2_000

/** Destructive changes are open, up to a readable number; other changes only on a small page. */
export const chooseOpen = (blocks: readonly Block[]): readonly boolean[] => {
  const sizes = blocks.map((block) => 2 + sizeOf(block.rows))
  const isSmall = sizes.reduce((sum, size) => sum + size, 0) <= roomForAll
  let left = roomForDestroyed
  return blocks.map((block, position) => {
    if (isSmall) return true
    if (!block.symbol.includes('-') || left <= 0) return false
    left -= sizes[position] ?? 0
    return true
  })
}

const sizeOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + 1 + sizeOf(row.rows), 0)
