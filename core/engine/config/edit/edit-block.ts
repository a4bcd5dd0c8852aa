import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { type EditDraft, insertLines, lineAfter, lineStart, type Splice, splice, startsLine } from './draft.ts'
import type { Changes, Insertion } from './edit-flow.ts'
import { type CollectionNode, endOf, isBlock, isBlockScalar, type MapEntry, type ScalarNode } from './syntax-tree.ts'
import { blockEntry, blockValue, flowText, type Written } from './write-value.ts'

const spaces = (count: number): string => ' '.repeat(count)

/** In the order of the text, with merge keys. */
const placesIn = ({ entries, merged }: CollectionNode): readonly MapEntry[] =>
  [...entries, ...merged].toSorted((one, other) => one.start - other.start)

/** At least one entry or merge key must remain. */
export const changeBlock = (
  draft: EditDraft,
  node: CollectionNode,
  { removed, inserted }: Changes,
): readonly Splice[] => {
  const { text } = draft.tree
  const places = placesIn(node)
  const left = places.findIndex((entry) => !removed.has(entry))
  const isCompact = !startsLine(text, places[0]?.start ?? 0)
  const groups = [...Map.groupBy(inserted, ({ at }) => at)]
  return [
    ...[...removed].map((entry) =>
      isCompact && places.indexOf(entry) < left
        ? removeBehindDash(text, entry)
        : splice(lineStart(text, entry.start), lineAfter(text, entry), ''),
    ),
    ...groups.map(([at, group]) => insertEntries(draft, node, at, group)),
  ]
}

/** The first entry shares its line with the dash of the element, so the entry after it moves to that line. */
const removeBehindDash = (text: string, entry: MapEntry): Splice => {
  const line = lineAfter(text, entry)
  return splice(entry.start, line + (/^[ ]*/.exec(text.slice(line))?.[0].length ?? 0), '')
}

const insertEntries = (draft: EditDraft, node: CollectionNode, at: number, group: readonly Insertion[]): Splice => {
  const { text } = draft.tree
  const { eol } = draft.style
  const places = placesIn(node)
  const column = places[0]?.column ?? 0
  const written = group.map(({ key, value }) => entryText(draft, node, { key, value, column }))
  const lines = written.flatMap(({ inline, lines: below }) => [spaces(column) + inline, ...below])
  const before = at === node.entries.length ? places.at(-1) : node.entries[at - 1]
  if (before !== undefined) return insertLines(draft, lineAfter(text, before), lines)
  const start = places[0]?.start ?? 0
  if (startsLine(text, start)) return insertLines(draft, lineStart(text, start), lines)
  // The insertion starts where the next entry starts, so the first line is already indented.
  return splice(start, start, `${[...lines, spaces(column)].join(eol).slice(column)}`)
}

interface NewEntry {
  readonly key: string | undefined
  readonly value: Json
  readonly column: number
}

/** A new element is written in brackets if all collections beside it are. */
const entryText = ({ style }: EditDraft, node: CollectionNode, { key, value, column }: NewEntry): Written => {
  const beside = node.entries.filter((entry) => entry.node.kind === 'map' || entry.node.kind === 'list')
  const isFlow = beside.length > 0 && beside.every((entry) => !isBlock(entry.node))
  const isNested = typeof value === 'object' && value !== null
  if (key === undefined && isFlow && isNested) return { inline: `- ${flowText(value, style)}`, lines: [] }
  return blockEntry(key, value, column, style)
}

export const replaceInBlock = (draft: EditDraft, entry: MapEntry, value: Json): readonly Splice[] => {
  const { text } = draft.tree
  const { node } = entry
  const block = isBlockScalar(node) ? formOfBlock(text, node) : undefined
  const place = {
    column: entry.column,
    isElement: entry.key === undefined,
    ...(node.kind === 'scalar' ? { like: node } : {}),
    ...defined({ block }),
  }
  const written = blockValue(value, place, draft.style)
  if (block !== undefined) return [replaceBlockText(draft, entry, written)]
  if (isBlock(node)) return replaceBlock(draft, entry, node, written)
  const { inline, lines } = written
  if (lines.length === 0 && endOf(entry) > entry.head) return [splice(node.start, node.end, inline)]
  const first = splice(entry.head, endOf(entry), inline === '' ? '' : ` ${inline}`)
  return lines.length === 0 ? [first] : [first, insertLines(draft, lineAfter(text, entry), lines)]
}

const formOfBlock = (text: string, { start, end, value }: ScalarNode) => {
  const [header = '', ...body] = text.slice(start, end).replaceAll('\r', '').replace(/\n$/, '').split('\n')
  const indicator = /^[|>][+-]?(\d?)/.exec(header)?.[1] ?? ''
  const first = body.find((line) => line.trim() !== '') ?? ''
  const shown =
    String(value)
      .split('\n')
      .find((line) => line.trim() !== '') ?? ''
  const indent = width(first) - width(shown)
  return { indent, indicator, lines: body.map((line) => line.slice(indent)) }
}

const width = (line: string): number => line.length - line.trimStart().length

/** Keeps the comment after `|` or `>`. */
const replaceBlockText = (draft: EditDraft, { head, node }: MapEntry, { inline, lines }: Written): Splice => {
  const { text } = draft.tree
  const { eol } = draft.style
  const old = text.slice(node.start, node.end)
  const [header = ''] = old.split(/\r?\n/)
  const rest = header.replace(/^[|>][+\-\d]*/, '').trimEnd()
  const whole = [`${inline === '' ? '' : ` ${inline}`}${rest}`, ...lines].join(eol)
  return splice(head, node.end, old.endsWith('\n') ? whole + eol : whole)
}

const replaceBlock = (
  draft: EditDraft,
  entry: MapEntry,
  node: CollectionNode,
  { inline, lines }: Written,
): readonly Splice[] => {
  const { text } = draft.tree
  const { eol } = draft.style
  if (!text.slice(entry.head, node.start).includes('\n')) {
    // The first line follows the dash in the same line.
    const [first = '', ...others] = inline === '' ? lines : [inline, ...lines]
    const end = endOf(entry)
    const isClosed = text[end - 1] === '\n'
    return [splice(node.start, end, [first.trimStart(), ...others].join(eol) + (isClosed ? eol : ''))]
  }
  // Removes whole entries only, so that comments in lines of their own stay.
  const others = placesIn(node).map((each, place) => {
    const whole = place > 0 || lines.length === 0 ? '' : lines.join(eol) + eol
    return splice(lineStart(text, each.start), lineAfter(text, each), whole)
  })
  return inline === '' ? others : [splice(entry.head, entry.head, ` ${inline}`), ...others]
}
