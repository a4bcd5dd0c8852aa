import { type CommandOutcome, inOneLine, outcomeWords, type Palette, type Progress, visible } from '#core'
import type { Watch } from '../backend/backend.ts'
import type { Context } from '../context.ts'

const sentence = (event: Progress): string | undefined => {
  switch (event.step) {
    case 'forecast':
      return forecastLine(event)
    case 'reading':
      return `reading ${event.done} of ${event.total}`
    case 'planning':
      return `planning ${event.resources} resources`
    case 'waiting':
      return `waiting for ${event.holder}, which has the lock until ${event.until}`
    case 'command':
      return `${event.n} of ${event.of}  ${event.description}`
    case 'polling':
      return `waiting for ${event.id}: ${event.detail}`
    case 'interrupted':
    case 'outcome':
      return undefined
  }
}

/** `about 1,200 requests in 2 min, of 4,500 that are left, for 150 of 1,000 resources; all within 7 checks` */
const forecastLine = ({ counted, free, chosen, of, checks, budget, seconds }: ProgressOf<'forecast'>): string => {
  const number = (value: number): string => Math.round(value).toLocaleString('en')
  const time = seconds === undefined ? '' : ` in ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`
  const more = free === 0 ? '' : ` and ${number(free)} that do not count`
  const left = budget === undefined ? '' : `, of ${number(budget)} that are left`
  const whole = checks === 1 ? '' : `; all within ${checks} checks`
  return `about ${number(counted)} requests${more}${time}${left}, for ${number(chosen)} of ${number(of)} resources${whole}`
}

const signs: Readonly<Record<CommandOutcome['status'], string>> = {
  logged: '·',
  succeeded: '✓',
  found_done: '✓',
  skipped: '-',
  failed: '✗',
  unknown: '?',
  blocked: '-',
}

type ProgressOf<Name extends Progress['step']> = Extract<Progress, { readonly step: Name }>

/** `✓ 1/3  host_file.motd#1  replace the content  done` */
export const outcomeLine = (
  { id, status, detail, running }: ProgressOf<'outcome'>,
  command: ProgressOf<'command'> | undefined,
  paint: Palette,
): string => {
  const [words, colour] = outcomeWords({ status, running })
  const color = paint[colour]
  const place = command?.id === id ? `${command.n}/${command.of}  ` : ''
  const what = command?.id === id ? `  ${paint.dim(visible(command.description))}` : ''
  const why = detail === undefined ? '' : `: ${inOneLine(detail)}`
  return `${color(signs[status])} ${paint.dim(place)}${visible(id)}${what}  ${color(words)}${why}`
}

const endings = {
  /** Reading writes nothing, so the work ends wherever it is. */
  reading: 'stopping; Ctrl-C again ends the process',
  /** Commands under way are finished, and no further one is started. */
  applying: 'stopping after the commands under way; Ctrl-C again ends at once',
} as const

/** Shows progress, and lets Ctrl-C end the work as its kind allows; a second Ctrl-C ends the process. */
export const watching = async <Result>(
  { host, output }: Context,
  kind: keyof typeof endings,
  use: (watch: Watch) => Promise<Result>,
): Promise<Result> => {
  const stopping = new AbortController()
  const release = host.onInterrupt(() => {
    stopping.abort()
    output.note(output.paint.yellow(endings[kind]))
  })
  const underWay = new Map<string, ProgressOf<'command'>>()
  const progress = (event: Progress): void => {
    if (event.step === 'command') underWay.set(event.id, event)
    output.progress(sentence(event))
    if (event.step === 'interrupted')
      output.note(output.paint.yellow(`interrupted, and tried again: ${inOneLine(event.detail)}`))
    if (event.step !== 'outcome') return
    output.note(outcomeLine(event, underWay.get(event.id), output.paint))
    underWay.delete(event.id)
  }
  try {
    return await use({ progress, signal: stopping.signal })
  } finally {
    release()
    output.progress(undefined)
  }
}
