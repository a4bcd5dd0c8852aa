import type { Command, Grade } from '../../../engine/schema/command.ts'
import type { NamedReference } from '../../../engine/schema/stored/plan.ts'
import { padStart, wrap } from '../characters/measure.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { plain } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'
import { commandWords, showRequest } from '../requests/show-request.ts'

export interface PrintOptions {
  readonly color?: boolean
  /** Columns of the terminal. */
  readonly width?: number
  /** What ids in the requests are called in the configuration. */
  readonly references?: readonly NamedReference[]
}

export const defaultWidth = 100

/**
 * What will be sent, in this order: every method, URL, header and body, whole. Secrets are shown as `$NAME` or `${source}`,
 * values of earlier commands as `(known after apply: <address> <pointer>)`; neither is quoted, so no text can look like one.
 */
export const renderCommands = (commands: readonly Command[], options: PrintOptions = {}): string => {
  if (commands.length === 0) return 'no commands: nothing would be sent\n'
  const digits = String(commands.length).length
  return `${commands.map((command, n) => printCommand(command, n + 1, digits, options).join('\n')).join('\n\n')}\n`
}

const printCommand = (command: Command, n: number, digits: number, options: PrintOptions): readonly string[] => {
  const paint = palette(options.color)
  const width = options.width ?? defaultWidth
  const margin = ' '.repeat(digits + 4)
  const { method, url, headers, body } = showRequest(command.request, width - margin.length)
  const words = wrap(
    `# ${visible(command.id)}: ${plain(commandWords(command, options.references))}`,
    width - margin.length,
  )
  return [
    `  ${padStart(String(n), digits)}. ${paint.bold(method)} ${url}`,
    ...headers.map((header) => `${margin}${paint.dim(header)}`),
    ...body.map((line) => `${margin}${line}`),
    ...words.map((line, position) => `${margin}${byGrade(command.grade, paint)(position === 0 ? line : `# ${line}`)}`),
  ]
}

/** Irreversible commands have a stronger colour. */
const byGrade = (grade: Grade, paint: Palette): Palette['dim'] =>
  grade === 'irreversible' ? paint.red : grade === 'reversible' ? paint.dim : paint.yellow
