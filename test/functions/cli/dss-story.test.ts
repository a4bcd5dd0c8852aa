import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Apply } from '../../../core/engine/schema/stored/records.ts'
import { type Dss, dssKey, startDss } from '../../builders/dss/dss-server.ts'
import { dumpOf } from '../../builders/servers/json-routes.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

/* examples/dataiku as its README describes it, over the stand-in: each test goes on where the one before it ended. */

let folder: string
let dss: Dss
const run = (...args: readonly string[]) => runCommand(args, { folder, variables: { DSS_API_KEY: dssKey } })
const check = async () => {
  const { code, stdout } = await run('check', '--format', 'json')
  const { resource_changes: changes } = JSON.parse(stdout)
  return { code, addresses: (changes as readonly { address: string }[]).map(({ address }) => address) }
}
const apply = async () => {
  const { code, stdout } = await run('apply', '--yes', '--json')
  return { code, apply: JSON.parse(stdout) as Apply }
}
/** All that the project of the workspace holds. */
const baseNow = () => dumpOf(dss.projects.get('CHURN'))
const file = (): string => join(folder, 'plumbline.yaml')
const edit = async (from: string, to: string): Promise<void> => {
  const text = await readFile(file(), 'utf8')
  expect(text).toContain(from)
  await writeFile(file(), text.replace(from, to))
}

