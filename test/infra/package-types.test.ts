import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../infra/bundle.ts'
import { bringCdk, strangersEnvironment as env, installedProject } from '../builders/aws/packed.ts'
import { long } from '../builders/long.ts'

const run = promisify(execFile)
const [, ofPage = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/library.md'), 'utf8')) ?? []

const appOf = (props: string): string => `import { App, Stack } from 'aws-cdk-lib/core'
import { Plumbline } from '@plumbline/cli/cdk'
const { alertTopic } = new Plumbline(new Stack(new App(), 'Acme'), 'Drift', ${props})
export const arn: string = alertTopic.topicArn
`

const files = {
  'library.mts': ofPage,
  'bad-library.mts': `import { apply, check, render } from '@plumbline/cli'
export const wrong = check('acme', { storre: '.' })
export const unkept = apply('acme', { digest: 'sha256:', reason: 'x' })
export const page = check('acme').then(({ plan }) => plan && render(plan, { format: 'pdf' }))
`,
  'suite.mts': `import { describe, it } from 'node:test'
import { describeProvider, type Attribute, type ProviderCase, type ProviderFactory } from '@plumbline/cli/testing'
export const name: Attribute = { type: 'string', identity: true, nullMeans: 'reject' }
export const provider: ProviderFactory = { configure: () => ({ ok: true, provider: { types: {} } }) }
export const check = (setup: () => Promise<ProviderCase>) => describeProvider('x', setup, { describe, it })
`,
  'bad-suite.mts': `import type { Attribute, CommandDraft, ReadResult } from '@plumbline/cli/testing'
export const name: Attribute = { type: 'strin' }
export const read: ReadResult = { kind: 'unknown', reason: 'no idea', detail: '' }
export const draft: CommandDraft = { action: 'create' }
`,
}

const apps = {
  'app.mts': appOf(`{ identity: 'cognito', retention: { inSyncDays: 7 } }`),
  'bad-app.mts': appOf(`{ identity: 'cognito', logDays: 8 }`),
}

const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
const roots = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]

describe('the types of the published package', () => {
  let project: Awaited<ReturnType<typeof installedProject>>
  beforeAll(async () => {
    project = await installedProject()
    bringCdk(project.path)
  })
  afterAll(() => project.remove())

  /** The places of what the compiler refuses: each error begins its line, and what belongs to one is indented. */
  const placesRefused = async (written: Readonly<Record<string, string>>, more: readonly string[]) => {
    for (const [name, text] of Object.entries(written)) writeFileSync(join(project.path, name), text)
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...roots, ...more, ...Object.keys(written)]
    const { stdout } = await run(process.execPath, tsc, { cwd: project.path, env }).catch(
      (error: { readonly stdout: string }) => error,
    )
    return { places: stdout.split('\n').flatMap((line) => /^\S*?\(\d+|^\S.*/.exec(line) ?? []), stdout }
  }

  it('let the library and the suite for providers be used as they are, and refuse what is wrong', long, async () => {
    const { places, stdout } = await placesRefused(files, ['--exactOptionalPropertyTypes'])
    const expected = ['bad-library.mts(2', 'bad-library.mts(3', 'bad-library.mts(4']
    expect(places, stdout).toEqual([...expected, 'bad-suite.mts(2', 'bad-suite.mts(3', 'bad-suite.mts(4'])
  })

  it('let an app of the CDK use the construct, and refuse what is wrong', async () => {
    const { places, stdout } = await placesRefused(apps, ['--skipLibCheck'])
    expect(places, stdout).toEqual(['bad-app.mts(3'])
  })
})
