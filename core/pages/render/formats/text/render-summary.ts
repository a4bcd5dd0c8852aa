import { padEnd, widest } from '../../characters/measure.ts'
import { palette } from '../../characters/palette.ts'
import { plain } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'
import type { Block, RenderOptions, Report } from '../../report/report.ts'
import { bySymbol, moduleTree } from './tones.ts'

type SummaryLine = readonly [symbol: string, address: string, words: string]

/** One line a resource, the gravest first, then the counts by module. Nothing is cut: it is meant for grep as well. */
export const renderSummary = (report: Report, options: RenderOptions = {}): string => {
  const paint = palette(options.color)
  const rows = [...blockRows(report), ...entryRows(report)]
  const room = Math.min(48, widest(rows.map(([, address]) => visible(address))))
  const lines = rows.map(([symbol, address, words]) => {
    const told = `${padEnd(visible(address), room)}  ${words}`.trimEnd()
    return `${bySymbol(symbol, paint)(padEnd(symbol, 3))} ${told}`
  })
  return `${[...lines, ...moduleTree(report.modules, paint), `${visible(report.title)}: ${plain(report.headline)}`].join('\n')}\n`
}

/** A move of a changed resource is shown by its change. */
const blockRows = ({ sections }: Report): readonly SummaryLine[] => {
  const changed = new Set(
    sections.filter(({ kind }) => kind === 'changes').flatMap(({ blocks }) => blocks.flatMap(addressesOf)),
  )
  return sections.flatMap(({ kind, blocks }) =>
    blocks.flatMap((block) => {
      const symbol = kind === 'drift' ? '*' : block.symbol
      const words = `${plain(block.words)}${block.brief ?? ''}`
      const told = addressesOf(block).filter((address) => kind !== 'drift' || !changed.has(address))
      return told.map((address): SummaryLine => [symbol, address, words])
    }),
  )
}

const addressesOf = ({ address, also }: Block): readonly string[] => [address, ...also]

const entryRows = ({ lists }: Report): readonly SummaryLine[] =>
  lists.flatMap(({ symbol, title, brief = `${title.toLowerCase()}: `, entries }) =>
    symbol === undefined
      ? []
      : entries.flatMap(({ what, also = [], words }) =>
          [what, ...also].map((each): SummaryLine => [symbol, each, `${brief}${plain(words)}`]),
        ),
  )
