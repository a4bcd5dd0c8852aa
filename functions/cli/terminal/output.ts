import type { WriteStream } from 'node:tty'
import { palette, printable, visible } from '#core'
import type { Host } from '../process/host.ts'
import { showInPager } from './pager.ts'

interface OutputOptions {
  readonly json: boolean
  /** `undefined`: colors are used if the terminal has them. */
  readonly color: boolean | undefined
}

/** Progress is shown only after this time, so that a quick command shows none. */
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

/** The verdict and what it counts. */
const firstLines = 3

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/**
 * Standard output gets the answer and nothing else; notes and progress go to standard error. `json` and `color` are the
 * options of the command.
 */
export const createOutput = (host: Host, { json, color }: OutputOptions) => {
  const { stdin, stdout, stderr } = host
  const progress = progressLine(stderr)
  const textColor = !json && wantsColor(host, stdout, color)
  const noteColor = wantsColor(host, stderr, color)
  // All external text passes through here on its way to a terminal: it must not move the cursor, hide or reorder text.
  const write = (text: string, withColor: boolean): void => {
    progress(undefined)
    stdout.write(printable(text, withColor))
  }
  const text = (given: string): void => write(given, textColor)
  const rawJson = (given: string): void => write(given, false)
  return {
    json,
    color: textColor,
    width: stdout.columns ?? 100,
    /** False: the output may be searched, so nothing is shortened. */
    isTerminal: stdout.isTTY === true,
    noteColor,
    paint: palette(noteColor),
    interactive: stdin.isTTY === true && stderr.isTTY === true && !json,
    /** Writes the only answer: the value with `--json`, else the text. */
    answer: (value: unknown, render: () => string): void => {
      if (json) rawJson(`${JSON.stringify(value, null, 2)}\n`)
      else text(withLineEnd(render()))
    },
    /** Writes the answer with or without `--json`, in parts, for a program or a file; a terminal gets it as `text`. */
    raw: (given: string): void => {
      progress(undefined)
      if (stdout.isTTY === true) text(given)
      else stdout.write(given)
    },
    /**
     * Writes a long answer: at a terminal with the pager of the reader, and its first lines once more after it; elsewhere as
     * `raw` does.
     */
    page: (given: string): void => {
      progress(undefined)
      if (stdout.isTTY !== true) return void stdout.write(given)
      const shown = withLineEnd(printable(given, textColor))
      if (!showInPager(shown, host)) return void stdout.write(shown)
      stdout.write(`${shown.split('\n').slice(0, firstLines).join('\n')}\n`)
    },
    rawJson,
    text,
    note: (given: string): void => {
      progress(undefined)
      stderr.write(printable(withLineEnd(given), noteColor))
    },
    /** Shows the current step in one line, on a terminal only; `undefined` removes it. */
    progress,
  }
}

export type Output = ReturnType<typeof createOutput>
