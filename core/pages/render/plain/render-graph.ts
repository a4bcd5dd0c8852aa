import type { ResourceGraph, ResourceNode } from '../../../engine/schema/stored/graph.ts'
import { present } from '../../../engine/values/defined.ts'
import { visible } from '../characters/visible.ts'
import { actionNames } from '../shared/words.ts'

/* The graph of a workspace for other programs. An arrow leads to what is waited for. */

export const graphFormats = ['mermaid', 'dot'] as const
export type GraphFormat = (typeof graphFormats)[number]

export const renderGraph = (graph: ResourceGraph, format: GraphFormat): string =>
  format === 'dot' ? renderDot(graph) : renderMermaid(graph)

type NodeState = ResourceNode['action'] | 'unchecked'

/** Fill colours that black text can be read on. */
const fills: Readonly<Record<NonNullable<NodeState>, string>> = {
  create: '#c8e6c9',
  update: '#fff3c4',
  replace: '#ffd8b1',
  delete: '#ffcdd2',
  unchecked: '#e1bee7',
}

const stateOf = ({ action, unchecked }: ResourceNode): NodeState => (unchecked ? 'unchecked' : action)

const labelOf = ({ address, action, blocked, unchecked, orphan }: ResourceNode): readonly string[] => {
  const about = present(
    unchecked && 'could not be checked',
    action && `to ${actionNames[action]}${blocked ? ', blocked' : ''}`,
    orphan && 'left the configuration',
  ).join('; ')
  return about === '' ? [visible(address)] : [visible(address), about]
}

/** https://graphviz.org/doc/info/lang.html: only `"` ends a quoted text, and a backslash may hide it. */
const dotText = (text: string): string => `"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const dotLabel = (lines: readonly string[]): string =>
  `"${lines.map((line) => dotText(line).slice(1, -1)).join('\\n')}"`

const renderDot = ({ workspace, nodes, edges }: ResourceGraph): string =>
  [
    `digraph ${dotText(workspace)} {`,
    '  rankdir = "LR"',
    '  node [shape = "box", style = "rounded,filled", fillcolor = "#ffffff"]',
    ...nodes.map((node) => {
      const state = stateOf(node)
      const fill = state === undefined ? '' : `, fillcolor = "${fills[state]}"`
      return `  ${dotText(node.address)} [label = ${dotLabel(labelOf(node))}${fill}]`
    }),
    ...edges.map(({ from, to }) => `  ${dotText(from)} -> ${dotText(to)}`),
    '}',
    '',
  ].join('\n')

/** Everything but letters, digits and a few signs as a character code, which Mermaid reads back in every kind of text. */
const mermaidText = (text: string): string =>
  visible(text).replaceAll(/[^\p{L}\p{N} ._,/-]/gu, (character) => `#${character.codePointAt(0)};`)

/** Ids are numbers: an address may hold words and signs that mean something in Mermaid. */
const renderMermaid = ({ nodes, edges }: ResourceGraph): string => {
  const ids = new Map(nodes.map(({ address }, n) => [address, `n${n}`]))
  const states = Map.groupBy(nodes, stateOf)
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${ids.get(node.address)}["${labelOf(node).map(mermaidText).join('<br/>')}"]`),
    ...edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
    ...[...states].flatMap(([state, group]) =>
      state === undefined
        ? []
        : [
            `  classDef ${state} fill:${fills[state]},color:#000`,
            `  class ${group.map(({ address }) => ids.get(address)).join(',')} ${state}`,
          ],
    ),
    '',
  ].join('\n')
}
