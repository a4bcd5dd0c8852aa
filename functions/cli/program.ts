import { Command, CommanderError, Help } from 'commander'
import { type Listed, listed } from './commands/index.ts'
import type { Exit } from './context.ts'
import type { Host } from './process/host.ts'
import { register, type Work } from './register.ts'
import type { Globals } from './run-work.ts'

/** `unsaid` receives the text that the parser would print as an error: this program prints errors itself. */
const createProgram = ({ version, stdout }: Host, unsaid: (text: string) => void): Command =>
  new Command('plumbline')
    .description('Finds drift from a configuration and applies approved repairs.')
    .version(version, '-V, --version')
    .option('--json', 'print one JSON value')
    .option('--endpoint <url>', 'use a deployed plumbline (PLUMBLINE_ENDPOINT)')
    .option('--token <token>', 'token for the endpoint (PLUMBLINE_TOKEN)')
    .option('--sign <aws>', 'sign requests to the endpoint with AWS credentials (PLUMBLINE_SIGN)')
    .option(
      '--store <where>',
      'the folder that keeps .plumbline, dynamodb:<table>, or memory: nothing is kept (PLUMBLINE_STORE)',
    )
    .option(
      '--root <folder>',
      'the folder that holds what workspaces share; the Git repository when absent (PLUMBLINE_ROOT)',
    )
    .option('--color', 'always use colors; or --color never|always|auto')
    .option('--no-color', 'use no colors')
    .configureHelp({ showGlobalOptions: true, sortOptions: false })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: unsaid })
    .exitOverride()
    .showSuggestionAfterError(true)

/** It needs the list of all other commands, so it is not in that list. */
const completion = (globals: readonly string[]): Listed => [
  'completion <shell>',
  'print a script that completes commands in a shell',
  async () => ({ commands: [(await import('./completion.ts')).completionCommand(globals)] }),
]

const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

const flags: Readonly<Record<string, readonly string[]>> = { always: ['--color'], never: ['--no-color'], auto: [] }

const flagFor = (when: string | undefined): readonly string[] | undefined =>
  when !== undefined && Object.hasOwn(flags, when) ? flags[when] : undefined

/**
 * Rewrites `--color never`, `always` or `auto`, also with "=", as flags without a word: the parser supports either a
 * flag or an option with a word, and a flag takes no word by mistake.
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

type Act = (work: Work) => Promise<void>

const typedWord = (program: Command, words: readonly string[]): string | undefined => {
  const [first, second] = program.parseOptions([...words]).operands
  return first === 'help' ? second : first
}

const fill = async (program: Command, typed: string | undefined, act: Act): Promise<void> => {
  const forms = new Map<Command, string>()
  const globals = program.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))
  for (const [form, summary, load] of [...listed, completion(globals)]) {
    const [word = ''] = form.split(' ')
    if (word !== typed) forms.set(program.command(word).summary(summary), form)
    else for (const definition of (await load()).commands) register(program, definition, { listed: summary, act })
  }
  const subcommandTerm = (command: Command) => forms.get(command) ?? Help.prototype.subcommandTerm(command)
  program.configureHelp({ ...program.configureHelp(), subcommandTerm })
}

/** What other tools call a check. */
const otherWords: ReadonlySet<string | undefined> = new Set(['plan', 'diff', 'refresh'])

/** What was meant by a word that other tools have, or that is a command of a group: `init` is `provider init`. */
const meantBy = async (typed: string | undefined): Promise<Error | undefined> => {
  const groups = await Promise.all(listed.map(async ([, , load]) => (await load()).commands))
  const names = groups.flat().map(({ name }) => name)
  const meant = otherWords.has(typed) ? 'check' : names.find((name) => name.split(' ').at(-1) === typed)
  const { AppError } = await import('#core')
  return meant === undefined
    ? undefined
    : new AppError('USAGE', { detail: `unknown command '${typed}': did you mean \`plumbline ${meant}\`?` })
}

const isUnknownCommand = (error: unknown): boolean =>
  error instanceof CommanderError && error.code === 'commander.unknownCommand'

export const runProgram = async (host: Host): Promise<Exit> => {
  let unsaid = ''
  const program = createProgram(host, (text) => {
    unsaid = text
  })
  let exit: Exit = 0
  const act = async (work: Work): Promise<void> => {
    const { runWork } = await import('./run-work.ts')
    exit = await runWork(host, program.opts<Globals>(), work)
  }
  const words = plainColorWords(host.argv)
  let typed: string | undefined
  try {
    typed = typedWord(program, words)
    await fill(program, typed, act)
    await program.parseAsync(words, { from: 'user' })
    return exit
  } catch (error) {
    const meant = isUnknownCommand(error) ? await meantBy(typed) : undefined
    if (!isHelp(error)) return (await import('./run-work.ts')).refuse(meant ?? error, host)
    // Without a command the parser treats the help as an error.
    if (error.code === 'commander.help') host.stdout.write(unsaid)
    return 0
  }
}
