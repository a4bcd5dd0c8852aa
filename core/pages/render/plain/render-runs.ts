import type { Actor } from '../../../engine/schema/actor.ts'
import type { Run, Workspace } from '../../../engine/schema/stored/records.ts'
import { present } from '../../../engine/values/defined.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { thousands } from '../characters/prose.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import { unknownWords } from '../shared/unread-words.ts'
import { actionNames, actions, amounts, count } from '../shared/words.ts'
import type { PrintOptions } from './render-commands.ts'
import { versionWords } from './version-words.ts'

export const statusWords: Readonly<Record<Run['status'], string>> = {
  in_sync: 'in sync',
  changes: 'changes',
  incomplete: 'incomplete',
  failed: 'failed',
}

export const statusPaint = (status: Run['status'], paint: Palette): Palette['red'] =>
  ({ in_sync: paint.green, changes: paint.yellow, incomplete: paint.yellow, failed: paint.red })[status]

/** `2026-11-21 06:00:00Z`: to the second, as one would read it aloud. */
export const timeWords = (time: string): string => visible(time.replace('T', ' ').replace(/\.\d+Z$/, 'Z'))

/** `alice via api`. */
export const actorWords = ({ subject, via }: Pick<Actor, 'subject' | 'via'>): string => `${visible(subject)} via ${via}`

/** `1 to destroy, 2 to change, 1 unchecked`. */
export const countWords = (counts: Run['counts']): string => {
  if (counts === undefined) return ''
  const parts = amounts([
    ...actions.map((action) => [counts[action], `to ${actionNames[action]}`] as const),
    [counts.blocked, 'blocked'],
    [counts.drifted, 'drifted'],
    [counts.unchecked, 'could not be checked'],
  ])
  return parts.length === 0 ? count(counts.unchanged, 'resource') : parts.join(', ')
}

type Causes = NonNullable<Run['causes']>

const causeText = ({ reason, detail }: Causes[number]): string =>
  visible(detail === '' ? unknownWords[reason] : `${unknownWords[reason]} (${detail})`)

/** The reason; of several causes the most frequent. */
const causeWords = (causes: Causes = []): string =>
  causes
    .slice(0, 1)
    .map((cause) => `${causes.length === 1 ? '' : `, ${thousands(cause.count)} of them`}: ${causeText(cause)}`)
    .join('')

const outcomeWords = (run: Pick<Run, 'counts' | 'causes' | 'error'>): string =>
  run.error === undefined
    ? `${countWords(run.counts)}${causeWords(run.causes)}`
    : visible(`${run.error.code}: ${run.error.message}`)

const runCells = (run: Run, paint: Palette): readonly Cell[] => [
  { text: visible(run.id), paint: paint.dim },
  { text: timeWords(run.startedAt) },
  { text: statusWords[run.status], paint: statusPaint(run.status, paint) },
  { text: run.trigger, paint: paint.dim },
  { text: outcomeWords(run) },
]

/** Newest first, as they come. */
export const renderRuns = (runs: readonly Run[], options: PrintOptions = {}): string =>
  runs.length === 0
    ? 'no checks yet\n'
    : `${alignCells(runs.map((run) => runCells(run, palette(options.color)))).join('\n')}\n`

/** One check in full, without its plan. */
export const renderRun = (run: Run, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const field = (name: string, text: string): readonly Cell[] => [{ text: `  ${name}`, paint: paint.dim }, { text }]
  const rows = present(
    field('run', visible(run.id)),
    field('started', `${timeWords(run.startedAt)} by ${actorWords(run.actor)} (${run.trigger})`),
    field('finished', timeWords(run.finishedAt)),
    run.configurationVersion !== undefined && field('configured', versionWords(run)),
    run.counts && field('found', countWords(run.counts)),
    ...(run.causes ?? []).map((cause) => field('unchecked', `${thousands(cause.count)}: ${causeText(cause)}`)),
    run.digests && field('commands', visible(run.digests.commands)),
    run.error && field('error', visible(`${run.error.code}: ${run.error.message}`)),
    run.error && field('what to do', visible(run.error.hint)),
  )
  const status = statusPaint(run.status, paint)(statusWords[run.status])
  return `${paint.bold(visible(run.workspace))}: ${status}\n${alignCells(rows).join('\n')}\n`
}

/** Why the workspace is not checked, or why its alerts are not delivered. */
const apartWords = ({ quarantined, paused, undeliveredSince }: Workspace): string =>
  visible(
    present(
      paused && `paused since ${timeWords(paused.at)} by ${paused.by.subject}: ${paused.reason}`,
      paused === undefined &&
        quarantined &&
        `in quarantine since ${timeWords(quarantined.since)}: ${quarantined.error.message}`,
      undeliveredSince !== undefined && `alerts undelivered since ${timeWords(undeliveredSince)}`,
    ).join('; '),
  )

export const statusCell = (lastRun: Workspace['lastRun'], paint: Palette): Cell =>
  lastRun === undefined
    ? { text: 'never checked', paint: paint.dim }
    : { text: statusWords[lastRun.status], paint: statusPaint(lastRun.status, paint) }

/** One line each, with what the last check found. */
export const renderWorkspaces = (workspaces: readonly Workspace[], options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  if (workspaces.length === 0) return 'no workspaces yet\n'
  const rows = workspaces.map((workspace): readonly Cell[] => {
    const { lastRun, schedule = 'no schedule' } = workspace
    return [
      { text: visible(workspace.id), paint: paint.bold },
      statusCell(lastRun, paint),
      { text: visible(schedule), paint: paint.dim },
      { text: lastRun === undefined ? '' : `checked ${timeWords(lastRun.finishedAt)}`, paint: paint.dim },
      { text: countWords(lastRun?.counts) },
      { text: apartWords(workspace), paint: paint.red },
    ]
  })
  return `${alignCells(rows).join('\n')}\n`
}
