import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { Plumbline as Declared, PlumblineProps } from '../../infra/cdk.d.mts'
import type { Plumbline } from '../../infra/cdk.ts'
import type { GivenSettings } from '../../infra/settings.ts'
import { bringCdk, strangersEnvironment as env, installedProject } from '../builders/aws/packed.ts'
import { long } from '../builders/long.ts'

const run = promisify(execFile)

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

/** Prints what the construct says to each of the props, as a list; one process for all, because it loads the CDK. */
const refusals = (all: readonly object[]): string => `
import { App, Stack } from 'aws-cdk-lib'
import { Plumbline } from '@plumbline/cli/cdk'
const said = (props) => {
  try {
    return new Plumbline(new Stack(new App(), 'Acme'), 'Drift', props) && 'nothing'
  } catch (error) {
    return error.message
  }
}
console.log(JSON.stringify(${JSON.stringify(all)}.map(said)))
`

describe('the construct in the published package', () => {
  let project: Awaited<ReturnType<typeof installedProject>>
  beforeAll(async () => {
    project = await installedProject()
    bringCdk(project.path)
  })
  afterAll(() => project.remove())

  const start = async (name: string, text: string) => {
    writeFileSync(join(project.path, name), text)
    return run(process.execPath, [name], { cwd: project.path, env })
  }

  it('is synthesised by an app that has nothing but the package and the CDK', long, async () => {
    await start('app.mjs', appOf({ identity: 'cognito', mail: ['ops@acme.example'], dashboard: true }))
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

  const refused: readonly (readonly [object, string])[] = [
    [{ identity: 'cognito', memori: 1 }, 'Unrecognized key: "memori"'],
    [{ identity: 'cognito', memory: 12 }, 'memory 12: is less than 512'],
    [{ people: false }, 'machines is missing: name the callers'],
    [{ identity: 'cognito', stage: 'a' }, 'stage: is no prop of the construct: name your stack'],
    [{ identity: 'cognito', packages: {} }, 'packages: is no prop of the construct'],
  ]

  it('refuses wrong props and names what is wrong', long, async () => {
    const { stdout } = await start('refused.mjs', refusals(refused.map(([props]) => props)))
    expect(JSON.parse(stdout)).toEqual(refused.map(([, words]) => expect.stringContaining(words)))
    const said = refused.map(() => expect.stringContaining('the props of Plumbline are not valid:'))
    expect(JSON.parse(stdout)).toEqual(said)
  })

  const isOfConstruct = (file: string, dist: string): boolean =>
    file.startsWith(join(dist, 'functions/')) || file.startsWith(join(dist, 'cdk.'))

  it('stays small enough to be installed for the command alone', () => {
    const dist = join(project.path, 'node_modules/@plumbline/cli/dist')
    const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const own = files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => isOfConstruct(file, dist))
    const sizes = own.map((file) => gzipSync(readFileSync(file)).byteLength)
    expect(sizes.length).toBeGreaterThan(6)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000)
  })
})

type Optional<Shape> = { [Name in keyof Shape]?: Shape[Name] | undefined }

it('the declared props and members are those of the construct', () => {
  expectTypeOf<keyof PlumblineProps>().toEqualTypeOf<Exclude<keyof GivenSettings, 'stage' | 'tags' | 'packages'>>()
  expectTypeOf<PlumblineProps>().toExtend<Optional<GivenSettings>>()
  expectTypeOf<Plumbline>().toExtend<Declared>()
})
