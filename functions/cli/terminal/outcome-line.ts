import { type CommandOutcome, outcomeNames, type Progress, visible } from '#core'
import type { Paint } from './paint.ts'

type Status = CommandOutcome['status']

const signs: Readonly<Record<Status, string>> = {
  logged: '·',
  succeeded: '✓',
  found_done: '✓',
  skipped: '-',
  failed: '✗',
  unknown: '?',
  blocked: '-',
}

const shade = (status: Status, { good, bad, warn, dim }: Paint): ((text: string) => string) => {
  if (status === 'succeeded' || status === 'found_done') return good
  if (status === 'failed' || status === 'unknown') return bad
  return status === 'skipped' || status === 'blocked' ? warn : dim
}

type Step<Name extends Progress['step']> = Extract<Progress, { readonly step: Name }>

/** `✓ 1/3  host_file.motd#1  replace the content  done` */
export const outcomeLine = (
  { id, status, detail }: Step<'outcome'>,
  command: Step<'command'> | undefined,
  paint: Paint,
): string => {
  const color = shade(status, paint)
  const place = command?.id === id ? `${command.n}/${command.of}  ` : ''
  const what = command?.id === id ? `  ${paint.dim(visible(command.description))}` : ''
  const why = detail === undefined ? '' : `: ${visible(detail)}`
  return `${color(signs[status])} ${paint.dim(place)}${visible(id)}${what}  ${color(outcomeNames[status])}${why}`
}