beforeAll(async () => {
  dss = await startDss()
  folder = await mkdtemp(join(tmpdir(), 'plumbline-dss-'))
  await cp(new URL('../../../examples/dataiku', import.meta.url).pathname, folder, { recursive: true })
  await edit('http://127.0.0.1:11200', dss.url)
  // The stand-in has done what was begun at the second poll.
  const provider = join(folder, 'dataiku.provider.yaml')
  const document = await readFile(provider, 'utf8')
  await writeFile(provider, document.replaceAll('intervalSeconds: 2', 'intervalSeconds: 0.02'))
})
afterAll(async () => {
  await dss[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const everything = [
  'dss_dataset.monthly',
  'dss_dataset.orders',
  'dss_exposed_objects.churn',
  'dss_git_library.features',
  'dss_project.churn',
  'dss_recipe.monthly',
  'dss_scenario.nightly',
  'dss_scenario.watchdog',
  'dss_variables.churn',
  'dss_zone.raw',
]

test('the example is loaded, and a recipe waits for its inputs and outputs', async () => {
  expect(await run('validate')).toMatchObject({ code: 0 })
  const { edges } = JSON.parse((await run('graph', '--json')).stdout) as { edges: { from: string; to: string }[] }
  const needed = edges.filter(({ from }) => from === 'dss_recipe.monthly').map(({ to }) => to)
  expect(needed).toEqual(['dss_dataset.monthly', 'dss_dataset.orders', 'dss_project.churn', 'dss_zone.raw'])
})

test('a check plans everything, and writes nothing', async () => {
  const { code, addresses } = await check()
  expect([code, addresses.toSorted()]).toEqual([2, everything])
  expect(dss.writes()).toEqual([])
})

test('a failure skips its dependents; the rest is applied, and the answer names each resource', async () => {
  dss.refused.add('/projects/CHURN/datasets/orders/schema')
  const { code, apply: ended } = await apply()
  expect([code, ended.status]).toEqual([1, 'failed'])
  expect(ended.results).toEqual({ applied: 8, failed: 1, skipped: 1, remaining: 0 })
  const { resources = [] } = ended
  expect(resources.filter(({ result }) => result !== 'applied')).toEqual([
    { address: 'dss_dataset.orders', commands: 4, result: 'failed', verdict: 'differs' },
    {
      address: 'dss_recipe.monthly',
      commands: 2,
      result: 'skipped',
      because: 'dss_dataset.orders',
      verdict: 'differs',
    },
  ])
  expect(resources.filter(({ verdict }) => verdict === 'in_sync')).toHaveLength(8)
})

test('a second apply does only the rest', async () => {
  dss.refused.clear()
  dss.forget()
  expect((await check()).addresses).toEqual(['dss_dataset.orders', 'dss_recipe.monthly'])
  const { code, apply: ended } = await apply()
  expect([code, ended.status, ended.results]).toEqual([
    0,
    'succeeded',
    { applied: 2, failed: 0, skipped: 0, remaining: 0 },
  ])
  expect(dss.writes().map(({ method, path }) => `${method} ${path.replace(/^.*\/projects/, '')}`)).toEqual([
    'PUT /CHURN/datasets/orders/schema',
    'PUT /CHURN/datasets/orders/metadata',
    'POST /CHURN/flow/zones/zn1Qx8/items',
    'POST /CHURN/recipes/',
    'POST /CHURN/flow/zones/zn1Qx8/items',
  ])
  expect(await check()).toEqual({ code: 0, addresses: [] })
})

test('a change by hand is drift, and the apply sets it back', async () => {
  const recipe = dss.projects.get('CHURN')?.recipes.get('compute_monthly')
  if (recipe !== undefined) recipe.payload = 'import os\n'
  const drift = await run('check', '--refresh-only')
  expect([drift.code, drift.stdout]).toEqual([2, expect.stringContaining('dss_recipe.monthly')])
  expect((await apply()).apply.results).toMatchObject({ applied: 1 })
  expect(recipe?.payload).toBe('import dataiku\n')
})

test('a preview of a branch is its own project, recovers from a failure, and leaves nothing when it is destroyed', async () => {
  const branch = ['--branch', 'feature/login']
  const base = baseNow()
  const key = 'CHURN__FEATURE_LOGIN_DF7C7AEB'
  const name = 'dataiku-example--feature-login-df7c7aeb'
  const sent = async (...args: readonly string[]) => {
    const { code, stdout } = await run('apply', name, '--yes', '--json', ...args)
    return { code, apply: JSON.parse(stdout) as Apply }
  }
  dss.forget()
  expect((await run('preview', ...branch)).code).toBe(2)
  expect(dss.writes()).toEqual([])

  dss.refused.add(`/projects/${key}/datasets/orders/schema`)
  expect((await sent()).apply.results).toEqual({ applied: 8, failed: 1, skipped: 1, remaining: 0 })
  dss.refused.clear()
  expect((await sent()).apply).toMatchObject({ status: 'succeeded', results: { applied: 2 } })
  expect(dss.projects.get(key)?.datasets.get('monthly')?.definition).toMatchObject({
    params: { path: '/churn/monthly-feature-login-df7c7aeb' },
  })
  expect((await run('preview', 'list')).stdout).toContain('feature/login')

  expect((await run('preview', 'destroy', ...branch, '--yes', '--reason', 'merged')).code).toBe(0)
  expect([...dss.projects.keys()]).toEqual(['CHURN'])
  expect((await run('preview', 'list')).stdout).not.toContain('feature/login')

  // Whatever was sent names the project of the preview, and the base is as it was.
  const elsewhere = dss.writes().filter(({ path, body }) => !`${path} ${JSON.stringify(body ?? {})}`.includes(key))
  expect(elsewhere).toEqual([])
  expect(baseNow()).toEqual(base)
  expect(await check()).toEqual({ code: 0, addresses: [] })
})

test('resources that leave the configuration are deleted after their dependents', async () => {
  const [head = '', ...blocks] = (await readFile(file(), 'utf8')).split(/^(?= {2}- type: )/m)
  const kept = blocks
    .filter((block) => !/type: dss_(recipe|zone)/.test(block))
    .map((block) => block.replace(/ {6}zone: .*\n/, ''))
  await writeFile(file(), [head.replace('resources:', 'orphans: delete\nresources:'), ...kept].join(''))
  dss.forget()
  expect(await check()).toEqual({ code: 2, addresses: ['dss_recipe.monthly', 'dss_zone.raw'] })
  expect((await apply()).apply.results).toEqual({ applied: 2, failed: 0, skipped: 0, remaining: 0 })
  expect(dss.writes().map(({ method, path }) => `${method} ${path.replace(/^.*\/projects/, '')}`)).toEqual([
    'DELETE /CHURN/recipes/compute_monthly',
    'DELETE /CHURN/flow/zones/zn1Qx8',
  ])
  expect(await check()).toEqual({ code: 0, addresses: [] })
  expect((await run('ledger', 'verify')).code).toBe(0)
})
