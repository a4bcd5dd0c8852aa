import { type CommandOutcome, outcomeNames, type Progress, visible } from '#core'
import type { Paint } from './paint.ts'

const signs: Readonly<Record<CommandOutcome['status'], readonly [sign: string, shade: keyof Paint]>> = {
  logged: ['·', 'dim'],
  succeeded: ['✓', 'good'],
  found_done: ['✓', 'good'],
  skipped: ['-', 'warn'],
  failed: ['✗', 'bad'],
  unknown: ['?', 'bad'],
  blocked: ['-', 'warn'],
}

type Step<Name extends Progress['step']> = Extract<Progress, { readonly step: Name }>

/** `✓ 1/3  host_file.motd#1  replace the content  done` */
export const outcomeLine = (
  { id, status, detail }: Step<'outcome'>,
  command: Step<'command'> | undefined,
  paint: Paint,
): string => {
  const [sign, shade] = signs[status]
  const color = paint[shade]
  const place = command?.id === id ? `${command.n}/${command.of}  ` : ''
  const what = command?.id === id ? `  ${paint.dim(visible(command.description))}` : ''
  const why = detail === undefined ? '' : `: ${visible(detail)}`
  return `${color(sign)} ${paint.dim(place)}${visible(id)}${what}  ${color(outcomeNames[status])}${why}`
}
