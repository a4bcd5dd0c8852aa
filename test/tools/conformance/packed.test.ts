import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../infra/bundle.ts'
import { strangersEnvironment as env, installedProject } from '../../builders/aws/packed.ts'
import { long } from '../../builders/long.ts'

const run = promisify(execFile)

/** The package as it is published, in an empty project of an author. */
describe('the packed suite', () => {
  let project: Awaited<ReturnType<typeof installedProject>>
  beforeAll(async () => {
    project = await installedProject()
    cpSync(join(root, 'examples/acme-provider'), project.path, { recursive: true })
  })
  afterAll(() => project.remove())

  it('runs with plain Node, under node:test', long, async () => {
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
})
