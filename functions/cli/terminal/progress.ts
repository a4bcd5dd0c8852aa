import type { Progress } from '#core'
import type { Watch } from '../backend/backend.ts'
import type { Context } from '../context.ts'
import { outcomeLine } from './outcome-line.ts'

const sentence = (event: Progress): string | undefined => {
  switch (event.step) {
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
    case 'outcome':
      return undefined
  }
}

const endings = {
  /** Nothing is written: it ends wherever it is. */
  reading: 'stopping; Ctrl-C again ends the process',
  /** It ends at the next command boundary. */
  applying: 'stopping after the command under way; Ctrl-C again ends at once',
} as const

/** Shows what goes on, and lets Ctrl-C end the work as its kind does; a second one ends the process. */
export const watching = async <Result>(
  { host, output }: Context,
  kind: keyof typeof endings,
  use: (watch: Watch) => Promise<Result>,
): Promise<Result> => {
  const stopping = new AbortController()
  const release = host.onInterrupt(() => {
    stopping.abort()
    output.note(output.paint.warn(endings[kind]))
  })
  let current: Extract<Progress, { step: 'command' }> | undefined
  const progress = (event: Progress): void => {
    if (event.step === 'command') current = event
    output.progress(sentence(event))
    if (event.step === 'outcome') output.note(outcomeLine(event, current, output.paint))
  }
  try {
    return await use({ progress, signal: stopping.signal })
  } finally {
    release()
    output.progress(undefined)
  }
}
