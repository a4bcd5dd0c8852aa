import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResourceGraph } from '../../../core/engine/schema/stored/graph.ts'
import { visible } from '../../../core/pages/render/characters/visible.ts'
import { renderGraph } from '../../../core/pages/render/plain/render-graph.ts'
import { lawRuns } from '../../builders/laws.ts'

const graph: ResourceGraph = {
  workspace: 'acme-dns',
  nodes: [
    { address: 'module.eu["a"].pdns_zone.main', type: 'pdns_zone', action: 'create' },
    { address: 'pdns_record.www', type: 'pdns_record', action: 'delete', blocked: true, orphan: true },
    { address: 'pdns_zone.lab', type: 'pdns_zone', unchecked: true },
    { address: 'pdns_zone.main', type: 'pdns_zone' },
  ],
  edges: [{ from: 'pdns_record.www', to: 'pdns_zone.main' }],
}

const address = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    'a_b["x\\"y"]',
    'a\\',
    'a"',
    '"',
    '\\"',
    'a\nb',
    '%%{init}%%',
    '`x`',
    '#quot;',
    '<b>',
    'end',
    '&amp;',
  ),
)

const graphs = fc.uniqueArray(address, { minLength: 1, maxLength: 6, selector: visible }).chain((addresses) => {
  const one = fc.constantFrom(...addresses)
  return fc.record({
    workspace: fc.constant('w'),
    nodes: fc.constant(addresses.map((each) => ({ address: each, type: 'a_b' }))),
    edges: fc.array(fc.record({ from: one, to: one }), { maxLength: 6 }),
  })
})

/** The quoted texts of a line of DOT, and what is between them. */
const dotTokens = (line: string) => {
  const texts: string[] = []
  const rest = line.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    texts.push(inner.replaceAll(/\\(.)/g, (__, each: string) => (each === 'n' ? '\n' : each)))
    return 'T'
  })
  return { texts, rest }
}

describe('a graph', () => {
  it('is printed as DOT', () => {
    expect(renderGraph(graph, 'dot')).toBe(String.raw`digraph "acme-dns" {
  rankdir = "LR"
  node [shape = "box", style = "rounded,filled", fillcolor = "#ffffff"]
  "module.eu[\"a\"].pdns_zone.main" [label = "module.eu[\"a\"].pdns_zone.main\nto create", fillcolor = "#c8e6c9"]
  "pdns_record.www" [label = "pdns_record.www\nto destroy, blocked; left the configuration", fillcolor = "#ffcdd2"]
  "pdns_zone.lab" [label = "pdns_zone.lab\ncould not be checked", fillcolor = "#e1bee7"]
  "pdns_zone.main" [label = "pdns_zone.main"]
  "pdns_record.www" -> "pdns_zone.main"
}
`)
  })

  it('is printed as Mermaid', () => {
    expect(renderGraph(graph, 'mermaid')).toBe(`flowchart LR
  n0["module.eu#91;#34;a#34;#93;.pdns_zone.main<br/>to create"]
  n1["pdns_record.www<br/>to destroy, blocked#59; left the configuration"]
  n2["pdns_zone.lab<br/>could not be checked"]
  n3["pdns_zone.main"]
  n1 --> n3
  classDef create fill:#c8e6c9,color:#000
  class n0 create
  classDef delete fill:#ffcdd2,color:#000
  class n1 delete
  classDef unchecked fill:#e1bee7,color:#000
  class n2 unchecked
`)
  })

  it('law: has each address as one quoted text in DOT, whatever is in it', () => {
    fc.assert(
      fc.property(graphs, (given) => {
        const lines = renderGraph(given, 'dot').split('\n').map(dotTokens)
        const nodes = lines.filter(({ rest }) => /^ {2}T \[label = T\]$/.test(rest))
        expect(nodes.map(({ texts }) => texts)).toEqual(
          given.nodes.map(({ address: each }) => [visible(each), visible(each)]),
        )
        const edges = lines.filter(({ rest }) => rest === '  T -> T').map(({ texts }) => texts)
        expect(edges).toEqual(given.edges.map(({ from, to }) => [visible(from), visible(to)]))
        expect(lines).toHaveLength(given.nodes.length + given.edges.length + 5)
      }),
      lawRuns(1_000),
    )
  })

  it('law: has each address in Mermaid as one text of letters, digits and codes that read back as the address', () => {
    fc.assert(
      fc.property(graphs, (given) => {
        const lines = renderGraph(given, 'mermaid').split('\n')
        const shown = lines.flatMap((line) => {
          const [, text] = /^ {2}n\d+\["([\p{L}\p{N} ._,/#;-]*)"\]$/u.exec(line) ?? []
          return text === undefined
            ? []
            : [text.replaceAll(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))]
        })
        expect(shown).toEqual(given.nodes.map(({ address: each }) => visible(each)))
        expect(lines).toHaveLength(given.nodes.length + given.edges.length + 2)
      }),
      lawRuns(1_000),
    )
  })
})
