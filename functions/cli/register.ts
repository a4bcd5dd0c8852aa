import type { Command } from 'commander'
import type { CommandDefinition } from './commands/command.ts'
import type { Context, Exit } from './context.ts'

export type Work = (context: Context) => Promise<Exit>

const parentOf = (program: Command, [first = '', second]: readonly string[], group: string): Command => {
  if (second === undefined) return program
  const known = program.commands.find((command) => command.name() === first)
  return known ?? program.command(first).summary(group).description(group)
}

/** Adds a command to the program: its parser and its help. `listed`: the summary of its first word in the main help. */
export const register = (
  program: Command,
  definition: CommandDefinition,
  { listed, act }: { readonly listed: string; readonly act: (work: Work) => Promise<void> },
): void => {
  const { name, example, alias, summary = listed, description, argument, second, options = [], run } = definition
  const words = name.split(' ')
  const parent = parentOf(program, words, listed)
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
    // An option that the parent command has too was parsed by the parent.
    const options = parent === program ? command.opts() : { ...parent.opts(), ...command.opts() }
    const given = second === undefined ? argument && first : [first, next]
    return act((context) => run({ ...context, given: options }, given as never, options as never))
  })
}
