import type { Json, JsonObject } from '../../schema/json.ts'
import type { NumberMark } from '../../schema/value.ts'

/* Offsets count from the start of the text. */

interface TextSpan {
  readonly start: number
  readonly end: number
}

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

export interface ScalarNode extends TextSpan {
  readonly kind: 'scalar'
  /** A number beyond 2^53 is a mark. */
  readonly value: null | boolean | number | string | (JsonObject & NumberMark)
  /** Absent if nothing is written, which means null. */
  readonly style?: ScalarStyle
}

export interface CollectionNode extends TextSpan {
  readonly kind: 'map' | 'list'
  /** `bare`: the only pair of a flow list, written without braces. */
  readonly style: 'block' | 'flow' | 'bare'
  /** Without merge keys. */
  readonly entries: readonly MapEntry[]
  /** Values of the merge keys (`<<`), in order. */
  readonly merged: readonly MapEntry[]
}

interface AliasNode extends TextSpan {
  readonly kind: 'alias'
  readonly target: MapEntry
}

export type SyntaxNode = ScalarNode | CollectionNode | AliasNode

export interface MapEntry {
  /** Offset of the key, the dash or the element. */
  readonly start: number
  /** Offset after the colon or dash and any anchor or tag, where a value can be inserted. */
  readonly head: number
  /** Position of `start` in its line, from 0. */
  readonly column: number
  readonly node: SyntaxNode
  readonly key?: string
  readonly isFlow: boolean
  /** A member of a flow mapping without a colon and a value. */
  readonly lacksColon?: true
}

export interface SyntaxTree {
  readonly text: string
  readonly root: MapEntry
  readonly isJson: boolean
}

export const written = (entry: MapEntry): MapEntry => (entry.node.kind === 'alias' ? written(entry.node.target) : entry)

/** The members of a mapping and of its merge keys. Own members take precedence, then the first merged mapping. */
export const membersOf = (node: CollectionNode): ReadonlyMap<string, MapEntry> => {
  const members = new Map<string, MapEntry>()
  const add = (entries: Iterable<MapEntry>): void => {
    for (const entry of entries) if (!members.has(entry.key ?? '')) members.set(entry.key ?? '', entry)
  }
  add(node.entries)
  for (const source of node.merged) {
    const { node: inner } = written(source)
    if (inner.kind === 'map') add(membersOf(inner).values())
    if (inner.kind !== 'list') continue
    for (const each of inner.entries) {
      const one = written(each).node
      if (one.kind === 'map') add(membersOf(one).values())
    }
  }
  return members
}

export const valueIn = (entry: MapEntry, others: ReadonlyMap<MapEntry, Json> = new Map()): Json => {
  const other = others.get(entry)
  if (other !== undefined) return other
  const { node } = entry
  if (node.kind === 'alias') return valueIn(node.target, others)
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.entries.map((each) => valueIn(each, others))
  return Object.fromEntries([...membersOf(node)].map(([key, member]) => [key, valueIn(member, others)]))
}

/** `undefined` if nothing is written at the path. */
export const entryAt = (root: MapEntry, path: readonly (string | number)[]): MapEntry | undefined => {
  let entry: MapEntry | undefined = root
  for (const step of path) {
    const { node }: MapEntry = written(entry)
    if (node.kind === 'scalar' || node.kind === 'alias') return undefined
    entry = node.kind === 'list' ? node.entries[Number(step)] : membersOf(node).get(String(step))
    if (entry === undefined) return undefined
  }
  return entry
}

/**
 * Offset after the written value. In the same line only a comment, or in a flow collection the next comma, may follow.
 */
export const endOf = ({ node, head }: MapEntry): number => {
  if (node.kind === 'scalar' && node.style === undefined) return head
  const last = node.kind === 'map' || node.kind === 'list' ? node.entries.at(-1) : undefined
  if (!isBlock(node) || last === undefined) return node.end
  // A merge key is not in `entries` and may follow the last of them.
  const merge = node.kind === 'map' ? node.merged.at(-1) : undefined
  return Math.max(endOf(last), merge === undefined ? 0 : endOf(merge))
}

export const isBlock = (node: SyntaxNode): node is CollectionNode =>
  (node.kind === 'map' || node.kind === 'list') && node.style === 'block'

export const isBlockScalar = (node: SyntaxNode): node is ScalarNode =>
  node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded')
