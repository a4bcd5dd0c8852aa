import type { Command } from '../../../../engine/schema/command.ts'
import type { DiffAction } from '../../../../engine/schema/diff.ts'
import type { NamedReference } from '../../../../engine/schema/stored/plan.ts'
import { present } from '../../../../engine/values/defined.ts'
import { placeText } from '../../../../engine/values/diagnose.ts'
import { cutMiddle, cutWithNote } from '../../characters/measure.ts'
import { palette } from '../../characters/palette.ts'
import { thousands } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'
import { countIn, type ReportList } from '../../report/lists.ts'
import { type Block, type ModuleTally, type Report, resourcesIn, type Section } from '../../report/report.ts'
import type { Tally } from '../../report/tally.ts'
import { commandWords, showRequest } from '../../requests/show-request.ts'
import { printRows } from '../../rows/print-rows.ts'
import type { Row } from '../../rows/row.ts'
import { selectionFlags } from '../../shared/selection-words.ts'
import { count, names } from '../../shared/words.ts'
import { fitPieces, type Piece } from './fit-pieces.ts'
import { code, fenced, html, htmlProse, markdownProse } from './markup.ts'

/** A comment on GitHub takes no more code points, and no more than four times as many bytes; UTF-16 units are never fewer. */
export const maxCharacters = 65_536
const bodyColumns = 100
const titleColumns = 200
const shownNames = 5
/** Of those that could not be checked for one reason. */
const shownAlike = 50

/**
 * For pull requests and chat. What does not fit is left out whole, in this order: bodies of commands, names of what changes
 * alike, details of drift, outputs and changes from the least grave on, commands, modules, lists, lines of changes; the
 * page says how much is missing. Several reports share the room of one comment.
 */
export const renderMarkdown = (reports: readonly Report[]): string =>
  fitPieces(reports.flatMap(piecesOf), maxCharacters)

const piecesOf = (report: Report): readonly Piece[] => {
  const { notes, modules, sections, lists, commands } = report
  return [
    { kind: 'head', forms: [titleOf(report)] },
    ...notes.map((note): Piece => ({ kind: 'note', forms: [`> **Note:** ${markdownProse(note)}`] })),
    ...present(report.tallies.length > 0 && tallyPiece(report.tallies), modules.length > 0 && modulePiece(modules)),
    ...sections.flatMap(sectionPieces),
    ...lists.flatMap(listPieces),
    ...commandPieces(commands),
  ]
}

const titleOf = ({ title, headline, at }: Report): string =>
  present(
    `### ${code(cutMiddle(visible(title), titleColumns))}: ${markdownProse(headline)}`,
    at !== undefined && `checked ${code(at)}`,
  ).join('\n\n')

const tallyPiece = (tallies: readonly Tally[]): Piece => ({
  kind: 'head',
  forms: [0, shownNames].map((most) =>
    ['| | | |', '|---|---:|---|', ...tallies.map((row) => tallyRow(row, most))].join('\n'),
  ),
})

const tallyRow = ({ n, words, addresses }: Tally, most: number): string => {
  const cells = most === 0 ? [] : addresses.map((address) => code(address, 'cell'))
  return `| ${words} | ${thousands(n)} | ${names(cells, most)} |`
}

/** A level is a step to the right; white space at the start of a cell would be lost. */
const level = '&emsp;'

const modulePiece = (modules: readonly ModuleTally[]): Piece => {
  const counts = (module: ModuleTally) => module.counts.map(({ symbol, n }) => code(`${symbol} ${n}`.trim(), 'cell'))
  const rows = modules.map(
    (one) => `| ${level.repeat(one.depth)}${code(one.label, 'cell')} | ${counts(one).join(' ')} |`,
  )
  return { kind: 'modules', forms: [['| by module | |', '|---|---|', ...rows].join('\n')] }
}

const kinds = {
  changes: 'change',
  actions: 'change',
  drift: 'drift',
  deferred: 'deferred',
  objects: 'object',
  outputs: 'output',
} as const

const sectionPieces = (section: Section): readonly Piece[] => {
  const { kind, title, blocks } = section
  const head: readonly Piece[] = title === undefined ? [] : [heading(title, resourcesIn(section))]
  if (kind === 'outputs') return [...head, outputPiece(blocks)]
  return [...head, ...blocks.map((block): Piece => ({ kind: kinds[kind], forms: blockForms(block), risk: block.risk }))]
}

const heading = (words: string, n: number): Piece => ({
  kind: 'head',
  forms: [`**${words}** (${thousands(n)})`],
})

