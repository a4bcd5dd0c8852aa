import { padEnd, widest } from './measure.ts'
import type { RenderOptions } from './options.ts'
import type { Page } from './page.ts'
import type { Palette } from './palette.ts'
import { palette } from './palette.ts'
import { plain } from './prose.ts'
import { visible } from './visible.ts'

type Line = readonly [symbol: string, address: string, words: string]

/** One line a resource, the gravest first. Nothing is cut: it is meant for grep as well. */
export const renderSummary = (page: Page, options: RenderOptions = {}): string => {
  const paint = palette(options.color)
  const rows = [...blockRows(page), ...entryRows(page)]
  const room = Math.min(48, widest(rows.map(([, address]) => visible(address))))
  const lines = rows.map(
    ([symbol, address, words]) =>
      `${bySymbol(symbol, paint)(padEnd(symbol, 3))} ${padEnd(visible(address), room)}  ${words}`,
  )
  return `${[...lines, `${visible(page.title)}: ${plain(page.headline)}`].join('\n')}\n`
}

/** A move outside of what changes anyway is told by that change. */
const blockRows = ({ sections }: Page): readonly Line[] => {
  const changed = new Set(sections.filter(isOfChanges).flatMap(({ blocks }) => blocks.map(({ address }) => address)))
  return sections.flatMap((section) =>
    section.blocks
      .filter((block) => section.kind !== 'drift' || !changed.has(block.address))
      .map(
        (block): Line => [
          section.kind === 'drift' ? '*' : block.symbol,
          block.address,
          `${plain(block.words)}${block.brief ?? ''}`,
        ],
      ),
  )
}

const isOfChanges = ({ kind }: Page['sections'][number]): boolean => kind === 'changes'

const entryRows = ({ lists }: Page): readonly Line[] =>
  lists.flatMap(({ symbol, title, entries }) =>
    symbol === undefined
      ? []
      : entries.map(({ what, words }): Line => [symbol, what, `${title.toLowerCase()}: ${plain(words)}`]),
  )

const bySymbol = (symbol: string, paint: Palette): Palette['red'] =>
  symbol.includes('-') ? paint.red : symbol === '+' ? paint.green : paint.yellow
