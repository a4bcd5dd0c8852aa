import { Command } from 'commander'
import { expect, test } from 'vitest'
import { listed } from '../../../functions/cli/commands/index.ts'
import { completionCommand } from '../../../functions/cli/completion.ts'
import { register } from '../../../functions/cli/register.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

const loaded = await Promise.all(listed.map(async ([form, , load]) => ({ form, commands: (await load()).commands })))
const completion = { form: 'completion <shell>', commands: [completionCommand([])] }
const all = [...loaded, completion].flatMap(({ commands }) => commands)

/** The words of the one call of plumbline in a line for a shell. */
const wordsIn = (line: string): readonly string[] => {
  const [, call = ''] = /\bplumbline ([^|>)]*)/.exec(line) ?? []
  return [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...groups]) => groups.find(Boolean) ?? '')
}

test.each(all.map((definition) => [definition.name, definition] as const))(
  'the example of %s is accepted by the command',
  async (name, definition) => {
    let called = ''
    const program = new Command('plumbline').exitOverride().configureOutput({ writeErr: () => {} })
    for (const one of all)
      register(program, one, {
        listed: '',
        act: async () => {
          called = one.name
        },
      })
    await program.parseAsync([...wordsIn(definition.example)], { from: 'user' })
    expect(called).toBe(name)
  },
)

test('the help of each command ends with its example', async () => {
  const { stdout } = await runCommand(['check', '--help'], { folder: '.' })
  expect(stdout).toMatch(/\nExample:\n {2}plumbline check --all --fail-on drift\n$/)
})

test.each([...loaded, completion])(
  'the help of the program says $form, as the parser takes it',
  ({ form, commands }) => {
    const program = new Command('plumbline')
    for (const one of commands) register(program, one, { listed: '', act: async () => {} })
    expect(program.commands.map((command) => program.createHelp().subcommandTerm(command))).toEqual([form])
  },
)
