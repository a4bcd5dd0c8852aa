import type { DiffAction } from '../../../../engine/schema/diff.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { placeText } from '../../../../engine/values/diagnose.ts'
import { columns, padEnd, padStart, widest, wrap, wrapList } from '../../characters/measure.ts'
import { type Palette, palette } from '../../characters/palette.ts'
import { plain, thousands } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'
import { defaultWidth, renderCommands } from '../../plain/render-commands.ts'
import { foldShapes } from '../../report/fold-shapes.ts'
import { countIn, type ReportList } from '../../report/lists.ts'
import { type Block, type RenderOptions, type Report, resourcesIn, type Section } from '../../report/report.ts'
import type { Tally } from '../../report/tally.ts'
import { printRows } from '../../rows/print-rows.ts'
import { selectionFlags } from '../../shared/selection-words.ts'
import { names, sentWords } from '../../shared/words.ts'
import { bySymbol, byTone, moduleTree } from './tones.ts'

interface TextStyle {
  readonly paint: Palette
  readonly width: number
  /** Lines for names that stand together. */
  readonly nameLines: number
}

/** At a terminal a reader sees the beginning of many names, and a pipe has them all. */
const briefLines = 2

/** For a terminal or a mail; works without colour. */
export const renderText = (whole: Report, options: RenderOptions = {}): string => {
  const { brief = false, width = defaultWidth } = options
  const report = brief ? foldShapes(whole) : whole
  const nameLines = brief ? briefLines : Number.POSITIVE_INFINITY
  const style = { paint: palette(options.color), width: Math.max(60, width), nameLines }
  return [
    title(report, style),
    ...noteLines(report, style),
    ...tallySection(report.tallies, style),
    ...moduleSection(report, style),
    ...report.sections.flatMap((section) => sectionLines(section, style)),
    ...report.lists.flatMap((list) => listSection(list, style)),
    ...commandSection(report, style, options),
    '',
  ].join('\n')
}

const title = (report: Report, { paint }: TextStyle): string => {
  const colour = { good: paint.green, change: paint.yellow, unknown: paint.red }[report.tone]
  const time = report.at === undefined ? '' : paint.dim(`  (checked ${visible(report.at)})`)
  return `${paint.bold(visible(report.title))}: ${paint.bold(colour(plain(report.headline)))}${time}`
}

const noteLines = ({ notes }: Report, { paint, width }: TextStyle): string[] =>
  notes.flatMap((note) =>
    wrap(plain(note), width - 4).map((line, position) => paint.yellow(`${position === 0 ? '  ! ' : '    '}${line}`)),
  )

const moduleSection = ({ modules }: Report, { paint }: TextStyle): string[] =>
  modules.length === 0 ? [] : ['', paint.bold('By module'), ...moduleTree(modules, paint)]

const tallySection = (tallies: readonly Tally[], style: TextStyle): string[] => {
  if (tallies.length === 0) return []
  const digits = widest(tallies.map((row) => thousands(row.n)))
  const words = widest(tallies.map((row) => row.words))
  return [
    '',
    ...tallies.flatMap((row) => {
      const n = padStart(thousands(row.n), digits)
      const head = `  ${bySymbol(row.symbol, style.paint)(padEnd(row.symbol, 3))}  ${n} ${padEnd(row.words, words)}`
      const lines = addressLines(row, style.width - (digits + words + 10), style)
      const margin = ' '.repeat(digits + words + 10)
      const [first = '', ...rest] = lines
      return [first === '' ? head.trimEnd() : `${head}  ${first}`, ...rest.map((line) => `${margin}${line}`)]
    }),
  ]
}

/** What destroys is named to the last address; the rest in one line. */
const addressLines = (
  { symbol, addresses }: Tally,
  width: number,
  { nameLines }: Pick<TextStyle, 'nameLines'>,
): readonly string[] => {
  const room = Math.max(24, width)
  if (symbol.includes('-')) return nameList(addresses, room, nameLines)
  let most = addresses.length
  let line = names(addresses, most)
  while (most > 1 && columns(line) > room) {
    most = Math.min(most - 1, Math.ceil(room / 4))
    line = names(addresses, most)
  }
  return [line]
}

const sectionLines = (section: Section, style: TextStyle): string[] => {
  const { title: words, blocks, kind } = section
  const head = words === undefined ? [] : ['', heading(words, resourcesIn(section), style)]
  // The single row of an output has the name of the output.
  const outputs = blocks.flatMap(({ rows }) => rows)
  if (kind === 'outputs') return [...head, ...printRows(outputs, rowStyle(style))]
  return [
    ...head,
    ...blocks.flatMap((block, n) => [...(n === 0 && words !== undefined ? [] : ['']), ...blockLines(block, style)]),
  ]
}

const blockLines = (block: Block, style: TextStyle): string[] => {
  const { paint } = style
  const symbol = byTone(block.tone, paint)(padStart(block.symbol, 3))
  const [beside, ...below] = wordLines(block, style)
  const { address, id, place } = block
  return [
    ` ${symbol} ${paint.bold(visible(address))}${beside === '' ? '' : `  ${beside}`}`,
    ...below,
    ...present(id !== undefined && `id ${id}`, place !== undefined && visible(placeText(place))).map(
      (text) => `     ${paint.dim(text)}`,
    ),
    ...withAlike(block, style, printRows(block.rows, rowStyle(style))),
    ...withSimilar(block, style),
  ]
}

/** Lines of addresses that may stand above what changes. */
const fewLines = 4

