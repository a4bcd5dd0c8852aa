import type { Json } from '../../schema/json.ts'
import { type EditDraft, isBlank, lineStart, nextLine, type Splice, splice, startsLine } from './draft.ts'
import { type CollectionNode, endOf, type MapEntry } from './syntax-tree.ts'
import { flowText, memberText, prettyText } from './write-value.ts'

/** `at` is the index of the existing entry before which the member or element is inserted. */
export interface Insertion {
  readonly at: number
  readonly key?: string
  readonly value: Json
}

export interface Changes {
  readonly removed: ReadonlySet<MapEntry>
  readonly inserted: readonly Insertion[]
}

/** The offset of the next character that is neither a space nor part of a comment. */
const skipComments = (text: string, from: number, isJson: boolean): number => {
  const pattern = isJson ? /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y : /(?:\s+|(?<=\s)#[^\n]*)*/y
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const commaAfter = ({ tree: { text, isJson } }: EditDraft, entry: MapEntry): number | undefined => {
  const at = skipComments(text, endOf(entry), isJson)
  return text[at] === ',' ? at : undefined
}

const textOf = ({ key, value }: Insertion, draft: EditDraft, node: CollectionNode, indent: string): string => {
  const { style } = draft
  const isPretty = style.isJson && !isSmall(value) && isSpread(draft, node)
  if (isPretty) return `${key === undefined ? '' : `${JSON.stringify(key)}: `}${prettyText(value, indent, style)}`
  return key === undefined ? flowText(value, style) : memberText(key, value, style)
}

const isSmall = (value: Json): boolean => typeof value !== 'object' || value === null || Object.keys(value).length === 0

/** Decided by the first nested collection that is not empty; without one, by the collection itself. */
const isSpread = ({ tree: { text } }: EditDraft, { entries, start, end }: CollectionNode): boolean => {
  const nested = entries.flatMap(({ node }) =>
    (node.kind === 'map' || node.kind === 'list') && node.entries.length > 0 ? [node] : [],
  )
  const [first] = nested
  return first === undefined ? text.slice(start, end).includes('\n') : text.slice(first.start, first.end).includes('\n')
}

const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''

/** For a collection that keeps at least one entry, or that is empty. */
export const changeFlow = (
  draft: EditDraft,
  node: CollectionNode,
  { removed, inserted }: Changes,
): readonly Splice[] => {
  if (node.entries.length === 0) return [fillEmpty(draft, node, inserted)]
  const groups = [...Map.groupBy(inserted, ({ at }) => at)]
  return [
    ...(removed.size === 0 ? [] : removeEntries(draft, node, removed)),
    ...groups.flatMap(([at, group]) => insertEntries(draft, node, at, group)),
  ]
}

const fillEmpty = (draft: EditDraft, node: CollectionNode, inserted: readonly Insertion[]): Splice => {
  const { text } = draft.tree
  const { unit, eol, isSpaced, isPadded, isJson } = draft.style
  const close = node.end - 1
  const outer = indentOf(text, node.start)
  const isWide = isJson && text.trimEnd().includes('\n')
  const parts = inserted.map((each) => textOf(each, draft, node, outer + unit))
  const inner = text.slice(node.start + 1, close)
  if (!isBlank(inner.replaceAll('\n', ''))) {
    const lines = parts.map((part) => `${outer}${unit}${part}`).join(`,${eol}`)
    const at = startsLine(text, close) ? lineStart(text, close) : close
    return splice(at, at, at === close ? `${eol}${lines}${eol}${outer}` : `${lines}${eol}`)
  }
  const gap = isSpaced ? ', ' : ','
  const pad = isPadded[node.kind] ? ' ' : ''
  const whole = isWide
    ? `${eol}${parts.map((part) => outer + unit + part).join(`,${eol}`)}${eol}${outer}`
    : pad + parts.join(gap) + pad
  return splice(node.start + 1, close, whole)
}

const insertEntries = (
  draft: EditDraft,
  node: CollectionNode,
  at: number,
  group: readonly Insertion[],
): readonly Splice[] => {
  const { text } = draft.tree
  const { eol, isSpaced } = draft.style
  const before = node.entries[at - 1]
  const next = node.entries[at]
  const beside = (before ?? next) as MapEntry
  const isLine = startsLine(text, beside.start)
  const indent = indentOf(text, beside.start)
  const parts = group.map((each) => textOf(each, draft, node, isLine ? indent : indentOf(text, node.start)))
  const gap = isSpaced ? ', ' : ','
  if (before === undefined) {
    const { start } = beside
    return [splice(start, start, parts.map((part) => `${part}${isLine ? `,${eol}${indent}` : gap}`).join(''))]
  }
  const end = endOf(before)
  const comma = commaAfter(draft, before)
  const line = nextLine(text, comma ?? end)
  const isLast = isLine && line <= (next?.start ?? node.end - 1)
  if (!isLast) return [splice(end, end, parts.map((part) => gap + part).join(''))]
  const lines = parts.map((part) => indent + part).join(`,${eol}`)
  return comma === undefined
    ? [splice(end, end, ','), splice(line, line, lines + eol)]
    : [splice(line, line, `${lines},${eol}`)]
}

const lineEndOf = (draft: EditDraft, entry: MapEntry): number =>
  nextLine(draft.tree.text, commaAfter(draft, entry) ?? endOf(entry))

const ownsLines = (draft: EditDraft, { entries, end }: CollectionNode, entry: MapEntry): boolean => {
  const { text } = draft.tree
  const following = entries[entries.indexOf(entry) + 1]?.start ?? end - 1
  const isAlone = startsLine(text, entry.start) && startsLine(text, following)
  return isAlone && lineEndOf(draft, entry) <= following
}

const removeEntries = (draft: EditDraft, node: CollectionNode, removed: ReadonlySet<MapEntry>): readonly Splice[] => {
  const { text } = draft.tree
  const { entries } = node
  const left = entries.findLast((entry) => !removed.has(entry)) as MapEntry
  const tail = entries.slice(entries.indexOf(left) + 1)
  const isInline = tail.some((entry) => !ownsLines(draft, node, entry))
  const whole = isInline ? [...removed].filter((entry) => !tail.includes(entry)) : [...removed]
  const others = whole.map((entry) => {
    if (ownsLines(draft, node, entry)) return splice(lineStart(text, entry.start), lineEndOf(draft, entry), '')
    return splice(entry.start, entries[entries.indexOf(entry) + 1]?.start ?? endOf(entry), '')
  })
  return [...others, ...closeBehind(draft, left, tail, isInline)]
}

/** Removes the comma after the entry that becomes the last one, unless the removed last entry had a comma. */
const closeBehind = (
  draft: EditDraft,
  left: MapEntry,
  tail: readonly MapEntry[],
  isInline: boolean,
): readonly Splice[] => {
  const last = tail.at(-1)
  if (last === undefined) return []
  if (isInline) return [splice(endOf(left), endOf(last), '')]
  const comma = commaAfter(draft, left)
  return comma === undefined || commaAfter(draft, last) !== undefined ? [] : [splice(comma, comma + 1, '')]
}
