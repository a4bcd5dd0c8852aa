import { InvalidArgumentError, Option } from 'commander'
import { AppError, reasonProblem, type Selection } from '#core'
import type { Context, Exit } from '../context.ts'

interface Definition<Argument, Options> {
  /** The name as it is typed: `ledger list`. */
  readonly name: string
  readonly example: string
  readonly alias?: string
  /** Only for a command with two words: the summary of a command with one word is in the list of all commands. */
  readonly summary?: string
  readonly description: string
  readonly argument?: readonly [form: string, meaning: string, otherwise?: string]
  /** A second argument: then `run` gets both in a list. */
  readonly second?: readonly [form: string, meaning: string]
  readonly options?: readonly Option[]
  readonly run: (context: Context, argument: Argument, options: Options) => Promise<Exit>
}

/** The parser passes only values that the forms of the argument and the options accept. */
export type CommandDefinition = Definition<never, never>

export const command = <Argument, Options>(definition: Definition<Argument, Options>): CommandDefinition => definition

export const workspaceArgument = ['[workspace]', 'a folder, or the name of a workspace'] as const
export const workspacesArgument = [
  '[workspace...]',
  'folders, names of workspaces, or patterns of both, as in "team-*"',
] as const
export const folderArgument = ['[folder]', 'folder with plumbline.yaml, .json, .jsonc or .jsonnet'] as const

/** Without `parse` the value stays a text. */
export const option = <Value>(
  flags: string,
  meaning: string,
  parse?: (text: string, before: Value) => Value,
): Option => {
  const made = new Option(flags, meaning)
  return parse === undefined ? made : made.argParser(parse)
}

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`it is not a whole number from ${least} to ${most}.`)
  }

/** Reads an ISO 8601 time or day, and returns an instant. */
export const instant = (text: string): string => {
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('it is not a time such as 2026-11-21T06:00:00Z.')
}

export const duration = (text: string): string => {
  if (/^[1-9]\d{0,5}[smhdw]$/.test(text)) return text
  throw new InvalidArgumentError('it is not a duration such as 12h, 7d or 2w.')
}

/** Reads `name=value`. A value may be a secret: the error does not quote it. */
export const pair = (text: string, form: string): readonly [name: string, value: string] => {
  const at = text.indexOf('=')
  if (at < 1) throw new AppError('USAGE', { detail: `one of the words is not of the form ${form}` })
  return [text.slice(0, at), text.slice(at + 1)]
}

export const digestArgument = (text: string): string => {
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('it is not sha256: and 64 hexadecimal digits.')
}

const reasonArgument = (text: string): string => {
  const problem = reasonProblem(text.trim())
  if (problem === undefined) return text.trim()
  throw new InvalidArgumentError(`${problem}.`)
}

export const reasonOption = (purpose = 'for the ledger'): Option =>
  option('--reason <text>', `reason, ${purpose}`, reasonArgument)

export const httpAddress = (text: string): string => {
  const url = URL.parse(text)
  // The usual error would repeat the password, and so would that of a request.
  if (url === null ? text.includes('@') : `${url.username}${url.password}` !== '')
    throw new AppError('USAGE', { detail: 'an address that was given has a user or a password in it: remove them' })
  if (/^https?:$/.test(url?.protocol ?? '')) return text
  throw new InvalidArgumentError('it is not an http or https address.')
}

export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

export const pagingOptions: readonly Option[] = [
  option('-n, --limit <number>', 'number of items', wholeNumber(1, 200)).default(50),
  option('--after <cursor>', 'continue after this cursor, which the page before shows'),
]

export const variableOptions: readonly Option[] = [
  option('--var <name=value>', 'value of a variable; repeatable', collect),
  option('--var-file <file>', 'YAML or JSON file with values of variables; repeatable', collect),
]

export interface SelectionOptions {
  readonly target?: readonly string[]
  readonly exclude?: readonly string[]
}

export const selectionOptions: readonly Option[] = [
  option(
    '--target <address>',
    'only this resource and what it waits for, with a digest of its own; `*` matches any part; repeatable',
    collect,
  ),
  option(
    '--exclude <address>',
    'without this resource and what waits for it; `*` matches any part; repeatable',
    collect,
  ),
]

export const selectionIn = ({ target, exclude }: SelectionOptions): Selection => ({ targets: target, exclude })

export const allOption = (): Option =>
  option('--all', 'all workspaces whose configurations are in the folders and below them')

/** Throws USAGE if the store goes with the command, and with it everything that `what` would put there. */
export const refuseUnkept = ({ keepsNothing }: Context, what: string): void => {
  if (keepsNothing)
    throw new AppError('USAGE', { detail: `--store memory keeps nothing, and ${what} needs a store that stays` })
}
