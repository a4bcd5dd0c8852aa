import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleCommand, root } from '../../infra/bundle.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

const run = promisify(execFile)
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
const page = readFileSync(join(root, 'docs/library.md'), 'utf8')
const [, typescript = '', javascript = ''] = /```ts\n(.*?)```.*?```js\n(.*?)```/s.exec(page) ?? []

/** The package as it is published, in an empty project with two workspaces. */
describe('the library in the published package', () => {
  const [staging, project] = [temporaryFolder(), temporaryFolder()]
  const file = (path: string): string => join(project.path, path)
  const motd = (content: string) => writeFileSync(file('acme/machine/motd'), content)
  const start = async (name: string, text: string, more: Readonly<Record<string, string>> = {}) => {
    writeFileSync(file(name), text)
    return run(process.execPath, [name], { cwd: project.path, env: { ...env, ...more } })
  }

  beforeAll(async () => {
    for (const name of ['package.json', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'examples'])
      cpSync(join(root, name), join(staging.path, name), { recursive: true })
    await bundleCommand(join(staging.path, 'dist'))
    await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: staging.path, env })
    const tarball = readdirSync(staging.path).find((name) => name.endsWith('.tgz')) ?? expect.unreachable()
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
    const { stderr } = await run('npm', [...install, join(staging.path, tarball)], { cwd: project.path, env })
    expect(stderr.replaceAll(/^npm warn EBADENGINE.*\n/gm, '')).toBe('')
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
  afterAll(() => {
    staging.remove()
    project.remove()
  })

  it('checks, renders and applies as its page says, in the ledger that the command verifies', async () => {
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

  it('names each problem of a configuration at its place', async () => {
    const { stdout, stderr } = await start('problems.mjs', javascript)
    expect(stdout).toMatch(/^plumbline\.yaml:2 .*list/m)
    expect(stderr).toBe('')
  })

  it('keeps nothing without a store, and takes values and variables of the environment', async () => {
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

  it.each([
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
  ])('refuses %s with a code', async (_, call, code, words) => {
    const text = `import { apply, check, isPlumblineError } from '@plumbline/cli'
const error = await ${call}.then(() => undefined, (error) => error)
console.log(JSON.stringify([isPlumblineError(error), isPlumblineError(error, 'LOCKED'), error?.code, error?.message]))
void apply, check
`
    const { stdout } = await start('refused.mjs', text)
    expect(JSON.parse(stdout)).toEqual([true, false, code, expect.stringContaining(words)])
  })

  it('has types', async () => {
    writeFileSync(file('good.mts'), typescript)
    writeFileSync(
      file('bad.mts'),
      `import { apply, check, render } from '@plumbline/cli'
export const wrong = check('acme', { storre: '.' })
export const unkept = apply('acme', { digest: 'sha256:', reason: 'x' })
export const page = check('acme').then(({ plan }) => plan && render(plan, { format: 'pdf' }))
`,
    )
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext']
    const roots = ['--target', 'es2024', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...roots, 'good.mts', 'bad.mts']
    const { stdout } = await run(process.execPath, tsc, { cwd: project.path, env }).catch(
      (error: { readonly stdout: string }) => error,
    )
    const errors = stdout.split('\n').filter((line) => /^\S/.test(line))
    expect(
      errors.map((line) => line.slice(0, 'bad.mts(2'.length)),
      stdout,
    ).toEqual(['bad.mts(2', 'bad.mts(3', 'bad.mts(4'])
  })

  it('brings its pages, its schemas and the documents of the examples', () => {
    const there = (path: string) => readdirSync(file(join('node_modules/@plumbline/cli', path)))
    expect(there('docs')).toEqual(
      expect.arrayContaining(['library.md', 'plumbline.schema.json', 'provider.schema.json']),
    )
    expect(there('examples/powerdns')).toContain('powerdns.provider.yaml')
  })
})
