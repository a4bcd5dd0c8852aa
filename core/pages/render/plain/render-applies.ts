import type { CommandOutcome } from '../../../engine/schema/stored/outcome.ts'
import type { Apply } from '../../../engine/schema/stored/records.ts'
import { present } from '../../../engine/values/defined.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { inOneLine, visible } from '../characters/visible.ts'
import { count } from '../shared/words.ts'
import type { PrintOptions } from './render-commands.ts'
import { leftRows, resultRows } from './render-results.ts'
import { actorWords, timeWords } from './render-runs.ts'
import { versionWords } from './version-words.ts'

type Status = CommandOutcome['status']

/** The result of a command, and its colour. */
const outcomes: Readonly<Record<Status, readonly [words: string, colour: keyof Palette]>> = {
  logged: ['logged, not sent', 'dim'],
  succeeded: ['done', 'green'],
  failed: ['FAILED', 'red'],
  skipped: ['skipped', 'yellow'],
  found_done: ['already done', 'green'],
  unknown: ['NOT KNOWN: it may have been done', 'red'],
  blocked: ['blocked, not sent', 'yellow'],
}

const stillRunning = ['STILL RUNNING', 'yellow'] as const

/** The words of an outcome, and their colour. */
export const outcomeWords = ({ status, running }: { readonly status: Status; readonly running?: true | undefined }) =>
  running === true ? stillRunning : outcomes[status]

export const outcomeCell = (outcome: CommandOutcome, paint: Palette): Cell => {
  const [text, colour] = outcomeWords(outcome)
  return { text, paint: paint[colour] }
}

export const outcomeDetail = ({ httpStatus, detail }: CommandOutcome): string =>
  present(httpStatus !== undefined && `HTTP ${httpStatus}`, detail !== undefined && inOneLine(detail)).join(': ')

const applyPaint = (status: Apply['status'], paint: Palette): Palette['red'] =>
  ({
    queued: paint.dim,
    running: paint.cyan,
    succeeded: paint.green,
    not_converged: paint.yellow,
    failed: paint.red,
    refused: paint.red,
  })[status]

const tally = (apply: Apply, ...statuses: readonly Status[]): number =>
  apply.outcomes.filter((outcome) => statuses.includes(outcome.status)).length

/** Declared resources that the apply did not touch and that differ too. */
const elsewhere = ({ left = [] }: Apply): string => {
  const differing = left.filter(({ kind }) => kind === 'differs').length
  const unread = left.filter(({ kind }) => kind === 'unchecked')
  const isInPart = unread.every(({ paths }) => paths.length > 0)
  const parts = present(
    differing > 0 && `${count(differing, 'other resource')} ${differing === 1 ? 'differs' : 'differ'}`,
    unread.length > 0 &&
      `${count(unread.length, 'other resource')} could ${isInPart ? 'be read only in part' : 'not be read'}`,
  )
  return parts.length === 0 ? '' : `; but ${parts.join(', and ')}`
}

/** Of what the apply was about; the rows below name each. */
const stillFound = ({ left = [] }: Apply): string => {
  const own = left.filter(({ touched }) => touched)
  const isUnread = own.some(({ kind }) => kind === 'unchecked')
  const differs = !isUnread || own.some(({ kind }) => kind === 'differs')
  return present(differs && 'still finds a difference', isUnread && 'could not verify everything').join(' and ')
}

/** An undo is measured by what was there before, and the configuration may ask for something else. */
const broughtBack = (resources: NonNullable<Apply['resources']>, isAllRead: boolean): string => {
  const isLossy = resources.some(({ lost }) => lost !== undefined)
  const limits = present(
    !isAllRead && 'as far as it can be read',
    isLossy && 'but for what the undone commands lost for good',
  )
  const back = ['what was undone is as before the apply', ...limits].join(', ')
  return resources.some(({ verdict }) => verdict === 'as_before')
    ? `${back}; the configuration still asks for something else, and the next check plans it again`
    : back
}

