import type { Command } from '../schema/command.ts'
import type { DiffAction } from '../schema/diff.ts'
import type { Change, Drift, Plan } from '../schema/plan.ts'
import { fitPieces, type Piece } from './fit-pieces.ts'
import type { Context } from './lay-out-change.ts'
import { byRisk, contextOf, driftToShow, layOutChange, layOutDrift } from './lay-out-change.ts'
import type { List } from './lists.ts'
import { listsOf } from './lists.ts'
import { code, fenced, html, htmlProse, markdownProse } from './markup.ts'
import type { RenderOptions } from './options.ts'
import { palette } from './palette.ts'
import { printRows } from './print-rows.ts'
import type { Row } from './row.ts'
import { commandWords, showRequest } from './show-request.ts'
import type { Tally } from './tally.ts'
import { talliesOf } from './tally.ts'
import { visible } from './visible.ts'
import { changeWords, headline, names, symbolOf } from './words.ts'

/** A comment on GitHub takes no more characters. */
export const maxCharacters = 65_536
const bodyColumns = 100

/**
 * For pull requests and chat. What does not fit is left out whole, in this order: bodies of commands, details of
 * changes from the least grave on, commands, lists, lines of changes; the page says how much is missing.
 */
export const renderMarkdown = (plan: Plan, options: RenderOptions = {}): string => {
  const context = contextOf(plan)
  const lists = listsOf(plan)
  const pieces: readonly Piece[] = [
    { kind: 'head', forms: [headOf(plan, options, 0), headOf(plan, options, shownNames)] },
    ...byRisk(plan.changes).map((change): Piece => ({ kind: 'change', forms: changeForms(change, context) })),
    ...driftToShow(plan).map((drift): Piece => ({ kind: 'drift', forms: driftForms(drift) })),
    ...lists.flatMap((list) => listPieces(list)),
    ...(plan.commands.length === 0 ? [] : [{ kind: 'head', forms: ['**Commands**, in this order'] } as const]),
    ...plan.commands.map((command, n): Piece => ({ kind: 'command', forms: commandForms(command, n + 1) })),
    { kind: 'head', forms: [approval(plan)] },
  ]
  return fitPieces(pieces, maxCharacters)
}

const shownNames = 5

const headOf = (plan: Plan, { at }: RenderOptions, most: number): string => {
  const tallies = talliesOf(plan)
  const table = ['| | | |', '|---|---:|---|', ...tallies.map((row) => tallyRow(row, most))]
  return [
    `### ${code(plan.workspace)}: ${headline(plan)}`,
    ...(at === undefined ? [] : [`checked ${code(at)}`]),
    ...(tallies.length === 0 ? [] : [table.join('\n')]),
  ].join('\n\n')
}

const tallyRow = ({ n, words, addresses }: Tally, most: number): string =>
  `| ${words} | ${n.toLocaleString('en')} | ${
    most === 0
      ? ''
      : names(
          addresses.map((address) => code(address, 'cell')),
          most,
        )
  } |`

const signs: Readonly<Record<DiffAction, string>> = { create: '+', delete: '-', update: '!', same: ' ' }

/** In a diff fence the sign comes first, and `!` is the sign of a change. */
const diffFence = (rows: readonly Row[]): string =>
  fenced(
    'diff',
    printRows(rows, {
      paint: palette(false),
      line: (action, depth, text) => `${signs[action]} ${'  '.repeat(depth)}${text}`.trimEnd(),
    }),
  )

const details = (summary: string, rows: readonly Row[]): string =>
  `<details><summary>${summary}</summary>\n\n${diffFence(rows)}\n\n</details>`

const changeForms = (change: Change, context: Context): readonly string[] => {
  const words = changeWords(change, context.vanished.has(change.address))
  const label = `${symbolOf(change)} ${change.address}`
  return [
    `- ${code(label)} ${markdownProse(words)}`,
    details(`<code>${html(label)}</code> ${htmlProse(words)}`, layOutChange(change, context)),
  ]
}

const driftForms = (drift: Drift): readonly string[] => {
  const words = `was ${drift.kind} outside (last agreed -> now)`
  return [
    `- ${code(drift.address)} ${words}`,
    details(`<code>${html(drift.address)}</code> ${html(words)}`, layOutDrift(drift)),
  ]
}

const listPieces = ({ title, entries }: List): readonly Piece[] => [
  { kind: 'head', forms: [`**${title}** (${entries.length.toLocaleString('en')})`] },
  ...entries.map(({ what, words }): Piece => ({ kind: 'entry', forms: [`- ${code(what)}: ${markdownProse(words)}`] })),
]

const commandForms = (command: Command, n: number): readonly string[] => {
  const { method, url, headers, body } = showRequest(command.request, bodyColumns)
  const line = `${n}. ${code(`${method} ${url}`)}`
  const lines = [...headers, ...(body.length > 0 ? [''] : []), ...body]
  const fence = fenced('http', [`${method} ${url}`, ...lines])
  const indented = fence.split('\n').map((text) => (text === '' ? '' : `   ${text}`))
  return [line, `${n}. ${code(command.id)}: ${markdownProse(commandWords(command))}\n\n${indented.join('\n')}`]
}

const approval = (plan: Plan): string =>
  plan.commands.length === 0
    ? ''
    : `To apply exactly these commands, approve their digest:\n\n${fenced('sh', [visible(`plumbline apply ${plan.workspace} --digest ${plan.digests.commands}`)])}`
