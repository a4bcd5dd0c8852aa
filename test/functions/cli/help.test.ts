import { Command } from 'commander'
import { expect, test } from 'vitest'
import { commands } from '../../../functions/cli/commands/index.ts'
import { completionCommand } from '../../../functions/cli/completion.ts'
import { register } from '../../../functions/cli/program.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

const all = [...commands, completionCommand(commands, [])]

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
      register(program, one, async () => {
        called = one.name
      })
    await program.parseAsync([...wordsIn(definition.example)], { from: 'user' })
    expect(called).toBe(name)
  },
)

test('the help of each command ends with its example', async () => {
  const { stdout } = await runCommand(['check', '--help'], { folder: '.' })
  expect(stdout).toMatch(/\nExample:\n {2}plumbline check --all --fail-on drift\n$/)
})
