import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleTesting, root } from '../../../infra/bundle.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

const run = promisify(execFile)

/** What a shell of an author has; npm of the test run must not speak for it. */
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }

/** The package as it is published, in an empty project of an author. */
describe('the packed suite', () => {
  const staging = temporaryFolder()
  const project = temporaryFolder()

  beforeAll(async () => {
    for (const name of ['package.json', 'LICENSE']) cpSync(join(root, name), join(staging.path, name))
    await bundleTesting(join(staging.path, 'dist'))
    await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: staging.path, env })
    const tarball = readdirSync(staging.path).find((name) => name.endsWith('.tgz')) ?? expect.unreachable()
    cpSync(join(root, 'examples/acme-provider'), project.path, { recursive: true })
    const install = [
      'install',
      '--offline',
      '--no-save',
      '--omit=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]
    await run('npm', [...install, join(staging.path, tarball)], { cwd: project.path, env })
  })
  afterAll(() => {
    staging.remove()
    project.remove()
  })

  it('runs with plain Node, under node:test', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: project.path, env })
    expect(stdout).toContain('# Subtest: acme_app: conformance')
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(20)
  })

  it('detects a broken provider there too', async () => {
    const broken = join(project.path, 'broken')
    mkdirSync(broken)
    const text = readFileSync(join(project.path, 'provider.mjs'), 'utf8')
    writeFileSync(
      join(broken, 'provider.mjs'),
      text.replace('if (status !== 200) return unknown', "if (status !== 200) return { kind: 'absent' } ?? unknown"),
    )
    cpSync(join(project.path, 'provider.test.mjs'), join(broken, 'provider.test.mjs'))
    const ended = await run(process.execPath, ['--test', '--test-reporter=tap', 'provider.test.mjs'], {
      cwd: broken,
      env,
    }).catch((error: { code: number; stdout: string }) => error)
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stdout).toContain('not ok')
    expect(ended.stdout).toContain(
      'the provider breaks a promise: request 1 failed, so the result must be unknown (server_error)',
    )
  })

  it('has types', async () => {
    const files = {
      'good.mts': `import { describe, it } from 'node:test'
import { describeProvider, type Attribute, type ProviderCase, type ProviderFactory } from '@plumbline/cli/testing'
export const name: Attribute = { type: 'string', identity: true, nullMeans: 'reject' }
export const provider: ProviderFactory = { configure: () => ({ ok: true, provider: { types: {} } }) }
export const check = (setup: () => Promise<ProviderCase>) => describeProvider('x', setup, { describe, it })
`,
      'bad.mts': `import type { Attribute, CommandDraft, ReadResult } from '@plumbline/cli/testing'
export const name: Attribute = { type: 'strin' }
export const read: ReadResult = { kind: 'unknown', reason: 'no idea', detail: '' }
export const draft: CommandDraft = { action: 'create' }
`,
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project.path, name), text)
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ]
    const roots = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...roots, ...Object.keys(files)]
    const { stdout } = await run(process.execPath, tsc, { cwd: project.path, env }).catch(
      (error: { stdout: string }) => error,
    )
    // Each error begins its line; what belongs to one is indented.
    const errors = stdout.split('\n').filter((line) => /^\S/.test(line))
    expect(errors.map((line) => line.slice(0, 'bad.mts(2'.length))).toEqual(['bad.mts(2', 'bad.mts(3', 'bad.mts(4'])
  })
})
