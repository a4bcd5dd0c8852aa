import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import { importObjects } from '../../core/tools/authoring/index.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../builders/workspaces/workspace.ts'

/* The package managers and the service manager of this machine. apt needs root. */

const workspace = 'my-machine'
const isThere = (...program: readonly [string, ...string[]]): boolean =>
  spawnSync(program[0], program.slice(1), { stdio: 'ignore' }).status === 0
const isRoot = process.getuid?.() === 0
const path = process.env['PATH'] ?? ''

let folder: ReturnType<typeof temporaryFolder>
let home: string
beforeEach(() => {
  folder = temporaryFolder()
  home = join(folder.path, 'home')
  mkdirSync(home)
})
afterEach(() => {
  process.env['PATH'] = path
  folder.remove()
})

const start = (resources: string) => {
  const given = testDeps({
    bundle: yaml(`
workspace: ${workspace}
providers: { machine: { source: machine, with: { home: ${home} } } }
resources:${resources}
`),
  })
  const check = () => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  const apply = async (digest: string) => {
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'tidy', actor }, given.deps)
    return runApply({ workspace, applyId: id }, given.deps)
  }
  return { ...given, check, apply }
}

/** In what the home contains, a check changes nothing. */
const contents = (): string => execFileSync('find', [home, '-printf', '%p %T@ %s\n'], { encoding: 'utf8' })

const story = async (resources: string, byHand: () => void) => {
  const { check, apply } = start(resources)
  const before = contents()
  const first = await check()
  expect(contents()).toBe(before)
  expect(first.run.status, JSON.stringify([first.run.error, first.plan?.unchecked])).toBe('changes')
  const applied = await apply(first.run.digests?.commands ?? '')
  expect(applied, JSON.stringify(applied)).toMatchObject({ status: 'succeeded' })
  expect((await check()).run.status).toBe('in_sync')
  byHand()
  const drifted = await check()
  expect(drifted.plan?.changes).toHaveLength(1)
  const again = await apply(drifted.run.digests?.commands ?? '')
  expect(again, JSON.stringify(again)).toMatchObject({ status: 'succeeded' })
  expect((await check()).run.status).toBe('in_sync')
}

/** A package of Debian with one file. */
const makeDeb = (name: string, version: string): string => {
  const root = join(folder.path, `${name}-${version}`)
  mkdirSync(join(root, 'DEBIAN'), { recursive: true })
  mkdirSync(join(root, 'usr/share', name), { recursive: true })
  writeFileSync(join(root, 'usr/share', name, 'note'), 'plumb\n')
  const control = {
    Package: name,
    Version: version,
    Architecture: 'all',
    Maintainer: 'test <test@example.org>',
    Description: 'test',
  }
  writeFileSync(
    join(root, 'DEBIAN/control'),
    `${Object.entries(control)
      .map((pair) => pair.join(': '))
      .join('\n')}\n`,
  )
  const deb = join(folder.path, `${name}_${version}.deb`)
  execFileSync('dpkg-deb', ['--build', root, deb], { stdio: 'ignore' })
  return deb
}

describe.skipIf(!isRoot || !isThere('dpkg-deb', '--version') || !isThere('apt-get', '--version'))('apt', () => {
  const name = 'plumbline-test-package'
  const purge = () => spawnSync('dpkg', ['--purge', name], { stdio: 'ignore' })
  beforeEach(purge)
  afterEach(purge)

  it('installs a package, and again after it was removed by hand', async () => {
    const deb = makeDeb(name, '1.2-3')
    await story(
      `
  - { type: machine_package, name: cow, spec: { driver: apt, name: ${name}, version: 1.2-3, from: ${deb} } }`,
      () => execFileSync('dpkg', ['--remove', name], { stdio: 'ignore' }),
    )
  })

  it('goes back to a version, and removes what must not exist', async () => {
    const old = makeDeb(name, '1.2-3')
    execFileSync('dpkg', ['--install', makeDeb(name, '1.2-30')], { stdio: 'ignore' })
    await story(
      `
  - { type: machine_package, name: cow, spec: { driver: apt, name: ${name}, version: 1.2-3, from: ${old} } }`,
      () => execFileSync('dpkg', ['--install', join(folder.path, `${name}_1.2-30.deb`)], { stdio: 'ignore' }),
    )
    await story(
      `
  - { type: machine_package, name: cow, absent: true, spec: { driver: apt, name: ${name} } }`,
      () => execFileSync('dpkg', ['--install', old], { stdio: 'ignore' }),
    )
  })

  it('says why it could not install, in a failed command', async () => {
    const { check, apply } = start(`
  - { type: machine_package, name: none, spec: { driver: apt, name: plumbline-no-such-package } }`)
    const { run } = await check()
    const applied = await apply(run.digests?.commands ?? '')
    expect(applied.outcomes).toMatchObject([
      { status: 'failed', detail: expect.stringContaining('plumbline-no-such-package') },
    ])
  })
})

const wheel = `
import sys, zipfile
name, version, path = sys.argv[1:]
info = f'{name}-{version}.dist-info'
with zipfile.ZipFile(path, 'w') as z:
    z.writestr(f'{name}.py', 'x = 1')
    z.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
    z.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    z.writestr(f'{info}/RECORD', '')
`

describe.skipIf(!isThere('python3', '-m', 'venv', '--help'))('pip', () => {
  it('installs a package into the environment that is active, and again after it was removed by hand', async () => {
    const venv = join(folder.path, 'venv')
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'ignore' })
    process.env['PATH'] = `${venv}/bin:${path}`
    const file = join(folder.path, 'plumb_cow-1.2.3-py3-none-any.whl')
    execFileSync('python3', ['-c', wheel, 'plumb_cow', '1.2.3', file])
    await story(
      `
  - { type: machine_package, name: cow, spec: { driver: pip, name: plumb-cow, version: 1.2.3, from: ${file} } }`,
      () => execFileSync(join(venv, 'bin/pip'), ['uninstall', '--yes', 'plumb-cow'], { stdio: 'ignore' }),
    )
  }, 240_000)
})

describe('the whole machine', () => {
  it('is imported into a configuration whose plan is empty', async () => {
    const { deps, check, current } = start(' []')
    const before = contents()
    const report = await importObjects({ workspace, types: [{ type: 'machine_package' }], where: {} }, deps)
    expect(report).toMatchObject({ differing: [], unchecked: [], issues: [], unread: [], unlisted: [] })
    expect(report.resources.length).toBeGreaterThan(10)
    expect(contents()).toBe(before)
    const entry = current.bundle.files['plumbline.yaml'] ?? ''
    current.bundle = yaml(entry.replace('resources: []', report.text))
    expect((await check()).run.status).toBe('in_sync')
  })
})

const hasSystemd = isThere('systemctl', '--system', 'show', '--property=Version')

describe('services', () => {
  const resources = `
  - { type: machine_service, name: cron, spec: { unit: plumbline-no-such.service, active: true } }`

  it.skipIf(hasSystemd)('are unchecked where there is no systemd, and the reason is told', async () => {
    const { run, plan } = await start(resources).check()
    expect(run.status).toBe('incomplete')
    expect(plan?.unchecked).toMatchObject([{ reason: 'server_error', detail: expect.stringContaining('systemctl') }])
    expect(plan?.commands).toEqual([])
  })

  it.skipIf(!hasSystemd)('are found to be missing where there is no such unit', async () => {
    expect((await start(resources).check()).plan?.changes).toMatchObject([{ action: 'create' }])
  })
})
