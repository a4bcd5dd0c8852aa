import type { Json } from '../../schema/json.ts'
import { type Draft, insertLines, lineAfter, lineStart, splice, startsLine } from './draft.ts'
import type { Changes, Insertion } from './edit-flow.ts'
import { type CollectionNode, type Entry, endOf, isBlock, isBlockScalar, type ScalarNode } from './syntax-tree.ts'
import { blockEntry, blockValue, flowText, type Written } from './write-value.ts'

/* Members and elements in lines of their own, and single values. */

const spaces = (count: number): string => ' '.repeat(count)

/** Removes and inserts entries of a block that keeps at least one. */
export const changeBlock = (draft: Draft, node: CollectionNode, { removed, inserted }: Changes): void => {
  const { text } = draft.tree
  const survivor = node.entries.findIndex((entry) => !removed.has(entry))
  const isCompact = !startsLine(text, node.entries[0]?.start ?? 0)
  for (const entry of removed) {
    const isFirst = isCompact && node.entries.indexOf(entry) < survivor
    if (isFirst) removeBehindDash(draft, entry)
    else splice(draft, lineStart(text, entry.start), lineAfter(text, entry), '')
  }
  for (const [at, group] of Map.groupBy(inserted, (each) => each.at)) insertEntries(draft, node, at, group)
}

/** The first entry shares its line with the dash of the element: what follows moves there. */
const removeBehindDash = (draft: Draft, entry: Entry): void => {
  const { text } = draft.tree
  const line = lineAfter(text, entry)
  splice(draft, entry.start, line + (/^[ ]*/.exec(text.slice(line))?.[0].length ?? 0), '')
}

const insertEntries = (draft: Draft, node: CollectionNode, at: number, group: readonly Insertion[]): void => {
  const { text } = draft.tree
  const { style } = draft
  const before = node.entries[at - 1]
  const column = node.entries[0]?.column ?? 0
  const written = group.map(({ key, value }) => entryText(draft, node, { key, value, column }))
  const all = written.flatMap(({ inline, lines }) => [spaces(column) + inline, ...lines])
  if (before !== undefined) return insertLines(draft, lineAfter(text, lastPlace(node, before)), all)
  const start = node.entries[0]?.start ?? 0
  if (startsLine(text, start)) return insertLines(draft, lineStart(text, start), all)
  // The first line has the indentation of the entry before which it is inserted.
  const { eol } = style
  const own = written.map(({ inline, lines }) => [inline, ...lines, spaces(column)].join(eol))
  splice(draft, start, start, own.join(''))
}

/** Behind the last member a merge key can follow. */
const lastPlace = (node: CollectionNode, before: Entry): Entry => {
  const merge = node.merged.at(-1)
  return before === node.entries.at(-1) && merge !== undefined && merge.start > before.start ? merge : before
}

interface NewEntry {
  readonly key: string | undefined
  readonly value: Json
  readonly column: number
}

/** Elements look like their neighbours: in brackets if all of them are. */
const entryText = ({ style }: Draft, node: CollectionNode, { key, value, column }: NewEntry): Written => {
  const beside = node.entries.filter((entry) => entry.node.kind === 'map' || entry.node.kind === 'list')
  const isFlow = beside.length > 0 && beside.every((entry) => !isBlock(entry.node))
  const isNested = typeof value === 'object' && value !== null
  if (key === undefined && isFlow && isNested) return { inline: `- ${flowText(value, style)}`, lines: [] }
  return blockEntry(key, value, column, style)
}

/** Writes another value in the place of one that is not inside brackets. */
export const replaceInBlock = (draft: Draft, entry: Entry, value: Json): void => {
  const { text } = draft.tree
  const { node } = entry
  const isElement = entry.key === undefined
  const block = isBlockScalar(node) ? formOfBlock(draft, node) : undefined
  const place = { column: entry.column, isElement }
  const like = node.kind === 'scalar' ? { like: node } : {}
  const written = blockValue(value, { ...place, ...like, ...(block === undefined ? {} : { block }) }, draft.style)
  if (block !== undefined) return replaceBlockText(draft, entry, written)
  if (isBlock(node)) return replaceBlock(draft, entry, node, written)
  const { inline, lines } = written
  if (lines.length === 0 && endOf(entry) > entry.head) return splice(draft, node.start, node.end, inline)
  splice(draft, entry.head, endOf(entry), inline === '' ? '' : ` ${inline}`)
  if (lines.length > 0) insertLines(draft, lineAfter(text, entry), lines)
}

/** Indentation and lines of a text after `|` or `>`. */
const formOfBlock = ({ tree: { text } }: Draft, { start, end, value }: ScalarNode) => {
  const [header = '', ...body] = text.slice(start, end).replaceAll('\r', '').replace(/\n$/, '').split('\n')
  const indicator = /^[|>][+-]?(\d?)/.exec(header)?.[1] ?? ''
  const first = body.find((line) => line.trim() !== '') ?? ''
  const shown = String(value).split('\n').find((line) => line.trim() !== '') ?? ''
  const indent = width(first) - width(shown)
  return { indent, indicator, lines: body.map((line) => line.slice(indent)) }
}

const width = (line: string): number => line.length - line.trimStart().length

/** The comment behind `|` stays. */
const replaceBlockText = (draft: Draft, { head, node }: Entry, { inline, lines }: Written): void => {
  const { text } = draft.tree
  const { eol } = draft.style
  const old = text.slice(node.start, node.end)
  const [header = ''] = old.split(/\r?\n/)
  const rest = header.replace(/^[|>][+\-\d]*/, '').trimEnd()
  const whole = [`${inline === '' ? '' : ` ${inline}`}${rest}`, ...lines].join(eol)
  splice(draft, head, node.end, old.endsWith('\n') ? whole + eol : whole)
}

const replaceBlock = (draft: Draft, entry: Entry, node: CollectionNode, { inline, lines }: Written): void => {
  const { text } = draft.tree
  const { eol } = draft.style
  if (!text.slice(entry.head, node.start).includes('\n')) {
    // It starts in the line of its dash.
    const [first = '', ...others] = inline === '' ? lines : [inline, ...lines]
    const end = endOf(entry)
    const isClosed = text[end - 1] === '\n'
    return splice(draft, node.start, end, [first.trimStart(), ...others].join(eol) + (isClosed ? eol : ''))
  }
  if (inline !== '') splice(draft, entry.head, entry.head, ` ${inline}`)
  // Comments in lines of their own stay.
  for (const [place, each] of [...node.entries, ...node.merged].entries()) {
    const [start, end] = [lineStart(text, each.start), lineAfter(text, each)]
    splice(draft, start, end, place > 0 || lines.length === 0 ? '' : lines.join(eol) + eol)
  }
}
