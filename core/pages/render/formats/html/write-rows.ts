import type { DiffAction } from '../../../../engine/schema/diff.ts'
import { cutPair, cutWithNote } from '../../characters/measure.ts'
import { type Row, type TextPart, tagsOf } from '../../rows/row.ts'
import { type Html, html, nothing } from './html.ts'

const signs: Readonly<Record<Exclude<DiffAction, 'same'>, Html>> = {
  create: html`<b role="img" aria-label="added">+</b>`,
  update: html`<b role="img" aria-label="changed">~</b>`,
  delete: html`<b role="img" aria-label="removed">-</b>`,
}

const becomes = html` <span role="img" aria-label="becomes">→</span> `

/** Values of more characters are folded: the page shows their length and contains the whole value. */
const foldedFrom = 1_000
/** Columns of what a folded value shows of itself. */
const glimpse = 160

/** Rows as a tree of lists, the changes marked by sign and element. */
export const writeRows = (rows: readonly Row[]): Html =>
  rows.length === 0 ? nothing : html`<ul class="rows">${rows.map(writeRow)}</ul>`

const writeRow = (row: Row): Html => {
  const sign = row.action === 'same' ? nothing : signs[row.action]
  if (row.kind === 'fold') return html`<li class="fold ${row.action}">${sign}<span>${row.label}</span></li>`
  if (row.kind === 'line')
    return html`<li class="line ${row.action}">${sign}${byAction(row.action, markParts(row.parts ?? [{ text: row.label }]))}</li>`
  const inner = writeRows(row.rows)
  const value = writeValue(row)
  if (value === nothing) {
    return html`<li class="group ${row.action}">${sign}<span>${row.label}${tagsHtml(row)}</span>${inner}</li>`
  }
  const label = row.label === '' ? nothing : html`<span>${row.label}</span>`
  return html`<li class="${row.action}">${sign}${label}<div>${value}${tagsHtml(row)}</div>${inner}</li>`
}

const byAction = (action: DiffAction, text: Html): Html => {
  if (action === 'create') return html`<ins>${text}</ins>`
  return action === 'delete' ? html`<del>${text}</del>` : html`<samp>${text}</samp>`
}

const writeValue = (row: Row): Html => {
  const { before, after } = row
  if ((before?.length ?? 0) > foldedFrom || (after?.length ?? 0) > foldedFrom) {
    return html`<details><summary>${shownOf(row, ...cutSides(before, after))}</summary>${shownOf(row, before, after)}</details>`
  }
  return shownOf(row, before, after)
}

type ShownSides = readonly [before: string | undefined, after: string | undefined]

const cutSides = (before: string | undefined, after: string | undefined): ShownSides => {
  if (before !== undefined && after !== undefined) return cutPair(before, after, glimpse)
  const cut = (text: string | undefined) => (text === undefined ? undefined : cutWithNote(text, glimpse))
  return [cut(before), cut(after)]
}

const shownOf = (row: Row, ...[before, after]: ShownSides): Html => {
  if (before === undefined || after === undefined) {
    const only = before ?? after
    return only === undefined ? nothing : byAction(row.action, html`${only}`)
  }
  return html`<del>${sideOf(row, 'before', before)}</del>${becomes}<ins>${sideOf(row, 'after', after)}</ins>`
}

/** What changed within a value is marked where all of the value is shown. */
const sideOf = ({ changed, ...row }: Row, side: 'before' | 'after', shown: string): Html =>
  changed === undefined || shown !== row[side] ? html`${shown}` : markParts(changed[side])

const warnings: Readonly<Record<string, string>> = { 'forces replacement': 'grave', conflict: 'warn' }

const tagsHtml = (row: Row): Html =>
  html`${tagsOf(row).map((tag) => html` <i class="${warnings[tag] ?? 'tag'}">${tag}</i>`)}`

const markParts = (parts: readonly TextPart[]): Html =>
  html`${parts.map(({ text, changed }) => (changed ? html`<mark>${text}</mark>` : html`${text}`))}`