/** Names in as many lines as there may be, and how many more there are. */
const nameList = (all: readonly string[], width: number, most: number): readonly string[] => {
  const lines = wrapList(all, width)
  if (lines.length <= most) return lines
  const shown = lines.slice(0, most)
  const named = shown.join(' ').split(', ').length
  return [...shown.slice(0, -1), `${shown.at(-1)?.replace(/,$/, '')} and ${thousands(all.length - named)} more`]
}

/** Where only a part of the others is shown, they have other values. */
const withSimilar = ({ similar = [] }: Block, style: TextStyle): readonly string[] =>
  similar.length === 0
    ? []
    : alsoLines(
        `and ${thousands(similar.length)} more in which the same changes, with other values:`,
        similar,
        style,
      ).map((line, position) => `     ${position === 0 ? '' : '  '}${style.paint.bold(line)}`)

/** Every one is named: nothing that changes is only counted. Where they are many, what changes is read first. */
const withAlike = ({ also }: Block, style: TextStyle, rows: readonly string[]): readonly string[] => {
  if (also.length === 0) return rows
  const { paint } = style
  const n = thousands(also.length)
  const above = alsoLines(`and ${n} alike:`, also, style)
  const bold = (lines: readonly string[]) =>
    lines.map((line, position) => `     ${position === 0 ? '' : '  '}${paint.bold(line)}`)
  if (above.length <= fewLines || rows.length === 0) return [...bold(above), ...rows]
  return [...bold([`and ${n} alike, named below`]), ...rows, ...bold(alsoLines(`the ${n} alike:`, also, style))]
}

/** Beside the address where the words have room there (the first line), else below. */
const wordLines = (block: Block, { paint, width }: TextStyle): readonly string[] => {
  const words = `${plain(block.words)}${block.sides === undefined ? '' : ` (${block.sides})`}`
  const margin = columns(visible(block.address)) + 7
  const isBeside = margin + 40 <= width || margin + columns(words) <= width
  const lines = wrap(words, isBeside ? width - margin : width - 5).map(block.blocked ? paint.yellow : (text) => text)
  const [first = '', ...rest] = isBeside ? lines : ['', ...lines]
  return [first, ...rest.map((line) => `${' '.repeat(isBeside ? margin : 5)}${line}`)]
}

const alsoLines = (
  head: string,
  also: readonly string[],
  { width, nameLines }: Pick<TextStyle, 'width' | 'nameLines'>,
): readonly string[] => {
  const [first = '', ...rest] = nameList(also.map(visible), width - 7, nameLines)
  return columns(head) + columns(first) + 6 <= width ? [`${head} ${first}`, ...rest] : [head, first, ...rest]
}

const marks: Readonly<Record<DiffAction, string>> = { create: '+', delete: '-', update: '~', same: ' ' }

const rowStyle = ({ paint, width }: TextStyle) => ({
  paint,
  width,
  line: (action: DiffAction, depth: number, text: string): string => {
    const mark = marks[action]
    return `${' '.repeat(5 + 2 * depth)}${action === 'same' ? mark : bySymbol(mark, paint)(mark)} ${text}`.trimEnd()
  },
})

const heading = (words: string, n: number, { paint }: TextStyle): string =>
  `${paint.bold(words)} ${paint.dim(`(${thousands(n)})`)}`

const listSection = (list: ReportList, style: TextStyle): string[] => {
  const { title: words, entries } = list
  const lines = entries.map(({ what, also = [], words: about }) => ({ what: visible(what), also, about: plain(about) }))
  const isLong = ({ what, about }: (typeof lines)[number]): boolean =>
    columns(what) > widestColumn && columns(what) + columns(about) + 4 > style.width
  const room = Math.min(widestColumn, widest(lines.filter((line) => !isLong(line)).map(({ what }) => what)))
  return [
    '',
    heading(words, countIn(list), style),
    ...lines.flatMap((line) => {
      const alike = alsoBelow(line.also, style)
      if (isLong(line)) return [...stacked(line.what, line.about, style), ...alike]
      const head = `  ${padEnd(line.what, room)}  `
      const [first = '', ...rest] = wrap(line.about, Math.max(32, style.width - columns(head)))
      return [`${head}${first}`.trimEnd(), ...rest.map((text) => `${' '.repeat(room + 4)}${text}`), ...alike]
    }),
  ]
}

/** The others of which the same is said. */
const alsoBelow = (also: readonly string[], style: TextStyle): readonly string[] =>
  also.length === 0
    ? []
    : alsoLines(`and ${thousands(also.length)} for the same reason:`, also, style).map(
        (line, position) => `    ${position === 0 ? '' : '  '}${line}`,
      )

/** Of what a list is about, beside its words. */
const widestColumn = 36

/** What is too long for its column, and the words below it. */
const stacked = (what: string, text: string, { width }: TextStyle): string[] => [
  ...wrap(what, width - 2).map((line) => `  ${line}`),
  ...wrap(text, width - 6).map((line) => `      ${line}`),
]

const commandSection = ({ commands }: Report, style: TextStyle, { color }: RenderOptions): string[] => {
  const { paint, width } = style
  if (commands === undefined) return []
  const { list, omitted = 0, workspace, digest, references = [] } = commands
  return [
    '',
    `${heading('Commands', list.length + omitted, style)} ${paint.dim(sentWords(digest))}`,
    renderCommands(list, { ...defined({ color }), width, references }).trimEnd(),
    ...(omitted === 0
      ? []
      : [
          '',
          `  ${paint.bold(`and ${thousands(omitted)} more, of what is not shown by itself; a pipe and --address show them`)}`,
        ]),
    ...(digest === undefined
      ? []
      : [
          '',
          'To apply exactly these commands, approve their digest:',
          `  plumbline apply ${visible(workspace)} --digest ${paint.bold(visible(digest))}${visible(selectionFlags(commands))}`,
        ]),
  ]
}
