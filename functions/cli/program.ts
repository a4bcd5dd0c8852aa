import { Command, CommanderError } from 'commander'
import { AppError, asAppError, defined } from '#core'
import { asRefused } from '../adapters/files/system-errors.ts'
import type { CommandDefinition } from './commands/command.ts'
import { commands, groups } from './commands/index.ts'
import { completionCommand } from './completion.ts'
import type { Context, Exit } from './context.ts'
import type { Host } from './process/host.ts'
import { chooseStore } from './state/choose-store.ts'
import { errorText, errorValue } from './terminal/error-text.ts'
import { createOutput, type Output } from './terminal/output.ts'

/** A command with its parsed arguments. */
type Work = (context: Context) => Promise<Exit>

interface Globals {
  readonly json?: boolean
  readonly color?: boolean
  readonly endpoint?: string
  readonly token?: string
  readonly store?: string
}

/** An empty variable counts as absent. */
const variable = ({ variables }: Host, name: string): string | undefined => variables[name] || undefined

const endpointOf = (host: Host, given: Globals): { endpoint?: Context['endpoint'] & {} } => {
  const url = given.endpoint ?? variable(host, 'PLUMBLINE_ENDPOINT')
  if (url === undefined) return {}
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AppError('USAGE', { detail: `the endpoint "${url}" is not an http or https address` })
  return { endpoint: { url: url.replace(/\/+$/, ''), token: given.token ?? variable(host, 'PLUMBLINE_TOKEN') } }
}

/** `unsaid` gets what the parser would print as an error: we print errors ourselves. */
const createProgram = ({ version, stdout }: Host, unsaid: (text: string) => void): Command =>
  new Command('plumbline')
    .description('Finds drift from a configuration and applies approved repairs.')
    .version(version, '-V, --version')
    .option('--json', 'print one JSON value')
    .option('--endpoint <url>', 'use a deployed plumbline (PLUMBLINE_ENDPOINT)')
    .option('--token <token>', 'token for the endpoint (PLUMBLINE_TOKEN)')
    .option(
      '--store <where>',
      'the folder that keeps .plumbline, dynamodb:<table>, or memory: nothing is kept (PLUMBLINE_STORE)',
    )
    .option('--color', 'always use colors; or --color never|always|auto')
    .option('--no-color', 'use no colors')
    .configureHelp({ showGlobalOptions: true, sortOptions: false })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: unsaid })
    .exitOverride()
    .showSuggestionAfterError(true)

/** The program itself, or the command for the first of two words, made where it is missing. */
const parentOf = (program: Command, [first = '', second]: readonly string[]): Command => {
  if (second === undefined) return program
  const known = program.commands.find((command) => command.name() === first)
  return (
    known ??
    program
      .command(first)
      .summary(groups[first] ?? '')
      .description(groups[first] ?? '')
  )
}

/** Adds a command to the program: how it is parsed, and its help. */
export const register = (program: Command, definition: CommandDefinition, act: (work: Work) => Promise<void>): void => {
  const { name, example, alias, summary, description, argument, second, options = [], run } = definition
  const words = name.split(' ')
  const parent = parentOf(program, words)
  const command = parent
    .command(words.at(-1) ?? '')
    .summary(summary)
    .description(description)
  command.addHelpText('after', `\nExample:\n  ${example}`)
  if (alias !== undefined) command.alias(alias)
  if (argument !== undefined) command.argument(...argument)
  if (second !== undefined) command.argument(...second)
  for (const option of options) command.addOption(option)
  command.action((first: unknown, next: unknown) => {
    // An option that the command before it has too was taken by that one.
    const options = parent === program ? command.opts() : { ...parent.opts(), ...command.opts() }
    const given = second === undefined ? argument && first : [first, next]
    return act((context) => run({ ...context, given: options }, given as never, options as never))
  })
}

const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

const asRefusal = (error: unknown): AppError =>
  error instanceof CommanderError
    ? new AppError('USAGE', { detail: error.message.replace(/^error: /, '').trim() }, { cause: error })
    : asAppError(asRefused(error))

const tell = (error: unknown, output: Output): Exit => {
  const refusal = asRefusal(error)
  if (output.json) output.answer(errorValue(refusal), () => '')
  else output.note(errorText(refusal, output.noteColor))
  return refusal.exit
}

/** True if the words contain --json, even if they are invalid otherwise. */
const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}

const flags: Readonly<Record<string, readonly string[]>> = { always: ['--color'], never: ['--no-color'], auto: [] }

const flagFor = (when: string | undefined): readonly string[] | undefined =>
  when !== undefined && Object.hasOwn(flags, when) ? flags[when] : undefined

/**
 * `--color never`, `always` or `auto`, also with "=", as the flags without a word: the parser knows either a flag or an
 * option with a word, and a flag takes no word by mistake.
 */
export const plainColorWords = (argv: readonly string[]): string[] => {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  const plain = words.flatMap((word, index) => {
    if (word === '--color') return flagFor(words[index + 1]) ?? [word]
    if (words[index - 1] === '--color' && flagFor(word) !== undefined) return []
    return (word.startsWith('--color=') ? flagFor(word.slice('--color='.length)) : undefined) ?? [word]
  })
  return end < 0 ? plain : [...plain, ...argv.slice(end)]
}

/** Runs one command and answers its exit code; every error is shown and has an exit code. */
export const runProgram = async (host: Host): Promise<Exit> => {
  let unsaid = ''
  const program = createProgram(host, (text) => {
    unsaid = text
  })
  let exit: Exit = 0
  let output = createOutput(host, { json: wantsJson(host.argv), color: undefined })
  const act = async (work: Work): Promise<void> => {
    const given = program.opts<Globals>()
    output = createOutput(host, { json: given.json === true, color: given.color })
    const endpoint = endpointOf(host, given)
    await using store = await chooseStore(given.store, variable(host, 'PLUMBLINE_STORE'), host)
    if (given.store !== undefined && given.endpoint !== undefined)
      throw new AppError('USAGE', { detail: '--store is of this machine, and --endpoint of another: remove one' })
    const here = { ...host, invocation: `${host.invocation}${store.words ?? ''}` }
    exit = await work({
      host: here,
      output,
      ...endpoint,
      ...defined({ storeFolder: store.folder, storeTable: store.table }),
    })
  }
  const globals = program.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))
  for (const definition of [...commands, completionCommand(commands, globals)]) register(program, definition, act)
  try {
    await program.parseAsync(plainColorWords(host.argv), { from: 'user' })
    return exit
  } catch (error) {
    if (!isHelp(error)) return tell(error, output)
    // Without a command the parser takes the help for an error.
    if (error.code === 'commander.help') host.stdout.write(unsaid)
    return 0
  }
}