/** The single row of an output has the name of the output. */
const outputPiece = (blocks: readonly Block[]): Piece => ({
  kind: 'output',
  forms: [
    names(
      blocks.map(({ address }) => code(address)),
      shownNames,
    ),
    diffFence(blocks.flatMap(({ rows }) => rows)),
  ],
})

const signs: Readonly<Record<DiffAction, string>> = { create: '+', delete: '-', update: '!', same: ' ' }

/** The details of one change, or one body, may take so much of a page: without an end of their own they would be dropped whole. */
const mostOfOne = 12_000
const mostOfLine = 4_000

/** The lines that fit, each with both of its ends, and how many are missing. */
const cutLines = (lines: readonly string[]): readonly string[] => {
  const shown: string[] = []
  let room = mostOfOne
  for (const line of lines.map((each) => cutWithNote(each, mostOfLine))) {
    room -= line.length + 1
    if (room < 0) return [...shown, `# ${count(lines.length - shown.length, 'more line')}; the format html has them`]
    shown.push(line)
  }
  return shown
}

/** In a diff fence the sign comes first, and `!` is the sign of a change. */
const diffFence = (rows: readonly Row[]): string =>
  fenced(
    'diff',
    cutLines(
      printRows(rows, {
        paint: palette(false),
        line: (action, depth, text) => `${signs[action]} ${'  '.repeat(depth)}${text}`.trimEnd(),
      }),
    ),
  )

/** One line, then with the details, then with the names of all that change alike. */
const blockForms = ({ symbol, address, also, words, sides, id, place, rows }: Block): readonly string[] => {
  const label = `${symbol} ${address}`
  const more = also.length === 0 ? '' : ` and ${thousands(also.length)} alike`
  const about = sides === undefined ? '' : ` (${sides})`
  const summary = `<code>${html(label)}</code>${more} ${htmlProse(words)}${html(about)}`
  const declared = present(
    id !== undefined && `id ${code(id)}`,
    place !== undefined && `declared at ${code(placeText(place))}`,
  )
  const fence = rows.length > 0 && diffFence(rows)
  const alike = also.length > 0 && `alike: ${also.map((other) => code(other)).join(', ')}`
  const bodies = [present(...declared, fence), alike === false ? [] : present(...declared, alike, fence)]
  return [
    `- ${code(label)}${more} ${markdownProse(words)}${about}`,
    ...bodies
      .filter((body) => body.length > 0)
      .map((body) => `<details><summary>${summary}</summary>\n\n${body.join('\n\n')}\n\n</details>`),
  ]
}

const listPieces = (list: ReportList): readonly Piece[] => [
  heading(list.title, countIn(list)),
  ...list.entries.map(({ what, also = [], words }): Piece => {
    const said = `- ${code(what)}: ${markdownProse(words)}`
    if (also.length === 0) return { kind: 'entry', forms: [said] }
    const cells = also.map((each) => code(each))
    const more = `${said}; ${thousands(also.length)} more for the same reason: ${names(cells, shownAlike)}`
    // One line for many resources stays where single ones must go.
    return { kind: also.length > shownAlike ? 'note' : 'entry', forms: [more] }
  }),
]

const commandPieces = (commands: Report['commands']): readonly Piece[] => {
  if (commands === undefined) return []
  const { list, workspace, digest, references } = commands
  const approval =
    digest === undefined
      ? undefined
      : visible(`plumbline apply ${workspace} --digest ${digest}${selectionFlags(commands)}`)
  return present(
    { kind: 'head', forms: ['**Commands**, in this order'] },
    ...list.map((command, n): Piece => ({ kind: 'command', forms: commandForms(command, n + 1, references) })),
    approval !== undefined && {
      kind: 'head',
      forms: [`To apply exactly these commands, approve their digest:\n\n${fenced('sh', [approval])}`],
    },
  )
}

const commandForms = (command: Command, n: number, references?: readonly NamedReference[]): readonly string[] => {
  const { method, url, headers, body } = showRequest(command.request, bodyColumns)
  const marker = `${n}. `
  const lines = [...headers, ...(body.length > 0 ? [''] : []), ...body]
  const fence = fenced('http', [`${method} ${url}`, ...cutLines(lines)])
  // As far in as the text behind the number, so that it belongs to it.
  const indented = fence.split('\n').map((text) => (text === '' ? '' : `${' '.repeat(marker.length)}${text}`))
  return [
    `${marker}${code(`${method} ${url}`)}`,
    `${marker}${code(command.id)}: ${markdownProse(commandWords(command, references))}\n\n${indented.join('\n')}`,
  ]
}
