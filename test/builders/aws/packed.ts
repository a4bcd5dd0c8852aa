import { execFile } from 'node:child_process'
import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleConstruct, bundleTesting, mapsIn, root } from '../../../infra/bundle.ts'
import { askRun } from '../workspaces/ask-run.ts'
import { temporaryFolder } from '../workspaces/workspace.ts'

const run = promisify(execFile)

/** What the shell of a stranger has; npm of the test run must not speak for it. */
export const strangersEnvironment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }

/** `warnings`: what npm said while it installed, but for the version of Node. */
interface Packed {
  readonly tarball: string
  readonly project: string
  readonly warnings: string
}

/** What is built already: the command and the functions. */
interface Built {
  readonly command: string
  readonly functions: string
}

const stage = async (staging: string, { command, functions }: Built): Promise<string> => {
  const dist = join(staging, 'dist')
  for (const name of ['package.json', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'examples'])
    cpSync(join(root, name), join(staging, name), { recursive: true })
  cpSync(command, dist, { recursive: true })
  cpSync(functions, join(dist, 'functions'), {
    recursive: true,
    filter: (file) => !file.startsWith(mapsIn(functions)),
  })
  await bundleTesting(dist)
  await bundleConstruct(dist)
  await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: staging, env: strangersEnvironment })
  const name = readdirSync(staging).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error(`npm pack wrote no package into ${staging}`)
  return join(staging, name)
}

/** Packs the package as it is published, but for the web page, and installs it in an empty project. */
export const buildPacked = async (built: Built): Promise<Packed> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-packed-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const [staging, project] = [join(folder, 'staging'), join(folder, 'project')]
  const tarball = await stage(staging, built)
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
  const { stderr } = await run('npm', [...install, '--prefix', project, tarball], {
    cwd: staging,
    env: strangersEnvironment,
  })
  return { tarball, project, warnings: stderr.replaceAll(/^npm warn EBADENGINE.*\n/gm, '') }
}

/** A project of its own that has the package, which the run packs and installs once. `remove` deletes it. */
export const installedProject = async () => {
  const packed = await askRun<Packed>('package')
  if (packed === undefined) throw new Error('only a run of vitest packs the package: start it with npm test')
  const { path, remove } = temporaryFolder()
  cpSync(packed.project, path, { recursive: true })
  return { path, remove, tarball: packed.tarball, warnings: packed.warnings }
}

/** The CDK, which apps bring themselves. */
export const bringCdk = (project: string): void => {
  for (const name of ['aws-cdk-lib', 'constructs'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
}
