import type { CommandOutcome, Progress } from '#core'
import type { Paint } from './paint.ts'

type Status = CommandOutcome['status']

const signs: Readonly<Record<Status, string>> = {
  logged: '·',
  succeeded: '✓',
  found_done: '✓',
  skipped: '-',
  failed: '✗',
  unknown: '?',
}

const words: Readonly<Record<Status, string>> = {
  logged: 'logged, not sent',
  succeeded: 'succeeded',
  found_done: 'was done already',
  skipped: 'skipped',
  failed: 'failed',
  unknown: 'sent, and no answer came',
}

const isStatus = (status: string): status is Status => Object.hasOwn(signs, status)

const shade = (status: Status, { good, bad, warn, dim }: Paint): ((text: string) => string) => {
  if (status === 'succeeded' || status === 'found_done') return good
  if (status === 'failed' || status === 'unknown') return bad
  return status === 'skipped' ? warn : dim
}

export interface Outcome {
  readonly id: string
  readonly status: string
  readonly detail?: string
}

type Command = Extract<Progress, { step: 'command' }>

/** `✓ 1/3  host_file.motd#1  replace the content  succeeded` */
export const outcomeLine = ({ id, status, detail }: Outcome, command: Command | undefined, paint: Paint): string => {
  const known = isStatus(status) ? status : 'unknown'
  const color = shade(known, paint)
  const place = command?.id === id ? `${command.n}/${command.of}  ` : ''
  const what = command?.id === id ? `  ${paint.dim(command.description)}` : ''
  const why = detail === undefined ? '' : `: ${detail}`
  return `${color(signs[known])} ${paint.dim(place)}${id}${what}  ${color(words[known])}${why}`
}
