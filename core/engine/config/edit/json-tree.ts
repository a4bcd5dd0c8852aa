import { type Node as JsonNode, parseTree } from 'jsonc-parser'
import { writtenNumber } from '../../values/large-integer.ts'
import type { MapEntry, SyntaxNode } from './syntax-tree.ts'

const nodeOf = (json: JsonNode, text: string): SyntaxNode => {
  const { type, offset: start, length, children = [], value } = json
  const span = { start, end: start + length }
  const collection = { ...span, style: 'flow', merged: [] } as const
  if (type === 'array') return { kind: 'list', ...collection, entries: children.map((each) => entryOf(each, text)) }
  if (type === 'object') return { kind: 'map', ...collection, entries: children.map((each) => memberOf(each, text)) }
  const exact = type === 'number' ? writtenNumber(text.slice(start, start + length), value) : undefined
  return { kind: 'scalar', ...span, value: exact ?? value, style: typeof value === 'string' ? 'double' : 'plain' }
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)

const entryOf = (json: JsonNode, text: string): MapEntry => {
  const { offset } = json
  return { start: offset, head: offset, column: columnOf(text, offset), isFlow: true, node: nodeOf(json, text) }
}

const memberOf = ({ children = [], colonOffset = 0 }: JsonNode, text: string): MapEntry => {
  const [key, value] = children as [JsonNode, JsonNode]
  return { ...entryOf(value, text), start: key.offset, head: colonOffset + 1, key: String(key.value) }
}

export const jsonTree = (text: string): MapEntry | undefined => {
  const json = parseTree(text, [], { allowTrailingComma: true })
  return json && entryOf(json, text)
}
