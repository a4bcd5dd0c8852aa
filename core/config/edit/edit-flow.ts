import type { Json } from '../../schema/json.ts'
import { type Draft, isBlank, lineStart, nextLine, splice, startsLine } from './draft.ts'
import { type CollectionNode, type Entry, endOf } from './syntax-tree.ts'
import { flowText, memberText, prettyText } from './write-value.ts'

/* Members and elements inside `{ }` and `[ ]`. */

/** A new member, or an element, before the entry at `at` of those that exist. */
export interface Insertion {
  readonly at: number
  readonly key?: string
  readonly value: Json
}

export interface Changes {
  readonly removed: ReadonlySet<Entry>
  readonly inserted: readonly Insertion[]
}

/** The offset of the next character that belongs to no comment and is no space. */
const skipComments = (text: string, from: number, isJson: boolean): number => {
  const pattern = isJson ? /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y : /(?:\s+|(?<=\s)#[^\n]*)*/y
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

/** The offset of the comma behind an entry; `undefined` if the collection ends there. */
const commaAfter = ({ tree: { text, isJson } }: Draft, entry: Entry): number | undefined => {
  const at = skipComments(text, endOf(entry), isJson)
  return text[at] === ',' ? at : undefined
}

const textOf = ({ key, value }: Insertion, draft: Draft, node: CollectionNode, indent: string): string => {
  const { style } = draft
  const isPretty = style.isJson && !isSmall(value) && isSpread(draft, node)
  if (isPretty) return `${key === undefined ? '' : `${JSON.stringify(key)}: `}${prettyText(value, indent, style)}`
  return key === undefined ? flowText(value, style) : memberText(key, value, style)
}

const isSmall = (value: Json): boolean => typeof value !== 'object' || value === null || Object.keys(value).length === 0

/** Whether its elements of several values have lines of their own, inside too. */
const isSpread = ({ tree: { text } }: Draft, { entries, start, end }: CollectionNode): boolean => {
  const nested = entries.flatMap(({ node }) => (node.kind === 'map' || node.kind === 'list') && node.entries.length > 0 ? [node] : [])
  const [first] = nested
  return first === undefined ? text.slice(start, end).includes('\n') : text.slice(first.start, first.end).includes('\n')
}

const indentOf = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''

/** Removes and inserts entries of a collection that keeps at least one, or that has none. */
export const changeFlow = (draft: Draft, node: CollectionNode, { removed, inserted }: Changes): void => {
  if (node.entries.length === 0) return fillEmpty(draft, node, inserted)
  if (removed.size > 0) removeEntries(draft, node, removed)
  for (const [at, group] of Map.groupBy(inserted, (each) => each.at)) insertEntries(draft, node, at, group)
}

const fillEmpty = (draft: Draft, node: CollectionNode, inserted: readonly Insertion[]): void => {
  const { text } = draft.tree
  const { unit, eol, isSpaced, isPadded, isJson } = draft.style
  const close = node.end - 1
  const outer = indentOf(text, node.start)
  const isWide = isJson && text.includes('\n') && isSpaced
  const parts = inserted.map((each) => textOf(each, draft, node, outer + unit))
  const inner = text.slice(node.start + 1, close)
  if (!isBlank(inner.replaceAll('\n', ''))) {
    const lines = parts.map((part) => `${outer}${unit}${part}`).join(`,${eol}`)
    const at = startsLine(text, close) ? lineStart(text, close) : close
    return splice(draft, at, at, at === close ? `${eol}${lines}${eol}${outer}` : `${lines}${eol}`)
  }
  const gap = isSpaced ? ', ' : ','
  const pad = isPadded[node.kind] ? ' ' : ''
  const whole = isWide
    ? `${eol}${parts.map((part) => outer + unit + part).join(`,${eol}`)}${eol}${outer}`
    : pad + parts.join(gap) + pad
  splice(draft, node.start + 1, close, whole)
}

const insertEntries = (draft: Draft, node: CollectionNode, at: number, group: readonly Insertion[]): void => {
  const { text } = draft.tree
  const { eol, isSpaced } = draft.style
  const before = node.entries[at - 1]
  const next = node.entries[at]
  const beside = (before ?? next) as Entry
  const isLine = startsLine(text, beside.start)
  const indent = indentOf(text, beside.start)
  const parts = group.map((each) => textOf(each, draft, node, isLine ? indent : indentOf(text, node.start)))
  const gap = isSpaced ? ', ' : ','
  if (before === undefined) {
    const start = beside.start
    return splice(draft, start, start, parts.map((part) => `${part}${isLine ? `,${eol}${indent}` : gap}`).join(''))
  }
  const end = endOf(before)
  const comma = commaAfter(draft, before)
  const line = nextLine(text, comma ?? end)
  const isLast = isLine && line <= (next?.start ?? node.end - 1)
  if (!isLast) return splice(draft, end, end, parts.map((part) => gap + part).join(''))
  if (comma === undefined) splice(draft, end, end, ',')
  const last = comma === undefined ? '' : ','
  splice(draft, line, line, `${parts.map((part) => indent + part).join(`,${eol}`)}${last}${eol}`)
}

/** Whole lines where the entry has them for itself. */
const removeEntries = (draft: Draft, node: CollectionNode, removed: ReadonlySet<Entry>): void => {
  const { text } = draft.tree
  const { entries } = node
  const survivors = entries.filter((entry) => !removed.has(entry))
  const lastLeft = survivors.at(-1) as Entry
  const isTail = (entry: Entry): boolean => entry.start > lastLeft.start
  const ownsLines = (entry: Entry): boolean => {
    const place = entries.indexOf(entry)
    const following = entries[place + 1]?.start ?? node.end - 1
    const line = nextLine(text, commaAfter(draft, entry) ?? endOf(entry))
    return startsLine(text, entry.start) && line <= following && startsLine(text, following)
  }
  const tail = entries.filter(isTail)
  const hasComma = tail.length > 0 && commaAfter(draft, entries.at(-1) as Entry) !== undefined
  const areLines = tail.every(ownsLines)
  const [firstTail] = tail
  if (firstTail !== undefined && !areLines) splice(draft, endOf(lastLeft), endOf(entries.at(-1) as Entry), '')
  const comma = commaAfter(draft, lastLeft)
  if (firstTail !== undefined && areLines && !hasComma && comma !== undefined) splice(draft, comma, comma + 1, '')
  for (const entry of removed) {
    if (isTail(entry) && !areLines) continue
    const next = entries[entries.indexOf(entry) + 1]
    if (ownsLines(entry))
      splice(draft, lineStart(text, entry.start), nextLine(text, commaAfter(draft, entry) ?? endOf(entry)), '')
    else splice(draft, entry.start, next?.start ?? endOf(entry), '')
  }
}
