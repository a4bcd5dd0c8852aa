import { type AppError, asAppError, palette, visible } from '#core'
import { asRefused } from '../../adapters/files/system-errors.ts'
import type { Context, Exit } from '../context.ts'
import { errorText, errorValue } from '../terminal/error-text.ts'

/** The worst first. */
const severity: readonly Exit[] = [1, 3, 2, 0]

export const worstOf = (exits: readonly Exit[]): Exit => severity.find((exit) => exits.includes(exit)) ?? 0

interface EndedPlace {
  readonly title: string
  readonly exit: Exit
}

/** `3 workspaces: 1 failed, 2 passed`, and a line with the names for each word. */
export const summaryOf = (
  ended: readonly EndedPlace[],
  words: Readonly<Record<Exit, string>>,
  { output }: Pick<Context, 'output'>,
): string => {
  const { green, yellow, red } = palette(output.noteColor)
  const paints = { 0: green, 2: yellow, 3: yellow, 1: red }
  const groups = severity.flatMap((exit) => {
    const titles = ended.filter((each) => each.exit === exit).map(({ title }) => visible(title))
    return titles.length === 0 ? [] : [{ titles, word: words[exit], paint: paints[exit] }]
  })
  const counts = groups.map(({ titles, word, paint }) => paint(`${titles.length} ${word}`))
  const names = groups.map(({ titles, word, paint }) => `  ${paint(word)}: ${titles.join(', ')}`)
  const whole = `${ended.length} workspace${ended.length === 1 ? '' : 's'}: ${counts.join(', ')}`
  return [whole, ...(ended.length === 1 ? [] : names)].join('\n')
}

export interface PlaceWork<Place> {
  readonly title: string
  readonly place: Place
}

interface EachOptions<Place> {
  readonly words: Readonly<Record<Exit, string>>
  /** Writes its answer to the output of its context. */
  readonly work: (place: Place, context: Context) => Promise<Exit>
}

interface EndedWork extends EndedPlace {
  readonly answers: readonly unknown[]
  readonly error?: AppError
}

const runOne = async <Place>(
  { title, place }: PlaceWork<Place>,
  { work }: EachOptions<Place>,
  context: Context,
): Promise<EndedWork> => {
  const { output } = context
  const answers: unknown[] = []
  const collecting = { ...output, answer: (value: unknown) => void answers.push(value) }
  try {
    const exit = await work(place, output.json ? { ...context, output: collecting } : context)
    return { title, exit, answers }
  } catch (thrown) {
    const error = asAppError(asRefused(thrown))
    output.note(`${output.paint.bold(visible(title))}: it failed\n${errorText(error, output.noteColor)}`)
    return { title, exit: error.exit, answers, error }
  }
}

/**
 * Does the work of a command for several workspaces, one after the other: one that fails does not stop the others, but an
 * interrupt does. Returns the worst exit code. With `--json` the answers follow at the end, in one list. For a single one
 * the command answers as if there were no others.
 */
export const eachPlace = async <Place>(
  places: readonly PlaceWork<Place>[],
  options: EachOptions<Place>,
  context: Context,
): Promise<Exit> => {
  const [only] = places
  if (only !== undefined && places.length === 1) return options.work(only.place, context)
  const { output, host } = context
  const ended: EndedWork[] = []
  let isStopped = false
  const release = host.onInterrupt(() => {
    isStopped = true
  })
  try {
    for (const place of places) if (!isStopped) ended.push(await runOne(place, options, context))
  } finally {
    release()
  }
  if (output.json) {
    const results = ended.map(({ title, exit, answers: [answer], error }) => ({
      workspace: title,
      exit,
      ...(error === undefined ? { answer } : errorValue(error)),
    }))
    output.rawJson(`${JSON.stringify({ results }, null, 2)}\n`)
  }
  output.note(summaryOf(ended, options.words, context))
  const left = places.slice(ended.length).map(({ title }) => visible(title))
  if (left.length > 0) output.note(`stopped; not started: ${left.join(', ')}`)
  return worstOf([...ended.map(({ exit }) => exit), ...(left.length > 0 ? [3 as const] : [])])
}
