import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../infra/bundle.ts'
import { strangersEnvironment as env, installedProject } from '../builders/aws/packed.ts'
import { long } from '../builders/long.ts'

const run = promisify(execFile)
const page = readFileSync(join(root, 'docs/library.md'), 'utf8')
const [, typescript = '', javascript = ''] = /```ts\n(.*?)```.*?```js\n(.*?)```/s.exec(page) ?? []

/** The package as it is published, in an empty project with two workspaces. */
describe('the library in the published package', () => {
  let project: Awaited<ReturnType<typeof installedProject>>
  const file = (path: string): string => join(project.path, path)
  const motd = (content: string) => writeFileSync(file('acme/machine/motd'), content)
  const start = async (name: string, text: string, more: Readonly<Record<string, string>> = {}) => {
    writeFileSync(file(name), text)
    return run(process.execPath, [name], { cwd: project.path, env: { ...env, ...more } })
  }

  beforeAll(async () => {
    project = await installedProject()
    expect(project.warnings).toBe('')
    mkdirSync(file('acme/machine'), { recursive: true })
    mkdirSync(file('broken'))
    writeFileSync(
      file('acme/plumbline.yaml'),
      [
        'workspace: acme',
        'variables: { greeting: { type: string, default: hello } }',
        'providers: { host: { source: host, with: { root: ./machine } } }',
        'resources:',
        '  - { type: host_file, name: motd, spec: { path: motd, content: "${var.greeting}" } }',
        '',
      ].join('\n'),
    )
    writeFileSync(file('broken/plumbline.yaml'), 'workspace: broken\nresources: 7\n')
  })
  afterAll(() => project.remove())

  it('checks, renders and applies as its page says, in the ledger that the command verifies', long, async () => {
    motd('moved')
    const { stdout, stderr } = await start('first.mts', typescript)
    expect(stdout).toContain('host_file.motd')
    expect(stdout).toContain('succeeded: 1 command')
    expect(stderr).toBe('')
    expect(readFileSync(file('acme/machine/motd'), 'utf8')).toBe('hello')
    const bin = file('node_modules/.bin/plumbline')
    const verified = await run(process.execPath, [bin, 'ledger', 'verify', 'acme'], { cwd: project.path, env })
    expect(verified.stdout).toContain('intact')
    const entries = await run(process.execPath, [bin, 'ledger', 'list', 'acme'], { cwd: project.path, env })
    expect(entries.stdout).toContain('change 4711')
  })

  it('names each problem of a configuration at its place', long, async () => {
    const { stdout, stderr } = await start('problems.mjs', javascript)
    expect(stdout).toMatch(/^plumbline\.yaml:2 .*list/m)
    expect(stderr).toBe('')
  })

  it('keeps nothing without a store, and takes values and variables of the environment', long, async () => {
    motd('good day')
    const text = `import { check } from '@plumbline/cli'
const statuses = []
for (const options of [{ variables: { greeting: 'good day' } }, {}, { environment: {} }])
  statuses.push((await check('acme', options)).run.status)
console.log(statuses.join())
`
    const before = readdirSync(project.path)
    const { stdout } = await start('values.mjs', text, { PLUMBLINE_VAR_greeting: 'good day' })
    expect(stdout).toBe('in_sync,in_sync,changes\n')
    expect(readdirSync(project.path).filter((name) => !before.includes(name))).toEqual(['values.mjs'])
    expect(readdirSync(file('acme'))).toEqual(['machine', 'plumbline.yaml'])
  })

  const refused: readonly (readonly [string, string, string, string])[] = [
    ['an unknown option', "check('acme', { storre: '.' })", 'OPTION_INVALID', 'storre'],
    [
      'an apply without a store',
      `apply('acme', { digest: 'sha256:${'0'.repeat(64)}', reason: 'x' })`,
      'OPTION_INVALID',
      'store',
    ],
    [
      'a blank reason',
      `apply('acme', { store: '.', digest: 'sha256:${'0'.repeat(64)}', reason: ' ' })`,
      'OPTION_INVALID',
      'reason',
    ],
    [
      'a digest that nobody saw',
      `apply('acme', { store: '.', digest: 'sha256:${'0'.repeat(64)}', reason: 'x' })`,
      'PLAN_NOT_FOUND',
      '000',
    ],
    ['a folder without a configuration', "check('nowhere')", 'CONFIG_NOT_FOUND', 'nowhere'],
    ['a store that does not exist', "check('acme', { store: './none' })", 'USAGE', './none'],
    ['an interrupted check', "check('acme', { signal: AbortSignal.abort() })", 'INTERRUPTED', ''],
  ]

  /** What each call is refused with, from one process: to load the library costs more than the calls. */
  const refuse = async (): Promise<readonly unknown[]> => {
    const calls = refused.map(([, call]) => `() => ${call}`)
    const { stdout } = await start(
      'refused.mjs',
      `import { apply, check, isPlumblineError } from '@plumbline/cli'
const said = []
for (const call of [${calls.join(', ')}]) {
  const error = await call().then(() => undefined, (error) => error)
  said.push([isPlumblineError(error), isPlumblineError(error, 'LOCKED'), error?.code, error?.message])
}
console.log(JSON.stringify(said))
`,
    )
    return JSON.parse(stdout) as readonly unknown[]
  }
  let said: Promise<readonly unknown[]> | undefined

  it.each(refused)('refuses %s with a code', async (title, _, code, words) => {
    said ??= refuse()
    const answer = (await said)[refused.findIndex(([name]) => name === title)]
    expect(answer).toEqual([true, false, code, expect.stringContaining(words)])
  })

  it('brings its pages, its schemas and the documents of the examples', () => {
    const there = (path: string) => readdirSync(file(join('node_modules/@plumbline/cli', path)))
    expect(there('docs')).toEqual(
      expect.arrayContaining(['library.md', 'plumbline.schema.json', 'provider.schema.json']),
    )
    expect(there('examples/powerdns')).toContain('powerdns.provider.yaml')
  })
})
