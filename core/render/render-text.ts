import type { DiffAction } from '../schema/diff.ts'
import type { List } from './lists.ts'
import { columns, padEnd, padStart, widest, wrap } from './measure.ts'
import type { RenderOptions } from './options.ts'
import type { Block, Page, Section } from './page.ts'
import type { Palette } from './palette.ts'
import { palette } from './palette.ts'
import { printRows } from './print-rows.ts'
import { plain } from './prose.ts'
import { defaultWidth, renderCommands } from './render-commands.ts'
import type { Tally } from './tally.ts'
import { visible } from './visible.ts'
import { names } from './words.ts'

interface Sheet {
  readonly paint: Palette
  readonly width: number
}

/** For a terminal or a mail; works without colour. */
export const renderText = (page: Page, options: RenderOptions = {}): string => {
  const sheet = { paint: palette(options.color), width: Math.max(60, options.width ?? defaultWidth) }
  return [
    title(page, sheet),
    ...tallySection(page.tallies, sheet),
    ...page.sections.flatMap((section) => sectionLines(section, sheet)),
    ...page.lists.flatMap((list) => listSection(list, sheet)),
    ...commandSection(page, sheet, options),
    '',
  ].join('\n')
}

const title = (page: Page, { paint }: Sheet): string => {
  const colour = { good: paint.green, change: paint.yellow, unknown: paint.red }[page.tone]
  const time = page.at === undefined ? '' : paint.dim(`  (checked ${visible(page.at)})`)
  return `${paint.bold(visible(page.title))}: ${paint.bold(colour(plain(page.headline)))}${time}`
}

const tallySection = (tallies: readonly Tally[], sheet: Sheet): string[] => {
  if (tallies.length === 0) return []
  const digits = widest(tallies.map((row) => row.n.toLocaleString('en')))
  const words = widest(tallies.map((row) => row.words))
  return [
    '',
    ...tallies.flatMap((row) => {
      const n = padStart(row.n.toLocaleString('en'), digits)
      const head = `  ${byColour(row.symbol, sheet.paint)(padEnd(row.symbol, 3))}  ${n} ${padEnd(row.words, words)}`
      const lines = addressLines(row, sheet.width - (digits + words + 10))
      const margin = ' '.repeat(digits + words + 10)
      const [first = '', ...rest] = lines
      return [first === '' ? head.trimEnd() : `${head}  ${first}`, ...rest.map((line) => `${margin}${line}`)]
    }),
  ]
}

/** What destroys is named to the last address; the rest in one line. */
const addressLines = ({ symbol, addresses }: Tally, width: number): readonly string[] => {
  const room = Math.max(24, width)
  if (symbol.includes('-')) return wrap(addresses.join(', '), room)
  let most = addresses.length
  let line = names(addresses, most)
  while (most > 1 && columns(line) > room) {
    most = Math.min(most - 1, Math.ceil(room / 4))
    line = names(addresses, most)
  }
  return [line]
}

const byColour = (symbol: string, paint: Palette): Palette['red'] => {
  if (symbol.includes('-')) return paint.red
  if (symbol === '+') return paint.green
  return symbol === '' ? paint.dim : paint.yellow
}

const sectionLines = (section: Section, sheet: Sheet): string[] => {
  const blocks = section.blocks.map((block) => blockLines(block, sheet))
  if (section.title === undefined) return blocks.flatMap((lines) => ['', ...lines])
  return ['', heading(section.title, section.blocks.length, sheet), ...blocks.flat()]
}

const blockLines = (block: Block, sheet: Sheet): string[] => {
  const { paint, width } = sheet
  const address = visible(block.address)
  const words = `${plain(block.words)}${block.sides === undefined ? '' : ` (${block.sides})`}`
  const tone = block.blocked ? paint.yellow : (text: string) => text
  // Beside the address where the words have room there, else below.
  const margin = columns(address) + 7
  const isBeside = margin + 40 <= width || margin + columns(words) <= width
  const lines = wrap(words, isBeside ? width - margin : width - 5).map(tone)
  const below = (isBeside ? lines.slice(1) : lines).map((line) => `${' '.repeat(isBeside ? margin : 5)}${line}`)
  const symbol = byTone(block.tone, paint)(padStart(block.symbol, 3))
  return [
    ` ${symbol} ${paint.bold(address)}${isBeside ? `  ${lines[0] ?? ''}` : ''}`,
    ...below,
    ...(block.place === undefined ? [] : [`     ${paint.dim(visible(block.place))}`]),
    ...printRows(block.rows, rowStyle(sheet)),
  ]
}

const byTone = (tone: Block['tone'], paint: Palette): Palette['red'] =>
  ({ create: paint.green, update: paint.yellow, delete: paint.red, other: paint.cyan })[tone]

const marks: Readonly<Record<DiffAction, string>> = { create: '+', delete: '-', update: '~', same: ' ' }

const rowStyle = ({ paint, width }: Sheet) => ({
  paint,
  width,
  line: (action: DiffAction, depth: number, text: string): string => {
    const mark = marks[action]
    return `${' '.repeat(5 + 2 * depth)}${action === 'same' ? mark : byColour(mark, paint)(mark)} ${text}`.trimEnd()
  },
})

const heading = (words: string, n: number, { paint }: Sheet): string =>
  `${paint.bold(words)} ${paint.dim(`(${n.toLocaleString('en')})`)}`

const listSection = ({ title: words, entries }: List, sheet: Sheet): string[] => {
  const room = Math.min(36, widest(entries.map((entry) => visible(entry.what))))
  return [
    '',
    heading(words, entries.length, sheet),
    ...entries.flatMap(({ what, words: about }) => {
      const head = `  ${padEnd(visible(what), room)}  `
      const [first = '', ...rest] = wrap(plain(about), Math.max(32, sheet.width - columns(head)))
      return [`${head}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(room + 4)}${line}`)]
    }),
  ]
}

const commandSection = ({ commands }: Page, sheet: Sheet, { color }: RenderOptions): string[] => {
  const { paint, width } = sheet
  if (commands === undefined) return []
  const { list, workspace, digest } = commands
  return [
    '',
    `${heading('Commands', list.length, sheet)} ${paint.dim('exactly these are sent, in this order')}`,
    renderCommands(list, { ...(color === undefined ? {} : { color }), width }).trimEnd(),
    '',
    'To apply exactly these commands, approve their digest:',
    `  plumbline apply ${visible(workspace)} --digest ${paint.bold(visible(digest))}`,
  ]
}
