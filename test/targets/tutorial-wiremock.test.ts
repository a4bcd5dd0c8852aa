import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import { checkProvider, initProvider } from '../../core/tools/authoring/check-provider.ts'
import { actor, testDeps } from '../builders/workspaces/workspace.ts'
import type { TargetServer } from './servers/run-server.ts'
import { startWiremock } from './servers/wiremock.ts'

/* The steps of docs/tutorial-wiremock.md, with the edits and the workspace that the page shows. */

const page = readFileSync(join(import.meta.dirname, '../../docs/tutorial-wiremock.md'), 'utf8')

const block = (language: string): string => {
  const found = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1]
  if (found === undefined) throw new Error(`the tutorial has no block of ${language}`)
  return found
}

/** Line by line: what is taken out, and what comes in its place. */
const edits = (): readonly (readonly [string, string])[] => {
  const lines = block('diff').trimEnd().split('\n')
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))
  const added = of('+')
  return of('-').map((line, index) => [line, added[index] ?? ''] as const)
}

let server: TargetServer
let first: string
let description: { readonly name: string; readonly text: string }

beforeAll(async () => {
  server = await startWiremock()
  const url = `${server.baseUrl}/__admin/docs/swagger`
  description = { name: url, text: await (await fetch(url)).text() }
  first = initProvider(description, { resources: ['mappings'] }).text
})
afterAll(() => server?.stop())

const edited = (): string =>
  edits().reduce((text, [from, to]) => {
    expect(text.split(`${from}\n`)).toHaveLength(2)
    return text.replace(`${from}\n`, () => `${to}\n`)
  }, first)

it('edits ten lines at most, and leaves a document that agrees with the description', () => {
  expect(edits().length).toBeLessThanOrEqual(10)
  expect(page).toContain(`${first.match(/# decide:/g)?.length} to decide`)
  const { findings, types } = checkProvider({ name: 'wiremock.provider.yaml', text: edited() }, description)
  expect([findings, types]).toEqual([[], ['wiremock_mapping']])
})

it('makes the two stubs, finds the edit of a file, repairs it, and is in sync after a restart', async () => {
  const entry = block('yaml').replace('http://127.0.0.1:8080', server.baseUrl)
  const files = { 'plumbline.yaml': entry, 'wiremock.provider.yaml': edited() }
  const { deps, clock, secrets } = testDeps({ bundle: { entry: 'plumbline.yaml', files } })
  secrets['env:ADMIN_PASSWORD'] = 'correct-horse'
  const check = () => {
    clock.forward(60_000)
    return checkWorkspace({ workspace: 'stubs', trigger: 'cli', actor }, deps)
  }
  const apply = async (digest = '') => {
    const { id } = await requestApply({ workspace: 'stubs', mode: 'execute', digest, reason: 'tutorial', actor }, deps)
    return runApply({ workspace: 'stubs', applyId: id }, deps)
  }
  const made = await check()
  expect(made.plan?.changes.map(({ address, action }) => [address, action])).toEqual([
    ['wiremock_mapping.admin', 'create'],
    ['wiremock_mapping.hello', 'create'],
  ])
  expect(await apply(made.run.digests?.commands)).toMatchObject({ status: 'succeeded' })
  expect(await (await fetch(`${server.baseUrl}/hello`)).text()).toBe('hello')
  expect((await check()).run.status).toBe('in_sync')
  await server.cli(['edit', 'say hello', '"body" : "hello"', '"body" : "bye"'])
  const found = await check()
  expect(found.plan?.changes.map(({ address, causes }) => [address, causes.map(({ path }) => path.join('.'))])).toEqual(
    [['wiremock_mapping.hello', ['response.body']]],
  )
  expect(await apply(found.run.digests?.commands)).toMatchObject({ status: 'succeeded' })
  expect((await check()).run.status).toBe('in_sync')
  await server.restart()
  expect(await check()).toMatchObject({ run: { status: 'in_sync' }, plan: { changes: [] } })
})
