import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

const configuration = `workspace: greeting
variables:
  greeting: { type: string, validation: { length: { max: 5 } } }
  token: { type: string, sensitive: true, default: { secret: "env:TOKEN" } }
providers: { host: { source: host, with: { root: ./machine } } }
resources:
  - { type: host_file, name: motd, spec: { path: motd, content: "\${var.greeting}\\n" } }
`

let folder: string
const run = async (args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
  const ended = await runCommand([...args, '--json'], { folder, variables })
  return { ...ended, value: ended.stdout === '' ? undefined : JSON.parse(ended.stdout) }
}
const push = async (args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<string> => {
  const { code, value } = await run(['workspace', 'push', ...args], variables)
  expect(code).toBe(0)
  return value.configurationDigest
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-variables-'))
  await mkdir(join(folder, 'machine'))
  await writeFile(join(folder, 'plumbline.yaml'), configuration)
  await writeFile(join(folder, 'values.yaml'), 'greeting: file\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a required variable is requested wherever the configuration is loaded', async () => {
  for (const command of [['validate'], ['check'], ['workspace', 'push'], ['apply', '--yes'], ['import', 'host_file']]) {
    const { code, value } = await run(command)
    expect([command, code, value.error.code]).toEqual([command, 1, 'CONFIG_INVALID'])
    expect(value.error.issues[0]).toMatchObject({ code: 'noValue', file: 'plumbline.yaml', line: 3 })
  }
})

test('a wrong value is reported with the place where it was given', async () => {
  const places = [
    [['--var', 'greeting=too long'], {}, '--var greeting', 0],
    [[], { PLUMBLINE_VAR_greeting: 'too long' }, 'PLUMBLINE_VAR_greeting', 0],
    [['--var', 'greeting=hi', '--var', 'token=hunter2'], {}, '--var token', 0],
    [['--var', 'greeting=hi', '--var', 'other=1'], {}, '--var other', 0],
  ] as const
  for (const [args, variables, file, line] of places) {
    const { value, stdout } = await run(['validate', ...args], variables)
    expect(value.error.issues).toEqual([expect.objectContaining({ file, line })])
    expect(stdout).not.toContain('hunter2')
  }
  const text = await runCommand(['validate', '--var', 'greeting=too long'], { folder })
  expect(text.stderr).toContain('--var greeting: the value of variable "greeting" has 8 characters')
  expect((await run(['validate', '--var', 'greeting'])).value.error.code).toBe('USAGE')
  expect((await run(['validate', '--var-file', 'none.yaml'])).value.error.code).toBe('USAGE')
})

test('the values belong to the configuration: a run uses them, and its digest changes with them', long, async () => {
  const hi = await push(['--var', 'greeting=hi'])
  expect(await push([], { PLUMBLINE_VAR_greeting: 'hi' })).toBe(hi)
  expect(await push(['--var', 'greeting=hi'], { PLUMBLINE_VAR_greeting: 'no', PLUMBLINE_VAR_other: 'x' })).toBe(hi)
  expect(await push(['--var-file', 'values.yaml'])).not.toBe(hi)
  const applied = await run(['apply', '--yes', '--var', 'greeting=hello'])
  expect(applied.code).toBe(0)
  expect(await readFile(join(folder, 'machine', 'motd'), 'utf8')).toBe('hello\n')
  const same = await run(['check', '--var', 'greeting=hello'])
  expect(same.code).toBe(0)
  const other = await run(['check', '--var-file', 'values.yaml'])
  expect(other.code).toBe(2)
  expect(JSON.stringify(other.value)).toContain('file\\n')
})
