import type { WriteStream } from 'node:tty'
import { printable, visible } from '#core'
import type { Host } from '../process/host.ts'
import { type Paint, paint } from './paint.ts'

/** What a command says. Standard output holds its answer and nothing else; all that goes with it is on standard error. */
export interface Output {
  readonly json: boolean
  /** Of the answer. */
  readonly color: boolean
  readonly width: number
  /** For notes. */
  readonly noteColor: boolean
  readonly paint: Paint
  /** True where a person can be asked. */
  readonly interactive: boolean
  /** The one answer: the value with `--json`, else the text. */
  answer(value: unknown, text: () => string): void
  /** The answer in either form, in parts, for a program or a file; a terminal gets it as `text`. */
  raw(text: string): void
  /** JSON that is the answer in either form, in parts. */
  rawJson(text: string): void
  /** Text for a person, in parts. */
  text(text: string): void
  /** A line or lines beside the answer. */
  note(text: string): void
  /** The one line that says what is going on, on a terminal only; `undefined` takes it away. */
  progress(text: string | undefined): void
}

export interface OutputOptions {
  readonly json: boolean
  /** `undefined`: where it is shown on a terminal that does not mind. */
  readonly color: boolean | undefined
}

/** A quick command shows no progress at all. */
const patienceMs = 400
const clearLine = `\r${String.fromCharCode(27)}[K`

/** https://no-color.org: any value but the empty one. */
const wantsColor = (host: Pick<Host, 'variables'>, stream: WriteStream, given: boolean | undefined): boolean =>
  given ?? (stream.isTTY === true && (host.variables['NO_COLOR'] ?? '') === '' && host.variables['TERM'] !== 'dumb')

const progressLine = (stream: WriteStream) => {
  const started = Date.now()
  let shown = false
  return (text: string | undefined): void => {
    if (stream.isTTY !== true) return
    if (text === undefined) {
      if (shown) stream.write(clearLine)
      shown = false
    } else if (Date.now() - started > patienceMs) {
      stream.write(clearLine + visible(text).slice(0, Math.max(0, (stream.columns ?? 80) - 1)))
      shown = true
    }
  }
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** `json` and `color` as the command was asked for them. */
export const createOutput = (host: Host, { json, color }: OutputOptions): Output => {
  const { stdin, stdout, stderr } = host
  const progress = progressLine(stderr)
  const textColor = !json && wantsColor(host, stdout, color)
  const noteColor = wantsColor(host, stderr, color)
  // Whatever anybody wrote passes here on its way to a terminal: it must not move the cursor, hide or reorder.
  const write = (text: string): void => {
    progress(undefined)
    stdout.write(printable(text, textColor))
  }
  const rawJson = (text: string): void => {
    progress(undefined)
    stdout.write(printable(text))
  }
  return {
    json,
    color: textColor,
    width: stdout.columns ?? 100,
    noteColor,
    paint: paint(noteColor),
    interactive: stdin.isTTY === true && stderr.isTTY === true && !json,
    answer: (value, text) => {
      progress(undefined)
      if (json) rawJson(`${JSON.stringify(value, null, 2)}\n`)
      else write(withLineEnd(text()))
    },
    raw: (text) => {
      progress(undefined)
      if (stdout.isTTY === true) write(text)
      else stdout.write(text)
    },
    rawJson,
    text: write,
    note: (text) => {
      progress(undefined)
      stderr.write(printable(withLineEnd(text), noteColor))
    },
    progress,
  }
}
