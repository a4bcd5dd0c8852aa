import { isObject } from '../../../engine/schema/json.ts'
import type { LedgerEntry, LedgerVerdict } from '../../../engine/schema/stored/records.ts'
import { stateChangeKinds } from '../../../engine/schema/stored/state-change.ts'
import { loggedCommand } from '../../../engine/values/marks/logged-command.ts'
import { urlWords } from '../../../engine/values/url.ts'
import { columns, cutMiddle } from '../characters/measure.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import { count, names } from '../shared/words.ts'
import { outcomeCell, outcomeDetail } from './render-applies.ts'
import type { PrintOptions } from './render-commands.ts'
import { resultWords } from './render-results.ts'
import { actorWords, timeWords } from './render-runs.ts'

/** Command, method and path. A long path is shortened; an export has the whole URL. Stored JSON may lack any of these. */
const commandWords = (entry: LedgerEntry, room: number): string => {
  const { command, outcome } = entry
  const part = (value: unknown, member: string): string => {
    const found = isObject(value) ? value[member] : undefined
    return typeof found === 'string' ? found : ''
  }
  const request = command?.['request']
  const url = urlWords(loggedCommand(entry)?.request.url ?? '')
  const place = visible(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))
  const words = [part(command, 'id') || (outcome?.command ?? ''), part(request, 'method')]
  const head = visible(words.filter((text) => text !== '').join(' '))
  return [head, cutMiddle(place, Math.max(leastPlace, room - columns(head) - 1))]
    .filter((text) => text !== '')
    .join(' ')
}

/** Addresses of one entry. */
const mostNamed = 3

/** In columns: a shorter path would not be useful. */
const leastPlace = 20

const saysWhy = new Set<LedgerEntry['kind']>([
  'started',
  'paused',
  'resumed',
  'removed',
  'reused',
  'expired',
  'source_removed',
  'acknowledged',
  'snoozed',
  'unsnoozed',
  ...stateChangeKinds,
])

/** What was changed of the recorded state, or which episode was acknowledged or snoozed. */
const changeWords = ({ state, episode, reason }: LedgerEntry): string =>
  state === undefined
    ? [episode && `${episode.about}${episode.until === undefined ? '' : ` until ${timeWords(episode.until)}`}`, reason]
        .filter((text) => text !== undefined)
        .join(': ')
    : [names(state.addresses ?? [], mostNamed), `serial ${state.before} to ${state.after}`, reason]
        .filter((text) => text !== '')
        .join(', ')

/** Entries about an apply as a whole, or about the workspace, have words in place of a command. */
const subjectWords = (entry: LedgerEntry, room: number): string => {
  const words = commandWords(entry, room)
  if (words !== '') return words
  const { kind, mode, detail = saysWhy.has(kind) ? changeWords(entry) : '', results } = entry
  const counts = results === undefined || mode === 'check' ? '' : resultWords(results)
  return cutMiddle(visible([counts, detail].filter((text) => text !== '').join('; ')), room)
}

const outcomeWithDetail = ({ outcome }: LedgerEntry, paint: Palette): Cell => {
  if (outcome === undefined) return { text: '' }
  const cell = outcomeCell(outcome, paint)
  return { ...cell, text: [cell.text, outcomeDetail(outcome)].filter((text) => text !== '').join(', ') }
}

const kindWords = ({ kind, mode, attempt }: LedgerEntry): string => {
  if (attempt !== undefined) return `${kind} ${attempt}`
  return mode === 'check' ? `${kind} (check)` : kind
}

const cells = (entry: LedgerEntry, paint: Palette, room: number): readonly Cell[] => [
  { text: String(entry.seq).padStart(6), paint: paint.dim },
  { text: timeWords(entry.at), paint: paint.dim },
  { text: kindWords(entry) },
  { text: cutMiddle(actorWords(entry.actor), 32) },
  { text: subjectWords(entry, room) },
  outcomeWithDetail(entry, paint),
]

/** What is left for a command beside the other columns. */
const roomFor = (width: number | undefined): number =>
  width === undefined ? Number.POSITIVE_INFINITY : Math.max(40, width - 80)

/** In the order of the chain. */
export const renderLedger = (entries: readonly LedgerEntry[], { color, width }: PrintOptions = {}): string =>
  entries.length === 0
    ? 'no entries\n'
    : `${alignCells(entries.map((entry) => cells(entry, palette(color), roomFor(width)))).join('\n')}\n`

/** Whether the chain holds, and from which entry on it does not. */
export const renderVerdict = (verdict: LedgerVerdict, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  if (!verdict.ok) return `${paint.red('NOT INTACT')} at entry ${verdict.seq}: ${visible(verdict.detail)}\n`
  const { entries, workspace, head, from } = verdict
  const ledger = `${count(entries, 'entry', 'entries')} of ${visible(workspace)}, head ${visible(head)}`
  const older = from === undefined ? '' : `; the entries up to ${from} were not read again`
  return `${paint.green('intact')}: ${ledger}${older}\n`
}
