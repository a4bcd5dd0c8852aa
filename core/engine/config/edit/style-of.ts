import { isBlock, type MapEntry, type SyntaxTree } from './syntax-tree.ts'
import type { Style } from './write-value.ts'

const firstIn = (entry: MapEntry, of: (entry: MapEntry) => string | undefined): string | undefined => {
  let level: readonly MapEntry[] = [entry]
  while (level.length > 0) {
    for (const each of level) {
      const found = of(each)
      if (found !== undefined) return found
    }
    level = level.flatMap(({ node }) => (node.kind === 'map' || node.kind === 'list' ? node.entries : []))
  }
  return undefined
}

/** Spaces between the column of a key and the column of the entries in its nested block. */
const indentOf =
  (kind: 'map' | 'list', least: number) =>
  ({ column, key, node }: MapEntry): string | undefined => {
    if (node.kind !== kind || !isBlock(node) || key === undefined) return undefined
    const [first] = node.entries
    const depth = (first?.column ?? -1) - column
    return depth >= least ? ' '.repeat(depth) : undefined
  }

/**
 * Decided by the first collection in brackets that is not empty. Without one, YAML mappings have spaces and all others
 * have none.
 */
const isPadded = ({ text, root, isJson }: SyntaxTree, kind: 'map' | 'list'): boolean => {
  const found = firstIn(root, ({ node }) => {
    const first = node.kind === kind && node.style === 'flow' ? text[node.start + 1] : undefined
    return first === undefined || '\r\n}]'.includes(first) ? undefined : first
  })
  return found === undefined ? kind === 'map' && !isJson : found === ' '
}

const jsonUnit = (text: string): string => /[{[][ \t]*\r?\n([ \t]+)/.exec(text)?.[1] ?? '  '

export const styleOf = (tree: SyntaxTree, isSafe: boolean): Style => {
  const { text, root, isJson } = tree
  const unit = isJson ? jsonUnit(text) : (firstIn(root, indentOf('map', 1)) ?? '  ')
  return {
    isJson,
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    unit,
    listIndent: firstIn(root, indentOf('list', 0)) ?? unit,
    isSpaced: !isJson || text.trimEnd().includes('\n') || /":\s/.test(text),
    isPadded: { map: isPadded(tree, 'map'), list: isPadded(tree, 'list') },
    isSafe,
  }
}
