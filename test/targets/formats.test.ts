import { chmodSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../builders/workspaces/command.ts'
import { installPython } from './servers/python.ts'
import { requirePrograms, runProgram } from './servers/run-server.ts'

/*
 * What a check says to pipelines, read by programs that pipelines use and that know nothing of Plumbline: a policy in Rego, a reader
 * of JUnit, Microsoft's validator of SARIF with GitHub's demands, and GitHub's renderer of Markdown.
 */

const place = join(import.meta.dirname, 'formats')
const validator = join(place, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool')
/** What a target says, and what no reader may take for its own syntax. */
const hostile = '[x](https://evil.example) <img src=x> `a` | b @everyone ]]> &amp; %0A::error::x'

let root: string
let interpreter: string

const addWorkspace = async (name: string, files: Readonly<Record<string, string>>, more = ''): Promise<void> => {
  const machine = join(root, name, 'machine')
  await mkdir(machine, { recursive: true })
  const entry = [`workspace: ${name}`, 'providers:', '  host: { source: host, with: { root: ./machine } }']
  const motd = ['resources:', '  - { type: host_file, name: motd, spec: { path: motd, content: hello } }', more]
  await writeFile(join(root, name, 'plumbline.yaml'), [...entry, ...motd].join('\n'))
  for (const [file, content] of Object.entries(files)) await writeFile(join(machine, file), content)
}

beforeAll(async () => {
  requirePrograms([validator], 'npm ci --prefix test/targets/formats')
  chmodSync(validator, 0o755)
  interpreter = await installPython('formats', join(place, 'requirements.txt'))
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-formats-')))
  await mkdir(join(root, '.git'))
  await addWorkspace('calm', { motd: 'hello' })
  await addWorkspace(
    'moved',
    { motd: hostile, old: 'x' },
    '  - { type: host_file, name: old, absent: true, spec: { path: old } }\n',
  )
  await mkdir(join(root, 'unread/machine/sub'), { recursive: true })
  await addWorkspace(
    'unread',
    { motd: 'hello' },
    '  - { type: host_file, name: dir, spec: { path: sub, content: x } }\n',
  )
  await addWorkspace('wrong', {}, '  - { type: host_fil, name: typo, spec: {} }\n')
}, 600_000)

afterAll(() => rm(root, { recursive: true, force: true }))

/** The file with what the command says. */
const said = async (...args: readonly string[]): Promise<string> => {
  const file = join(root, `said${args.join('')}`.replaceAll(/[^\w]/g, '-'))
  const { stdout } = await runCommand(['check', ...args], { folder: root })
  await writeFile(file, stdout)
  return file
}

const consumed = async <T>(asked: Readonly<Record<string, string>>): Promise<T> =>
  JSON.parse(await runProgram(interpreter, [join(place, 'consume.py'), JSON.stringify(asked)])) as T

const rule = async (): Promise<string> => {
  const page = await readFile(join(import.meta.dirname, '../../docs/ci.md'), 'utf8')
  const [, policy] = /```rego\n([^`]*)```/.exec(page) ?? []
  if (policy === undefined) throw new Error('docs/ci.md has no rule in Rego')
  return policy
}

test.each<[string, readonly string[], readonly string[]]>([
  ['what is in sync', ['calm'], []],
  ['one workspace that would delete', ['moved'], ['moved/host_file.old would be deleted']],
  ['one that could not be read', ['unread'], ['the check is not complete']],
  ['one that is invalid', ['wrong'], ['the check is not complete']],
  ['all of them', ['--all'], ['moved/host_file.old would be deleted', 'the check is not complete']],
])('the rule of docs/ci.md denies what it should: %s', async (_, args, denied) => {
  const found = await consumed<string[]>({ policy: await rule(), plan: await said(...args, '--json') })
  expect(found.map((each) => each.replace(/^host_file/, `${args[0]}/host_file`))).toEqual(denied)
})

test('a reader of JUnit finds a suite for each workspace, and a case for each finding', async () => {
  expect(await consumed({ junit: await said('--all', '--format', 'junit') })).toEqual({
    calm: { 'in sync, 1 resource checked': [] },
    moved: { 'host_file.motd': ['Failure'], 'host_file.old': ['Failure'] },
    unread: expect.objectContaining({ 'host_file.dir': ['Error'] }),
    wrong: { 'wrong/plumbline.yaml:6:13': ['Error'] },
  })
})

test("Microsoft's validator finds nothing in SARIF that code scanning refuses", async () => {
  const file = await said('--all', '--format', 'sarif')
  const printed = await runProgram(validator, ['validate', file, '--rule-kind', 'Sarif;Gh'], {
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
  })
  expect(printed).toContain('Analysis completed successfully')
  const faults = printed.split('\n').filter((line) => /\b(error|warning) [A-Z]+\d+:/.test(line))
  // No page in the internet is the product's own.
  expect(faults.filter((line) => !line.includes("'informationUri'"))).toEqual([])
})

test('the validator finds what is wrong', async () => {
  const text = await readFile(await said('--all', '--format', 'sarif'), 'utf8')
  const broken = join(root, 'broken.sarif')
  await writeFile(broken, text.replaceAll('"uri"', '"url"'))
  const printed = await runProgram(validator, ['validate', broken, '--rule-kind', 'Sarif;Gh']).catch(
    (error: { stdout: string }) => error.stdout,
  )
  expect(printed).toMatch(/error (JSON|SARIF|GH)\d+/)
})

test("GitHub's renderer shows a table of all workspaces, and what a target says as text", async () => {
  const html = await consumed<string>({ markdown: await said('--all', '--format', 'markdown') })
  for (const workspace of ['calm', 'moved', 'unread', 'wrong']) expect(html).toContain(workspace)
  expect(html).toContain('<table>')
  expect(html).not.toMatch(/<img|href="https:\/\/evil/)
})
