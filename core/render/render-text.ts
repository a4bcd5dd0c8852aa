import type { DiffAction } from '../schema/diff.ts'
import type { Change, Plan } from '../schema/plan.ts'
import type { Context } from './lay-out-change.ts'
import { byRisk, contextOf, driftToShow, layOutChange, layOutDrift } from './lay-out-change.ts'
import type { List } from './lists.ts'
import { listsOf } from './lists.ts'
import { columns, padEnd, padStart, widest, wrap } from './measure.ts'
import type { RenderOptions } from './options.ts'
import type { Palette } from './palette.ts'
import { palette } from './palette.ts'
import { printRows } from './print-rows.ts'
import { plain } from './prose.ts'
import { defaultWidth, renderCommands } from './render-commands.ts'
import type { Tally } from './tally.ts'
import { talliesOf } from './tally.ts'
import { visible } from './visible.ts'
import { changeWords, headline, names, symbolOf } from './words.ts'

interface Page {
  readonly paint: Palette
  readonly width: number
}

/** For a terminal or a mail; works without colour. */
export const renderText = (plan: Plan, options: RenderOptions = {}): string => {
  const page = { paint: palette(options.color), width: Math.max(60, options.width ?? defaultWidth) }
  const context = contextOf(plan)
  return [
    title(plan, page, options.at),
    ...tallySection(talliesOf(plan), page),
    ...byRisk(plan.changes).flatMap((change) => ['', ...changeBlock(change, context, page)]),
    ...driftSection(plan, page),
    ...listsOf(plan).flatMap((list) => listSection(list, page)),
    ...commandSection(plan, page, options),
    '',
  ].join('\n')
}

const title = (plan: Plan, { paint }: Page, at?: string): string => {
  const colour = plan.changes.length > 0 || plan.drift.length > 0 ? paint.yellow : plan.inSync ? paint.green : paint.red
  const time = at === undefined ? '' : paint.dim(`  (checked ${visible(at)})`)
  return `${paint.bold(visible(plan.workspace))}: ${paint.bold(colour(headline(plan)))}${time}`
}

const tallySection = (tallies: readonly Tally[], page: Page): string[] => {
  if (tallies.length === 0) return []
  const digits = widest(tallies.map((row) => row.n.toLocaleString('en')))
  const words = widest(tallies.map((row) => row.words))
  return [
    '',
    ...tallies.flatMap((row) => {
      const n = padStart(row.n.toLocaleString('en'), digits)
      const head = `  ${byColour(row.symbol, page.paint)(padEnd(row.symbol, 3))}  ${n} ${padEnd(row.words, words)}`
      const lines = addressLines(row, page.width - (digits + words + 10))
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

const changeBlock = (change: Change, context: Context, page: Page): string[] => {
  const { paint, width } = page
  const symbol = symbolOf(change)
  const address = visible(change.address)
  const words = plain(changeWords(change, context.vanished.has(change.address)))
  const tone = change.blocked === undefined ? (text: string) => text : paint.yellow
  const place = change.position
  // Beside the address where the words have room there, else below.
  const margin = columns(address) + 7
  const isBeside = margin + 40 <= width || margin + columns(words) <= width
  const lines = wrap(words, isBeside ? width - margin : width - 5).map(tone)
  const below = (isBeside ? lines.slice(1) : lines).map((line) => `${' '.repeat(isBeside ? margin : 5)}${line}`)
  return [
    ` ${byColour(symbol, paint)(padStart(symbol, 3))} ${paint.bold(address)}${isBeside ? `  ${lines[0] ?? ''}` : ''}`,
    ...below,
    ...(place ? [`     ${paint.dim(visible(`${place.file}:${place.line}:${place.column}`))}`] : []),
    ...printRows(layOutChange(change, context), rowStyle(page)),
  ]
}

const marks: Readonly<Record<DiffAction, string>> = { create: '+', delete: '-', update: '~', same: ' ' }

const rowStyle = ({ paint, width }: Page) => ({
  paint,
  width,
  line: (action: DiffAction, depth: number, text: string): string => {
    const mark = marks[action]
    return `${' '.repeat(5 + 2 * depth)}${action === 'same' ? mark : byColour(mark, paint)(mark)} ${text}`.trimEnd()
  },
})

const driftSection = (plan: Plan, page: Page): string[] => {
  const shown = driftToShow(plan)
  if (shown.length === 0) return []
  return [
    '',
    heading(shown.length < plan.drift.length ? 'Also drifted outside' : 'Drifted outside', shown.length, page),
    ...shown.flatMap((drift) => [
      ` ${page.paint.yellow(drift.kind === 'deleted' ? '  -' : '  ~')} ${page.paint.bold(visible(drift.address))}  ${
        drift.kind === 'deleted' ? 'was deleted' : 'was changed'
      } (last agreed -> now)`,
      ...printRows(layOutDrift(drift), rowStyle(page)),
    ]),
  ]
}

const heading = (words: string, n: number, { paint }: Page): string =>
  `${paint.bold(words)} ${paint.dim(`(${n.toLocaleString('en')})`)}`

const listSection = ({ title: words, entries }: List, page: Page): string[] => {
  const room = Math.min(36, widest(entries.map((entry) => visible(entry.what))))
  return [
    '',
    heading(words, entries.length, page),
    ...entries.flatMap(({ what, words: about }) => {
      const head = `  ${padEnd(visible(what), room)}  `
      const [first = '', ...rest] = wrap(plain(about), Math.max(32, page.width - columns(head)))
      return [`${head}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(room + 4)}${line}`)]
    }),
  ]
}

const commandSection = (plan: Plan, page: Page, options: RenderOptions): string[] => {
  const { paint } = page
  if (plan.commands.length === 0) return []
  return [
    '',
    `${heading('Commands', plan.commands.length, page)} ${paint.dim('exactly these are sent, in this order')}`,
    renderCommands(plan.commands, { ...options, width: page.width }).trimEnd(),
    '',
    'To apply exactly these commands, approve their digest:',
    `  plumbline apply ${visible(plan.workspace)} --digest ${paint.bold(visible(plan.digests.commands))}`,
  ]
}
