import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { bundleConstruct, mapsIn, root } from '../../infra/bundle.ts'
import type { Plumbline as Declared, PlumblineProps } from '../../infra/cdk.d.mts'
import type { Plumbline } from '../../infra/cdk.ts'
import type { GivenSettings } from '../../infra/settings.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

const run = promisify(execFile)
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }

/** A small app of the CDK that uses the package as it is published. */
const appOf = (props: unknown): string => `
import { App, Stack } from 'aws-cdk-lib'
import { Plumbline } from '@plumbline/cli/cdk'
const app = new App({ outdir: 'cdk.out' })
const stack = new Stack(app, 'Acme')
const { alertTopic, tableName } = new Plumbline(stack, 'Drift', ${JSON.stringify(props)})
stack.exportValue(alertTopic.topicArn)
stack.exportValue(tableName)
app.synth()
`

describe('the construct in the published package', () => {
  const [staging, project] = [temporaryFolder(), temporaryFolder()]
  beforeAll(async () => {
    const dist = join(staging.path, 'dist')
    for (const name of ['package.json', 'LICENSE']) cpSync(join(root, name), join(staging.path, name))
    await bundleConstruct(dist)
    const { folder } = await plainBundles()
    const filter = (file: string): boolean => !file.startsWith(mapsIn(folder))
    cpSync(folder, join(dist, 'functions'), { recursive: true, filter })
    await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: staging.path, env })
    const tarball = readdirSync(staging.path).find((name) => name.endsWith('.tgz')) ?? expect.unreachable()
    const install = ['install', '--offline', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', [...install, join(staging.path, tarball)], { cwd: project.path, env })
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(root, 'node_modules', name), join(project.path, 'node_modules', name))
  })
  afterAll(() => {
    staging.remove()
    project.remove()
  })

  const synthesise = async (props: unknown) => {
    writeFileSync(join(project.path, 'app.mjs'), appOf(props))
    return run(process.execPath, ['app.mjs'], { cwd: project.path, env })
  }

  it('is synthesised by an app that has nothing but the package and the CDK', async () => {
    await synthesise({ identity: 'cognito', mail: ['ops@acme.example'], dashboard: true })
    const out = join(project.path, 'cdk.out')
    const { Resources } = JSON.parse(readFileSync(join(out, 'Acme.template.json'), 'utf8')) as {
      Resources: Record<string, { Type: string; Properties?: { Handler?: string } }>
    }
    const names = Object.values(Resources).flatMap(({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' ? [Properties?.Handler] : [],
    )
    expect(names.toSorted()).toEqual(['api', 'apply', 'check', 'schedule', 'watch'].map((name) => `${name}.handler`))
    const assets = readdirSync(out).filter((name) => name.startsWith('asset.'))
    const holds = (name: string) => assets.some((asset) => existsSync(join(out, asset, `${name}.mjs`)))
    expect(['schedule', 'check', 'apply', 'api', 'watch'].filter((name) => !holds(name))).toEqual([])
    expect(Object.values(Resources).some(({ Type }) => Type === 'AWS::CloudWatch::Dashboard')).toBe(true)
  })

  it.each([
    [{ identity: 'cognito', memori: 1 }, 'Unrecognized key: "memori"'],
    [{ identity: 'cognito', memory: 12 }, 'memory 12: is less than 512'],
    [{ people: false }, 'machines is missing: name the callers'],
    [{ identity: 'cognito', stage: 'a' }, 'stage: is no prop of the construct: name your stack'],
    [{ identity: 'cognito', packages: {} }, 'packages: is no prop of the construct'],
  ])('refuses %j and names what is wrong', async (props, words) => {
    const { stderr } = await synthesise(props).catch((error: { readonly stderr: string }) => error)
    expect(stderr).toContain('the props of Plumbline are not valid:')
    expect(stderr).toContain(words)
  })

  it('has types that an app is compiled with', async () => {
    mkdirSync(join(project.path, 'types'))
    const of = (props: string) => `import { App, Stack } from 'aws-cdk-lib'
import { Plumbline } from '@plumbline/cli/cdk'
const { alertTopic } = new Plumbline(new Stack(new App(), 'Acme'), 'Drift', ${props})
export const arn: string = alertTopic.topicArn
`
    writeFileSync(join(project.path, 'types', 'good.mts'), of(`{ identity: 'cognito', retention: { inSyncDays: 7 } }`))
    writeFileSync(join(project.path, 'types', 'bad.mts'), of(`{ identity: 'cognito', logDays: 8 }`))
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const roots = ['--target', 'es2024', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...roots]
    const { stdout } = await run(process.execPath, [...tsc, 'types/good.mts', 'types/bad.mts'], {
      cwd: project.path,
      env,
    }).catch((error: { readonly stdout: string }) => error)
    const errors = stdout.split('\n').filter((line) => /^\S/.test(line))
    expect(errors).toEqual([expect.stringContaining('types/bad.mts(3')])
  })

  it('stays small enough to be installed for the command alone', () => {
    const tarball = readdirSync(staging.path).find((name) => name.endsWith('.tgz')) ?? ''
    expect(statSync(join(staging.path, tarball)).size).toBeLessThan(6_000_000)
  })
})

type Optional<Shape> = { [Name in keyof Shape]?: Shape[Name] | undefined }

it('the declared props and members are those of the construct', () => {
  expectTypeOf<keyof PlumblineProps>().toEqualTypeOf<Exclude<keyof GivenSettings, 'stage' | 'tags' | 'packages'>>()
  expectTypeOf<PlumblineProps>().toExtend<Optional<GivenSettings>>()
  expectTypeOf<Plumbline>().toExtend<Declared>()
})
