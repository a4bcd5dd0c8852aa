import {
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
  type Node as YamlNode,
} from 'yaml'
import { writtenNumber } from '../../values/large-integer.ts'
import type { CollectionNode, MapEntry, ScalarNode, SyntaxNode } from './syntax-tree.ts'

interface TreeWalk {
  readonly text: string
  readonly anchors: Map<string, MapEntry>
}

const styles: Readonly<Record<string, NonNullable<ScalarNode['style']>>> = {
  [Scalar.PLAIN]: 'plain',
  [Scalar.QUOTE_SINGLE]: 'single',
  [Scalar.QUOTE_DOUBLE]: 'double',
  [Scalar.BLOCK_LITERAL]: 'literal',
  [Scalar.BLOCK_FOLDED]: 'folded',
}

type SourceToken = CST.SourceToken

const endOfToken = ({ offset, source }: SourceToken): number => offset + source.length

const endOfLast = (tokens: readonly SourceToken[], types: readonly string[]): number | undefined => {
  const last = tokens.findLast(({ type }) => types.includes(type))
  return last && endOfToken(last)
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)

/** A missing value has no range; its span is empty, at `or`. */
const spanOf = (node: YamlNode | null, or: number) => {
  const [start, end] = node?.range ?? [or, or]
  return { start, end }
}

const scalarOf = (node: Scalar | null, at: number): ScalarNode => {
  const span = spanOf(node, at)
  const plain: unknown = node?.value ?? null
  const exact = typeof plain === 'number' ? writtenNumber(node?.source ?? '', plain) : undefined
  const value = (exact ?? plain) as ScalarNode['value']
  const style = styles[node?.type ?? Scalar.PLAIN] ?? 'plain'
  return { kind: 'scalar', ...span, value, ...(span.start === span.end ? {} : { style }) }
}

const nodeOf = (node: YamlNode | null, at: number, walk: TreeWalk): SyntaxNode => {
  if (isMap(node)) return mapOf(node, walk)
  if (isSeq(node)) return listOf(node, walk)
  const target = isAlias(node) ? walk.anchors.get(node.source) : undefined
  if (target !== undefined) return { kind: 'alias', ...spanOf(node, at), target }
  return scalarOf(isScalar(node) ? node : null, at)
}

/** Registers the anchor after its value is complete, as loading does. */
const entryOf = (node: YamlNode | null, place: Omit<MapEntry, 'node' | 'column'>, walk: TreeWalk): MapEntry => {
  const column = columnOf(walk.text, place.start)
  const entry: MapEntry = { ...place, column, node: nodeOf(node, place.head, walk) }
  if (node !== null && !isAlias(node) && node.anchor !== undefined) walk.anchors.set(node.anchor, entry)
  return entry
}

const keyOf = (key: unknown): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : ''

const isMerge = ({ key }: Pair): boolean =>
  isScalar(key) && key.value === '<<' && (key.type === undefined || key.type === Scalar.PLAIN)

const propsOfKey = ['anchor', 'tag', 'explicit-key-ind']
const propsOfValue = ['map-value-ind', 'anchor', 'tag']

const memberOf = (pair: Pair, isFlow: boolean, walk: TreeWalk): MapEntry => {
  const token = (pair as { srcToken?: { start?: SourceToken[]; sep?: SourceToken[] } }).srcToken
  const { start, end } = spanOf(pair.key as YamlNode | null, 0)
  const first = token?.start?.find(({ type }) => propsOfKey.includes(type))?.offset ?? start
  const head = endOfLast(token?.sep ?? [], propsOfValue)
  const place = { start: first, head: head ?? end, isFlow, key: keyOf(pair.key) }
  const lacksColon = head === undefined ? { lacksColon: true as const } : {}
  return entryOf(pair.value as YamlNode | null, { ...place, ...lacksColon }, walk)
}

const mapOf = (map: YAMLMap, walk: TreeWalk): CollectionNode => {
  const span = spanOf(map, 0)
  const isFlow = map.flow === true
  const all = map.items.map((pair) => ({ isMerge: isMerge(pair), entry: memberOf(pair, isFlow, walk) }))
  const style = isFlow ? (walk.text[span.start] === '{' ? 'flow' : 'bare') : 'block'
  return {
    kind: 'map',
    ...span,
    style,
    entries: all.flatMap((each) => (each.isMerge ? [] : [each.entry])),
    merged: all.flatMap((each) => (each.isMerge ? [each.entry] : [])),
  }
}

const listOf = (list: YAMLSeq, walk: TreeWalk): CollectionNode => {
  const { items: tokens } = list.srcToken as { items: readonly { start: SourceToken[] }[] }
  const isFlow = list.flow === true
  const entries = list.items.map((item, index) => {
    const node = item as YamlNode | null
    const own = tokens[index]?.start ?? []
    const { start } = spanOf(node, endOfLast(own, ['comma', 'space']) ?? 0)
    const dash = own.find(({ type }) => type === 'seq-item-ind')
    const first = isFlow ? own.find(({ type }) => type === 'anchor' || type === 'tag') : dash
    const head = isFlow ? start : (endOfLast(own, ['seq-item-ind', 'anchor', 'tag']) ?? start)
    return entryOf(node, { start: first?.offset ?? start, head, isFlow }, walk)
  })
  return { kind: 'list', ...spanOf(list, 0), style: isFlow ? 'flow' : 'block', entries, merged: [] }
}

/** The text must be one that loading accepts. `undefined` if it has no value. */
export const yamlTree = (text: string): MapEntry | undefined => {
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', keepSourceTokens: true } as const
  const [document] = [...parseAllDocuments(text, options)]
  const contents = document?.contents as YamlNode | null | undefined
  if (contents === null || contents === undefined) return undefined
  const { start } = spanOf(contents, 0)
  return entryOf(contents, { start, head: start, isFlow: false }, { text, anchors: new Map() })
}
