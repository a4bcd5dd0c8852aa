import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCommand } from '../../builders/workspaces/command.ts'

/** What bash offers at the end of a line. */
const offered = async (script: string, line: readonly string[]): Promise<readonly string[]> => {
  const ask = `COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`])
  return stdout.split('\n').filter((word) => word !== '')
}

test.each<[string[], string[]]>([
  [['plumbline', 'led'], ['ledger']],
  [
    ['plumbline', 'ledger', ''],
    ['list', 'verify', 'export', 'anchor'],
  ],
  [['plumbline', 'ledger', 'v'], ['verify']],
  [
    ['plumbline', 'ledger', 'verify', '--he'],
    ['--head', '--head-file'],
  ],
  [['plumbline', '--json', 'ledger', 'verify', '--fi'], ['--file']],
  [['plumbline', 'check', '--forma'], ['--format']],
  [['plumbline', 'check', 'a-folder', '--forma'], ['--format']],
  [['plumbline', 'check', '--st'], ['--store']],
  [['plumbline', 'check', 'plum'], []],
])('the completion of %j offers %j', async (line, expected) => {
  const { stdout } = await runCommand(['completion', 'bash'], { folder: tmpdir() })
  expect(await offered(stdout, line)).toEqual(expected)
})

test('zsh uses the functions of bash, and other shells are refused', async () => {
  const { stdout } = await runCommand(['completion', 'zsh'], { folder: tmpdir() })
  expect(stdout.split('\n').slice(0, 2)).toEqual(['autoload -U +X bashcompinit && bashcompinit', '_plumbline() {'])
  expect(await runCommand(['completion', 'tcsh'], { folder: tmpdir() })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('bash and zsh'),
  })
})
