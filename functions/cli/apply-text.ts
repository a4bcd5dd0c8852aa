import type { Apply } from '#core'
import type { Exit } from './context.ts'
import { outcomeLine } from './outcome-line.ts'
import { paint } from './paint.ts'

const exits: Readonly<Record<Apply['status'], Exit>> = {
  succeeded: 0,
  failed: 1,
  refused: 1,
  not_converged: 3,
  running: 3,
  queued: 3,
}

const refusedAsStale = new Set(['STALE_PLAN', 'TARGET_CHANGED'])
export const exitOfApply = ({ status, error }: Apply): Exit =>
  error !== undefined && refusedAsStale.has(error.code) ? 2 : exits[status]

const words: Readonly<Record<Apply['status'], string>> = {
  succeeded: 'applied',
  failed: 'failed',
  refused: 'refused',
  not_converged: 'applied, and it still differs',
  running: 'stopped',
  queued: 'stopped',
}

const nextSteps: Readonly<Partial<Record<Apply['status'], string>>> = {
  not_converged: 'check again to see what is left',
  running: 'the same command continues it',
  queued: 'the same command continues it',
}

const count = (outcomes: Apply['outcomes'], statuses: readonly string[]): number =>
  outcomes.filter(({ status }) => statuses.includes(status)).length

/** What became of an apply, for people. */
export const applyText = (apply: Apply, color: boolean): string => {
  const style = paint(color)
  const { strong, good, bad, warn, dim } = style
  const { status, mode, outcomes, error } = apply
  const exit = exitOfApply(apply)
  const shade = exit === 0 ? good : exit === 3 ? warn : bad
  const word = mode === 'check' && status === 'succeeded' ? 'logged' : words[status]
  const done = mode === 'check' ? outcomes.length : count(outcomes, ['succeeded', 'found_done'])
  const figures = mode === 'check' ? `${done} commands, none sent` : `${done} of ${outcomes.length} commands done`
  const failures = outcomes.filter((one) => !['succeeded', 'found_done', 'logged'].includes(one.status))
  const hint = error?.hint ?? nextSteps[status]
  return [
    `${shade(word)}  ${strong(apply.workspace)}  ${figures}  ${dim(`apply ${apply.id}`)}`,
    ...failures.map((one) => outcomeLine({ ...one, id: one.command }, undefined, style)),
    ...(error === undefined ? [] : ['', `${error.message} ${dim(`(${error.code})`)}`]),
    ...(hint === undefined ? [] : [dim(hint)]),
  ].join('\n')
}