/** A value that no read shows is not verified, and what else changed is not left to the rows below. */
const matching = ({ resources = [], undoes }: Apply): string => {
  const isAllRead = resources.every(({ unobserved }) => unobserved === undefined)
  const matches =
    undoes !== undefined
      ? broughtBack(resources, isAllRead)
      : isAllRead
        ? 'the result matches the configuration'
        : 'all of the result that can be read matches the configuration'
  const besides = resources.filter((each) => each.besides !== undefined).length
  return besides === 0 ? matches : `${matches}; ${count(besides, 'resource')} changed in more than the plan shows`
}

const progressWords = ({ progress }: Apply): readonly string[] =>
  progress === undefined
    ? []
    : present(
        progress.sending.length > 0 && `${progress.sending.length} being sent`,
        progress.waiting !== undefined && progress.waiting > 0 && `${progress.waiting} waiting`,
      )

/** The result in one sentence. Only a success in mode `execute` states that the system matches the approval. */
export const applySentence = (apply: Apply): string => {
  const done = count(tally(apply, 'succeeded', 'found_done'), 'command')
  const error = apply.error === undefined ? '' : `: ${inOneLine(`${apply.error.message} (${apply.error.code})`)}`
  switch (apply.status) {
    case 'queued':
      return apply.startedAt === undefined ? 'queued; nothing was sent yet' : `queued to continue: ${done} done so far`
    case 'running':
      return `running: ${present(`${done} done so far`, ...progressWords(apply)).join(', ')}`
    case 'succeeded':
      return apply.mode === 'check'
        ? `check mode: ${count(tally(apply, 'logged'), 'command')} logged, none was sent`
        : apply.outcomes.length === 0
          ? `there was nothing to send${elsewhere(apply)}`
          : `verified: ${done} done, and ${matching(apply)}${elsewhere(apply)}`
    case 'not_converged':
      return `not converged: ${done} done, but a new read ${stillFound(apply)}${apply.left === undefined ? error : ''}`
    case 'failed': {
      const [failed, skipped, open] = [tally(apply, 'failed'), tally(apply, 'skipped'), tally(apply, 'unknown')]
      const running = apply.outcomes.filter((outcome) => outcome.running).length
      const lost = open > running && `${open - running} without a response`
      const parts = [
        `${done} done`,
        `${failed} failed`,
        `${skipped} skipped`,
        running > 0 && `${running} still running`,
      ]
      return `failed: ${present(...parts, lost).join(', ')}${error}`
    }
    case 'refused':
      return `refused${error.includes('nothing was sent') ? '' : ', nothing was sent'}${error}`
  }
}

/** The result of each command and of the whole apply. */
export const renderApply = (apply: Apply, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const rows = apply.outcomes.map((outcome): readonly Cell[] => [
    { text: `  ${visible(outcome.command)}` },
    outcomeCell(outcome, paint),
    { text: outcomeDetail(outcome), paint: paint.dim },
  ])
  const mode = apply.mode === 'check' ? ' in check mode' : ''
  return `${present(
    `${paint.bold(visible(apply.workspace))}: apply ${visible(apply.id)}${mode}`,
    paint.dim(`  by ${actorWords(apply.actor)} at ${timeWords(apply.requestedAt)}: ${visible(apply.reason)}`),
    apply.commit !== undefined && paint.dim(`  configuration ${versionWords(apply)}`),
    apply.targets && paint.dim(`  only ${apply.targets.map(visible).join(', ')}`),
    apply.exclude && paint.dim(`  without ${apply.exclude.map(visible).join(', ')}`),
    apply.resent !== undefined && paint.yellow(`  queued again ${count(apply.resent, 'time')}: no worker had taken it`),
    rows.length > 0 && `\n${alignCells(rows).join('\n')}`,
    '',
    applyPaint(apply.status, paint)(applySentence(apply)),
    ...resultRows(apply, paint),
    ...leftRows(apply, paint),
    apply.error && paint.dim(visible(apply.error.hint)),
  ).join('\n')}\n`
}
