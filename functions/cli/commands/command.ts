import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context, Exit } from '../context.ts'

/** What a command does once its words are understood. */
export type Run = (context: Context) => Promise<Exit>

/** Adds a command to the program; `run` takes the one that was chosen. */
export type Register = (program: Command, run: (run: Run) => Promise<void>) => void

/** The command under this name, made where it is missing. */
export const groupOf = (program: Command, name: string, summary: string): Command =>
  program.commands.find((command) => command.name() === name) ??
  program.command(name).summary(summary).description(summary)

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`it is not a whole number from ${least} to ${most}.`)
  }

/** An ISO 8601 time or day, as an instant. */
export const instant = (text: string): string => {
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('it is not a time such as 2026-11-21T06:00:00Z.')
}

export const limitOption = (): Option =>
  new Option('-n, --limit <number>', 'how many to show').argParser(wholeNumber(1, 200)).default(50)

export const afterOption = (): Option => new Option('--after <cursor>', 'the page after this one')

export const digestArgument = (text: string): string => {
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('it is not sha256: and 64 hexadecimal digits.')
}

export const httpAddress = (text: string): string => {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('it is not an http or https address.')
}

export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]
